import assert from "node:assert/strict";
import fc from "fast-check";
import { PersistentMap } from "../../src/model/persistent_map.ts";

Deno.test("PersistentMap behaves like a map that is copied at every change", () => {
  const key = fc.constantFrom(
    "a",
    "b",
    "c",
    "__proto__",
    "constructor",
    ...Array(20).keys().map(String),
  );
  fc.assert(fc.property(fc.array(fc.tuple(key, fc.nat())), fc.nat(), (settings, branch) => {
    const maps = [PersistentMap.empty<number>()];
    const copies = [new Map<string, number>()];
    for (const [index, [name, value]] of settings.entries()) {
      const from = index % 7 === 3 ? branch % maps.length : maps.length - 1;
      maps.push((maps[from] ?? PersistentMap.empty<number>()).set(name, value));
      copies.push(new Map(copies[from]).set(name, value));
    }
    for (const [index, copy] of copies.entries()) {
      for (const [name, value] of copy) assert.equal(maps[index]?.get(name), value);
      assert.equal(maps[index]?.get("absent"), undefined);
    }
  }));
});
