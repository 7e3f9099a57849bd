/**
 * A text that is being typed, while everything else goes on around it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { asArray, asObject } from "../../../src/base/guards.ts";
import { inTerminal } from "../../support/in_terminal.ts";
import { openSandbox } from "../../support/run_main.ts";
import {
  ask,
  END_TURN,
  HANDSHAKE,
  say,
  scriptedAgent,
  type Step,
  update,
} from "../../support/scripted_agent.ts";
import { later } from "./harness.ts";

/** Types a draft of two and a half lines, lets `steps` happen, and sends it. Gives what was sent. */
async function draftThrough(steps: readonly Step[], last: string): Promise<unknown> {
  await using sandbox = await openSandbox();
  await using agent = await scriptedAgent([
    ...HANDSHAKE,
    { untilFile: "$DIR/typed" },
    ...steps,
    { expect: "session/prompt" },
    END_TURN,
  ]);
  const { command, args } = agent.spec;
  const words = [command, ...args].map((word) => `'${word}'`).join(" ");
  const draft = "word ".repeat(50).trim();
  await inTerminal(sandbox, ["--no-tools", "--agent", words], async ({ pty, screen }) => {
    await screen.waitFor("idle");
    await pty.write(draft);
    await screen.waitFor((s) => s.text().split("word").length > 50);
    await pty.write("\x1b[A\x1b[D\x1b[D");
    await later(200);
    const { column } = screen.cursor;
    await Deno.writeTextFile(`${agent.directory}/typed`, "");
    await screen.waitFor(last);
    await screen.waitFor((s) => s.cursor.column === column);
    assert.equal(screen.text().split("word").length, 51, screen.text());
    await pty.write("X\r");
    await screen.waitFor(/› word[^]*X[^]*idle/);
    await pty.write("\x04");
    await pty.exited;
  });
  const prompt = (await agent.received()).find(({ method }) => method === "session/prompt");
  const [block] = asArray(asObject(prompt?.params).prompt);
  const text = String(asObject(block).text);
  assert.equal(text.replace("X", ""), draft);
  assert.ok(text.includes("X"));
  return text;
}

Deno.test("messages, noise and updates outside a turn leave the text and the cursor alone", async () => {
  await draftThrough([
    say("x\n"),
    ...Array.from({ length: 5 }, (_, i) => ({ stderr: `noise ${i}\n` })),
    { line: "more noise \u001b[2J" },
    { send: update({ sessionUpdate: "tool_call", toolCallId: "c", title: "An old call" }) },
    {
      send: update({
        sessionUpdate: "tool_call_update",
        toolCallId: "c",
        status: "completed",
        content: [{ type: "content", content: { type: "text", text: "the last of it" } }],
      }),
    },
  ], "the last of it");
});

Deno.test("a command of the agent that wants the terminal's keys gets none of them", async () => {
  const steal =
    "exec 2>&1; if read -r line < /dev/tty; then echo stolen $line; else echo no keys; fi";
  await draftThrough([
    ask("t", "terminal/create", { command: steal }),
    { expectAnswer: "t" },
    {
      send: update({
        sessionUpdate: "tool_call",
        toolCallId: "c",
        title: "Steal",
        status: "completed",
      }),
    },
    say("after the theft\n"),
  ], "after the theft");
});

Deno.test("Ctrl-C clears a text that is written while a question waits, and then dismisses that", async () => {
  const tool = "export const description = 'x';\nexport function handler() { return 'x'; }\n";
  await using sandbox = await openSandbox({ "tools/one.ts": tool });
  await inTerminal(sandbox, ["--agent", "demo"], async ({ pty, screen }) => {
    await screen.waitFor(/┃ {3}1\) /);
    await pty.write("a draft");
    await screen.waitFor("› a draft");
    await pty.write("\x03");
    await screen.waitFor((s) => !s.text().includes("a draft"));
    assert.match(screen.text(), /┃ {3}1\) /);
    await pty.write("\x03");
    await screen.waitFor((s) => !s.text().includes("┃"));
    assert.match(screen.text(), /dismissed/);
  });
});
