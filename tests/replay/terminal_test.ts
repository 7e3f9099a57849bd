/**
 * Plays the small traces to the real program in a pseudo-terminal.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { SessionState } from "../../src/model/session.ts";
import { checkScreen } from "./check_screen.ts";
import { playTrace } from "./play_trace.ts";
import { playInTerminal } from "./terminal.ts";

const TRACES = new URL("traces/", import.meta.url);

/** Starts of agents that nobody at a terminal can play: a person loads a session that can be. */
const LEFT: Readonly<Record<string, readonly string[]>> = {};

for (const { name } of [...Deno.readDirSync(TRACES)].sort((a, b) => a.name < b.name ? -1 : 1)) {
  Deno.test(`the terminal shows each text of ${name} as often as it was said`, async () => {
    const text = await Deno.readTextFile(new URL(name, TRACES));
    const { faults, left } = await playInTerminal(text, await playTrace(text));
    assert.deepEqual(faults, []);
    assert.deepEqual(left, LEFT[name] ?? []);
  });
}

Deno.test("checkScreen() sees texts that are missing, broken, there twice or in another order", async () => {
  const text = await Deno.readTextFile(new URL("conversation.ndjson", TRACES));
  const { states, cwd } = await playTrace(text);
  const [first = "", second = ""] = textsOf(states);
  const shown = ["Explain the list", first, "And the numbers?", second].join("\n");
  assert.deepEqual(checkScreen(shown, states, cwd, cwd), []);
  assert.equal(checkScreen(shown.replace("second", "2nd"), states, cwd, cwd).length, 1);
  assert.equal(checkScreen(`${shown}\n${first}`, states, cwd, cwd).length, 1);
  assert.equal(checkScreen("", states, cwd, cwd).length, 4);
  const swapped = ["Explain the list", second, "And the numbers?", first].join("\n");
  assert.match(checkScreen(swapped, states, cwd, cwd).join(), /^shown before/);
});

function textsOf(states: readonly SessionState[]): string[] {
  return states.flatMap(({ entries }) => [...entries]).flatMap((entry) =>
    entry.kind === "agent"
      ? entry.parts.map((part) => part.type === "text" ? part.text : "").join("")
      : []
  );
}
