/**
 * Lists of events, reduced and rendered, against the transcripts beside them. Run with
 * `UPDATE_GOLDEN=1` to write the transcripts anew, then look at each.
 *
 * @module
 */

import assert from "node:assert/strict";
import { initialSession, reduceSession } from "../../src/model/reduce.ts";
import type { SessionEvent } from "../../src/model/session.ts";
import { renderTranscript } from "../../src/model/transcript.ts";

const DIRECTORY = new URL("../golden/model/", import.meta.url);

/** Events without `at`; an object with `sessionUpdate` stands for the update that it is. */
type Step = Record<string, unknown>;

function toEvent(step: Step, index: number): SessionEvent {
  const event = "type" in step && !("sessionUpdate" in step)
    ? step
    : { type: "update_received", update: step };
  return { ...event, at: 1000 * index } as SessionEvent;
}

for (const { name } of [...Deno.readDirSync(DIRECTORY)].sort((a, b) => a.name < b.name ? -1 : 1)) {
  if (!name.endsWith(".json")) continue;
  Deno.test(`renderTranscript() gives the transcript of ${name}`, async () => {
    const steps = JSON.parse(await Deno.readTextFile(new URL(name, DIRECTORY))) as Step[];
    const state = steps.map(toEvent).reduce(reduceSession, initialSession("/home/user/project"));
    const transcript = renderTranscript(state);
    const file = new URL(name.replace(/json$/, "md"), DIRECTORY);
    if (Deno.env.get("UPDATE_GOLDEN") === "1") await Deno.writeTextFile(file, transcript);
    assert.equal(transcript, await Deno.readTextFile(file));
  });
}
