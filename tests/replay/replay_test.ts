/**
 * Plays the small traces beside this file to the library and compares the transcripts of their
 * sessions. Run with `UPDATE_GOLDEN=1` to write the transcripts anew, then look at each.
 *
 * @module
 */

import assert from "node:assert/strict";
import { renderTranscript } from "../../src/model/transcript.ts";
import { type PlayedTrace, playTrace } from "./play_trace.ts";
import { directoryOf, parseTrace } from "./trace.ts";

const TRACES = new URL("traces/", import.meta.url);
const GOLDENS = new URL("../golden/replay/", import.meta.url);

for (const { name } of [...Deno.readDirSync(TRACES)].sort((a, b) => a.name < b.name ? -1 : 1)) {
  Deno.test(`the conversation of ${name} is lived through, and its transcript is as before`, async () => {
    const text = await Deno.readTextFile(new URL(name, TRACES));
    const played = await playTrace(text);
    assert.deepEqual(played.faults, []);
    const transcript = transcriptOf(played, directoryOf(parseTrace(text)) ?? "");
    const golden = new URL(name.replace(/ndjson$/, "md"), GOLDENS);
    if (Deno.env.get("UPDATE_GOLDEN") === "1") await Deno.writeTextFile(golden, transcript);
    assert.equal(transcript, await Deno.readTextFile(golden));
  });
}

function transcriptOf({ states, cwd }: PlayedTrace, directory: string): string {
  return states.map(renderTranscript).join("\n---\n\n").replaceAll(cwd, directory);
}
