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

Deno.test("a list of commands of 560 KB and tool output of 300 KB arrive whole", async () => {
  const text = await Deno.readTextFile(new URL("command_names.ndjson", TRACES));
  const commands = Array.from({ length: 1_400 }, (_, i) => ({
    name: `skill ${i}`,
    description: `${i} `.repeat(200).slice(0, 400),
  }));
  const output = "a line of a long file, neither short nor long\n".repeat(6_600);
  const updates = [
    { sessionUpdate: "available_commands_update", availableCommands: commands },
    {
      sessionUpdate: "tool_call",
      toolCallId: "big",
      title: "Read big.txt",
      kind: "read",
      status: "completed",
      content: [{ type: "content", content: { type: "text", text: output } }],
      rawOutput: { output },
    },
  ];
  const lines = updates.map((update) =>
    JSON.stringify({
      dir: "in",
      t: 0,
      msg: { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s1", update } },
    })
  );
  assert.ok((lines[0] ?? "").length > 560_000);
  const records = text.trimEnd().split("\n");
  const { faults, states } = await playTrace([...records.slice(0, -1), ...lines].join("\n"));
  assert.deepEqual(faults, []);
  assert.equal(states[0]?.commands.length, 1_400);
  const tool = states[0]?.entries.at(-1);
  assert.ok(tool?.kind === "tool");
  const [content] = tool.content;
  assert.ok(content?.type === "content" && content.content.type === "text");
  assert.equal(content.content.text, output);
});
