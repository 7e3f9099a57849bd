/**
 * Plays the small traces to the real program in a pseudo-terminal.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { SessionState } from "../../src/model/session.ts";
import { checkScreen } from "./check_screen.ts";
import { playTrace } from "./play_trace.ts";
import { playInTerminal, whyNotInTerminal } from "./terminal.ts";

const TRACES = new URL("traces/", import.meta.url);

/** Traces that need more than a person with one session and text prompts. */
const NOT_HERE: ReadonlySet<string> = new Set([
  "files_refused.ndjson",
  "late_history.ndjson",
  "modes_in_three_places.ndjson",
  "question_dismissed.ndjson",
  "questions.ndjson",
  "second_prompt.ndjson",
  "write_not_offered.ndjson",
  "write_only.ndjson",
]);

for (const { name } of [...Deno.readDirSync(TRACES)].sort((a, b) => a.name < b.name ? -1 : 1)) {
  if (NOT_HERE.has(name)) continue;
  Deno.test(`the terminal shows each text of ${name} as often as it was said`, async () => {
    const text = await Deno.readTextFile(new URL(name, TRACES));
    assert.equal(whyNotInTerminal(text), undefined);
    assert.deepEqual(await playInTerminal(text, await playTrace(text)), []);
  });
}

Deno.test("whyNotInTerminal() names what a person cannot do, for each trace left out", async () => {
  for (const name of NOT_HERE) {
    const why = whyNotInTerminal(await Deno.readTextFile(new URL(name, TRACES)));
    assert.notEqual(why, undefined, name);
  }
});

Deno.test("checkScreen() sees texts that are missing, broken or there twice", async () => {
  const text = await Deno.readTextFile(new URL("conversation.ndjson", TRACES));
  const { states, cwd } = await playTrace(text);
  const shown = ["Explain the list", ...textsOf(states), "And the numbers?"].join("\n");
  assert.deepEqual(checkScreen(shown, states, cwd, cwd), []);
  assert.equal(checkScreen(shown.replace("second", "2nd"), states, cwd, cwd).length, 1);
  assert.equal(checkScreen(`${shown}\n${textsOf(states)[0]}`, states, cwd, cwd).length, 1);
  assert.equal(checkScreen("", states, cwd, cwd).length, 4);
});

function textsOf(states: readonly SessionState[]): string[] {
  return states.flatMap(({ entries }) => [...entries]).flatMap((entry) =>
    entry.kind === "agent"
      ? entry.parts.map((part) => part.type === "text" ? part.text : "").join("")
      : []
  );
}
