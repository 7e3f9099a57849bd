/**
 * Any sizes one after another while an answer streams: nothing is lost, nothing comes twice.
 *
 * The sizes change in the pauses of the answer, and sometimes several at once: what is on its way to
 * a terminal while it changes its size is made for another one, and no program can help that.
 *
 * @module
 */

import assert from "node:assert/strict";
import { assertScrollbackUntouched, count, later, withTui } from "./harness.ts";
import { hasTmux, startTmux } from "./tmux.ts";
import { until } from "../../support/run_main.ts";

const WORDS = 96;
const BURST = 12;
const DRAFT = "a draft that stays";

type Size = readonly [columns: number, rows: number];

/** Sizes for each pause, drawn by `seed`. */
function sizes(seed: number, least: Size): readonly (readonly Size[])[] {
  let state = seed;
  const pick = (from: number, to: number) => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return from + Math.floor(state / 2 ** 32 * (to - from + 1));
  };
  const size = (): Size => [
    pick(least[0], pick(0, 2) === 0 ? least[0] + 10 : 130),
    pick(least[1], pick(0, 2) === 0 ? least[1] + 3 : 45),
  ];
  return Array.from(
    { length: WORDS / BURST - 1 },
    () => Array.from({ length: pick(1, 3) === 1 ? 2 : 1 }, size),
  );
}

function assertWords(all: string): void {
  const words = all.match(/word\d+/g) ?? [];
  const expected = Array.from({ length: WORDS }, (_, index) => `word${index + 1}`);
  assert.deepEqual(words, expected, all);
}

/** Streams in a terminal that changes to these sizes; gives everything that it shows at the end. */
async function stream(changes: readonly (readonly Size[])[]): Promise<string> {
  let all = "";
  await withTui(async ({ pty, screen, enter }) => {
    const resize = async ([columns, rows]: Size) => {
      screen.resize(columns, rows);
      await pty.resize(columns, rows);
    };
    await enter(`words ${WORDS}`);
    await pty.write(DRAFT);
    await screen.waitFor(`› ${DRAFT}`);
    for (const [index, burst] of changes.entries()) {
      const last = `word${BURST * (index + 1)}`;
      await screen.waitFor((s) => s.unwrapped().includes(last));
      await later(50);
      for (const size of burst) await resize(size);
    }
    await screen.waitFor((s) => s.unwrapped().includes(`word${WORDS}`));
    await resize([100, 30]);
    await screen.waitFor((s) => s.text().includes("idle") && s.text().includes(`› ${DRAFT}`));
    all = screen.unwrapped();
    assertScrollbackUntouched(pty);
  });
  return all;
}

for (const seed of [14, 15, 18]) {
  Deno.test(`an answer is whole and in order after any sizes of the window (${seed})`, async () => {
    assertWords(await stream(sizes(seed, [10, 3])));
  });
}

Deno.test("what is redrawn leaves nothing behind where the window had room for it", async () => {
  const all = await stream(sizes(4, [30, 16]));
  assertWords(all);
  assert.equal(count(all, "working"), 0, all);
  assert.equal(count(all, "idle"), 1, all);
  assert.equal(count(all, DRAFT), 1, all);
});

Deno.test("a question that a low window has pushed up is not seen twice when there is room", async () => {
  await withTui(async ({ pty, screen, enter }) => {
    await enter("ask");
    await screen.waitFor("digit, or arrows and Enter");
    for (const [columns, rows] of [[50, 7], [20, 6], [10, 3], [80, 24]] as const) {
      const before = pty.output.length;
      screen.resize(columns, rows);
      await pty.resize(columns, rows);
      // Drawn for this size, before the next one.
      await until(() => bytesSince(pty.output, before).includes("\x1b[?2026l"), "a frame");
      await later(50);
    }
    await screen.waitFor("digit, or arrows and Enter");
    const all = screen.unwrapped();
    assert.equal(count(all, "┃ $ rm -rf build"), 1, all);
    assert.equal(count(all, "1) Allow"), 1, all);
  });
});

for (const seed of [14, 15]) {
  Deno.test({
    name: `in tmux an answer is whole and in order after any sizes of the window (${seed})`,
    ignore: !hasTmux,
    async fn() {
      await using tmux = await startTmux();
      await tmux.type(`words ${WORDS}`);
      await tmux.run(["send-keys", "-t", "s", "-l", DRAFT]);
      for (const [index, burst] of sizes(seed, [10, 3]).entries()) {
        const last = `word${BURST * (index + 1)}`;
        await until(async () => (await tmux.all()).includes(last), last);
        await later(50);
        for (const [columns, rows] of burst) await tmux.resize(columns, rows);
      }
      await until(async () => (await tmux.all()).includes(`word${WORDS}`), "the last word");
      await tmux.resize(100, 30);
      await tmux.seen(/idle/);
      await tmux.seen(new RegExp(`› ${DRAFT}`));
      assertWords(await tmux.all());
    },
  });
}

function bytesSince(output: Uint8Array, start: number): string {
  return new TextDecoder().decode(output.subarray(start));
}
