import assert from "node:assert/strict";
import fc from "fast-check";
import { EntryList } from "../../src/model/entry_list.ts";

Deno.test("EntryList behaves like an array that is copied at every change", () => {
  const change = fc.oneof(
    { weight: 4, arbitrary: fc.record({ append: fc.nat() }) },
    fc.record({ at: fc.integer({ min: -2, max: 600 }), put: fc.nat() }),
  );
  fc.assert(fc.property(fc.nat(300), fc.array(change, { maxLength: 200 }), (size, changes) => {
    let array: readonly number[] = Array.from({ length: size }, (_, index) => index);
    let list = array.reduce((next, item) => next.append(item), EntryList.empty<number>());
    for (const change of changes) {
      const [oldList, oldArray] = [list, array];
      if ("append" in change) {
        list = list.append(change.append);
        array = [...array, change.append];
      } else {
        list = list.with(change.at, change.put);
        if (change.at >= 0 && change.at < array.length) array = array.with(change.at, change.put);
      }
      assert.equal(oldList.length, oldArray.length);
      assert.equal(oldList.at(-1), oldArray.at(-1));
    }
    assert.deepEqual([...list], array);
    assert.deepEqual([...list.from(130)], array.slice(130));
    for (const index of [0, 127, 128, 255, -1, -128, array.length, -array.length - 1]) {
      assert.equal(list.at(index), array.at(index));
    }
  }));
});
