import assert from "node:assert/strict";
import { type DiffLine, diffLines } from "../../../src/front/tui/diff_lines.ts";

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

Deno.test("diffLines() only counts the lines of a huge change", () => {
  const diff = diffLines(numbered(100_000), numbered(100_000, (line) => `${line} x`));
  assert.deepEqual(diff, { added: 100_000, removed: 100_000, lines: [], tooLarge: true });
});

Deno.test("diffLines() finds a small change in a huge file", () => {
  const diff = diffLines(
    numbered(100_000),
    numbered(100_000, (line, i) => i === 50_000 ? "new" : line),
  );
  assert.equal(diff.added, 1);
  assert.deepEqual(plain(diff.lines).slice(3, 5), ["50001-line 50001", "50001+new"]);
});
