import assert from "node:assert/strict";
import fc from "fast-check";
import { type DiffLine, diffLines } from "../../src/front/diff_lines.ts";

function plain(lines: readonly DiffLine[]): string[] {
  return lines.map((line) => {
    if (line.type === "gap") return "…";
    const sign = { same: " ", added: "+", removed: "-" }[line.type];
    return `${line.number}${sign}${line.pieces.map((piece) => piece.text).join("")}`;
  });
}

function numbered(count: number, change: (line: string, index: number) => string = (line) => line) {
  return Array.from({ length: count }, (_, i) => change(`line ${i + 1}`, i)).join("\n") + "\n";
}

Deno.test("diffLines() numbers lines and leaves out what is the same far away", () => {
  const diff = diffLines(
    numbered(40),
    numbered(40, (line, i) => i === 9 || i === 29 ? `${line} changed` : line),
  );
  assert.equal(diff.added, 2);
  assert.equal(diff.removed, 2);
  assert.deepEqual(plain(diff.lines).slice(0, 9), [
    "7 line 7",
    "8 line 8",
    "9 line 9",
    "10-line 10",
    "10+line 10 changed",
    "11 line 11",
    "12 line 12",
    "13 line 13",
    "…",
  ]);
});

Deno.test("diffLines() marks the words that changed", () => {
  const { lines } = diffLines("const a = 1;\n", "const a = 2;\n");
  const changed = lines.flatMap((line) =>
    line.type === "gap" ? [] : line.pieces.filter((piece) => piece.changed)
  );
  assert.deepEqual(changed.map((piece) => piece.text), ["1", "2"]);
});

Deno.test("diffLines() counts lines of new and emptied files", () => {
  assert.deepEqual(plain(diffLines("", "a\nb").lines), ["1+a", "2+b"]);
  assert.deepEqual(plain(diffLines("a\nb\n", "").lines), ["1-a", "2-b"]);
  assert.deepEqual(diffLines("same\n", "same\n").lines, []);
});

Deno.test("diffLines() shows and counts the lines of a huge change", () => {
  const diff = diffLines(numbered(100_000), numbered(100_000, (line) => `${line} x`));
  assert.deepEqual([diff.added, diff.removed, diff.rough], [100_000, 100_000, false]);
  assert.equal(diff.lines.length, 200_000);
});

Deno.test("diffLines() counts what differs, not what stands between the first and last difference", () => {
  const ends = diffLines(
    numbered(100_000),
    numbered(100_000, (line, i) => i === 0 || i === 99_999 ? "new" : line),
  );
  assert.deepEqual([ends.added, ends.removed, ends.rough], [2, 2, false]);
  const every = diffLines(
    numbered(20_000),
    numbered(20_000, (line, i) => i % 2 === 0 ? `new ${i}` : line),
  );
  assert.deepEqual([every.added, every.removed, every.rough], [10_000, 10_000, false]);
});

Deno.test("diffLines() takes lines for replaced that it could not compare, and says so", () => {
  const repeated = (step: number) => numbered(50_000, (_, i) => `${(i * step) % 997}`);
  const diff = diffLines(repeated(1), repeated(601));
  assert.equal(diff.rough, true);
  assert.ok(diff.added <= 50_000 && diff.removed <= 50_000);
});

Deno.test("diffLines() says how to make the new text from the old one, whatever they are", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", "", "d"), { maxLength: 40 })
    .map((lines) => lines.map((line) => `${line}\n`).join(""));
  fc.assert(fc.property(text, text, (before, after) => {
    const { lines, added, removed } = diffLines(before, after);
    const of = (type: DiffLine["type"]) =>
      lines.flatMap((line) => line.type === type && line.type !== "gap" ? [line] : []);
    assert.deepEqual([of("added").length, of("removed").length], [added, removed]);
    const content = (line: DiffLine) =>
      line.type === "gap" ? "" : line.pieces.map((piece) => piece.text).join("");
    const old = before.split("\n").slice(0, -1);
    for (const line of of("removed")) assert.equal(old[line.number - 1], content(line));
    const kept = old.filter((_, index) => !of("removed").some((line) => line.number === index + 1));
    for (const line of of("added")) kept.splice(line.number - 1, 0, content(line));
    assert.deepEqual(kept.join("\n"), after.split("\n").slice(0, -1).join("\n"));
  }));
});

Deno.test("diffLines() finds a small change in a huge file", () => {
  const diff = diffLines(
    numbered(100_000),
    numbered(100_000, (line, i) => i === 50_000 ? "new" : line),
  );
  assert.equal(diff.added, 1);
  assert.deepEqual(plain(diff.lines).slice(3, 5), ["50001-line 50001", "50001+new"]);
});
