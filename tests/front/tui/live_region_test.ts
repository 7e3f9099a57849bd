import assert from "node:assert/strict";
import fc from "fast-check";
import { type Frame, LiveRegion } from "../../../src/front/tui/live_region.ts";
import { Screen } from "../../support/screen.ts";

const line = fc.stringMatching(/^[a-z 日é]{0,9}$/).map((text) => text.trimEnd());

const frame: fc.Arbitrary<Frame> = fc.record({
  finished: fc.array(line, { maxLength: 5 }),
  live: fc.array(line, { minLength: 1, maxLength: 6 }),
}).chain(({ finished, live }) =>
  fc.nat(live.length - 1).map((row) => ({ finished, live, cursor: { row, column: 1 } }))
);

Deno.test("after any frames the screen shows all finished lines once and the last live ones", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 12 }), async (frames) => {
      const size = { columns: 20, rows: 8 };
      const screen = new Screen(size.columns, size.rows);
      const region = new LiveRegion("not-cursor");
      for (const next of frames) await screen.feed(region.draw(next, size));
      const finished = frames.flatMap((next) => next.finished);
      const last = frames.at(-1);
      assert.equal(
        screen.all().trimEnd(),
        [...finished, ...last?.live ?? []].join("\n").trimEnd(),
      );
      const below = (last?.live.length ?? 0) - 1 - (last?.cursor?.row ?? 0);
      const rows = screen.all().split("\n").length - size.rows;
      const cursorLine = rows + screen.cursor.row;
      assert.equal(cursorLine, finished.length + (last?.live.length ?? 0) - 1 - below);
    }),
    { numRuns: 200 },
  );
});

Deno.test("a frame that shows nothing new writes nothing", () => {
  const region = new LiveRegion("none");
  const size = { columns: 20, rows: 8 };
  const same: Frame = { finished: [], live: ["a", "b"], cursor: { row: 1, column: 0 } };
  assert.notEqual(region.draw(same, size), "");
  assert.equal(region.draw({ ...same, live: ["a", "b"] }, size), "");
});

Deno.test("text that goes on is written from where it was", () => {
  const region = new LiveRegion("none");
  const size = { columns: 40, rows: 8 };
  region.draw({ finished: [], live: ["some words", "status"] }, size);
  const bytes = region.draw({ finished: [], live: ["some words more", "status"] }, size);
  assert.ok(bytes.includes(" more"));
  assert.ok(!bytes.includes("some words"));
});

Deno.test("nothing but the region is erased when the width changes", async () => {
  for (const columns of [7, 12, 30]) {
    const screen = new Screen(20, 8);
    const region = new LiveRegion("not-cursor");
    const live = ["0123456789abcdef", "> text", "status line"];
    const finished = ["first finished line", "second"];
    const cursor = { row: 1, column: 3 };
    await screen.feed(region.draw({ finished, live, cursor }, { columns: 20, rows: 8 }));
    screen.resize(columns, 8);
    const after = { finished: [], live: ["new", "> text", "state"], cursor };
    await screen.feed(region.draw(after, { columns, rows: 8 }));
    assert.equal(
      screen.unwrapped(),
      "first finished line\nsecond\nnew\n> text\nstate",
      `${columns} columns`,
    );
  }
});

/** A screen whose height changes, and what draws on it once it has changed. */
function resizing() {
  const screen = new Screen(20, 10);
  const region = new LiveRegion("not-cursor");
  const draw = async (frame: Frame, rows: number) => {
    screen.resize(20, rows);
    region.located(screen.cursor.row);
    await screen.feed(region.draw(frame, { columns: 20, rows }));
  };
  return { screen, draw };
}

Deno.test("what a lower screen has pushed up is taken away when a higher one shows it again", async () => {
  const { screen, draw } = resizing();
  const live = ["1", "2", "3", "4", "5", "6", "> "];
  await draw({ finished: ["x"], live, cursor: { row: 6, column: 2 } }, 10);
  await draw({ finished: [], live: ["5", "6", "> "], cursor: { row: 2, column: 2 } }, 3);
  assert.match(screen.scrollback(), /3\n4$/);
  await draw({ finished: [], live, cursor: { row: 6, column: 2 } }, 10);
  assert.equal(screen.all().trimEnd(), "x\n1\n2\n3\n4\n5\n6\n>");
});

Deno.test("what a lower screen has pushed up stays when something finished stands below it", async () => {
  const { screen, draw } = resizing();
  const cursor = { row: 1, column: 2 };
  await draw({ finished: [], live: ["1", "2", "3", "> "], cursor: { row: 3, column: 2 } }, 10);
  await draw({ finished: ["done"], live: ["3", "> "], cursor }, 3);
  await draw({ finished: [], live: ["3", "> "], cursor }, 10);
  assert.equal(screen.all().trimEnd(), "1\ndone\n3\n>");
});

Deno.test("release() leaves the first lines where they are, in all their rows", async () => {
  const screen = new Screen(20, 8);
  const region = new LiveRegion("not-cursor");
  const size = { columns: 20, rows: 8 };
  const cursor = { row: 2, column: 2 };
  await screen.feed(
    region.draw({ finished: [], live: ["a text of 18 chars", "status", "> "], cursor }, size),
  );
  screen.resize(8, 8);
  region.located(screen.cursor.row);
  region.release(1);
  const after = { finished: [], live: ["new", "> "], cursor: { row: 1, column: 2 } };
  await screen.feed(region.draw(after, { columns: 8, rows: 8 }));
  assert.equal(screen.unwrapped(), "a text of 18 chars\nnew\n>");
});

Deno.test("pushedOff() counts the lines of which the screen has no room for a row", async () => {
  const screen = new Screen(20, 10);
  const region = new LiveRegion("not-cursor");
  const live = ["1", "2", "3", "4", "5", "6", "> ", "status"];
  const frame = { finished: ["x"], live, cursor: { row: 6, column: 2 } };
  await screen.feed(region.draw(frame, { columns: 20, rows: 10 }));
  screen.resize(20, 4);
  region.located(screen.cursor.row);
  assert.equal(region.pushedOff({ columns: 20, rows: 4 }), 3);
  assert.match(screen.scrollback(), /3$/);
});

Deno.test("erase() takes the region away and leaves the cursor where it began", async () => {
  const screen = new Screen(20, 8);
  const region = new LiveRegion("none");
  const size = { columns: 20, rows: 8 };
  await screen.feed(
    region.draw({ finished: ["kept"], live: ["a", "b"], cursor: { row: 1, column: 1 } }, size),
  );
  await screen.feed(region.erase(size));
  assert.equal(screen.all().trimEnd(), "kept");
  assert.deepEqual(screen.cursor, { column: 0, row: 1 });
});
