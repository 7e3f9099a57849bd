import assert from "node:assert/strict";
import { FIGURES } from "../../bench/figures.ts";
import { isGood, type MeasuredRow, renderTable } from "../../bench/report.ts";
import { compare, interleave, median, quantile } from "../../bench/statistics.ts";

const ROW: MeasuredRow = { figure: "f", what: "w", unit: "ms", ours: 1 };

Deno.test("isGood() takes a ratio up to its bound, and every row without one", () => {
  assert.equal(isGood({ ...ROW, ratio: 9 }), true);
  assert.equal(isGood({ ...ROW, ratio: 1.2, bound: 1.2 }), true);
  assert.equal(isGood({ ...ROW, ratio: 1.21, bound: 1.2 }), false);
  assert.equal(isGood({ ...ROW, ratio: NaN, bound: 1.2 }), false);
  assert.equal(isGood({ ...ROW, bound: 1.2 }), false);
});

Deno.test("renderTable() says which rows missed their bound", () => {
  const lines = renderTable([
    { ...ROW, beside: { name: "floor", value: 0.5 }, ratio: 2, bound: 1.5 },
    { ...ROW, ratio: 1, bound: 1.5 },
  ]);
  assert.match(lines[2] ?? "", /f +w +1\.0 ms +floor 0\.5 ms +2\.00 +≤ 1\.5 +MISSED$/);
  assert.match(lines[3] ?? "", /ok$/);
});

Deno.test("quantile() interpolates, and median() is the middle", () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 2, 3]), 2.5);
  assert.equal(quantile([0, 10], 0.99), 9.9);
});

Deno.test("compare() gives the median of the ratios of neighbours", () => {
  const { ours, beside, ratio } = compare({
    what: "w",
    unit: "ms",
    ours: [10, 200, 30],
    beside: { name: "floor", values: [10, 100, 10] },
  });
  assert.deepEqual([ours, beside?.value, ratio], [30, 10, 2]);
});

Deno.test("interleave() runs everything once more than asked, in turns and changing order", async () => {
  const ran: string[] = [];
  const program = (name: string) => () => Promise.resolve(ran.push(name));
  const results = await interleave(2, { a: program("a"), b: program("b") });
  assert.equal(ran.join(""), "ab" + "ab" + "ba");
  assert.deepEqual(results, { a: [3, 6], b: [4, 5] });
});

Deno.test("every figure has a name of its own and says what it shows", () => {
  assert.equal(new Set(FIGURES.map(({ name }) => name)).size, FIGURES.length);
  for (const { name, shows } of FIGURES) {
    assert.match(name, /^[a-z-]+$/);
    assert.notEqual(shows, "");
  }
});
