/**
 * A turn with everything in it, as a person sees it go on, with the real program.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type InTerminal, inTerminal } from "../../support/in_terminal.ts";
import { openSandbox } from "../../support/run_main.ts";
import {
  commandLine,
  END_TURN,
  HANDSHAKE,
  PROMPT,
  say,
  scriptedAgent,
  type Step,
  update,
} from "../../support/scripted_agent.ts";

function think(text: string): Step {
  return {
    send: update({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text } }),
  };
}

function plan(...states: readonly string[]): Step {
  const entries = states.map((status, index) => ({ content: `step ${index + 1}`, status }));
  return { send: update({ sessionUpdate: "plan", entries }) };
}

function call(rest: Readonly<Record<string, unknown>>, id = "c1"): Step {
  return { send: update({ sessionUpdate: "tool_call", toolCallId: id, title: "Build", ...rest }) };
}

/** Plays the steps, in which a step of its own waits until `go` is called. */
async function play(
  steps: readonly Step[],
  look: (terminal: InTerminal, go: (name: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  await using sandbox = await openSandbox();
  await using agent = await scriptedAgent([...HANDSHAKE, ...steps]);
  await inTerminal(sandbox, ["--no-tools", "--agent", commandLine(agent)], async (terminal) => {
    await terminal.screen.waitFor("idle");
    await look(terminal, (name) => Deno.writeTextFile(`${agent.directory}/${name}`, ""));
  });
}

Deno.test("thoughts are shown while they go on, and then as Ctrl-T has them", async () => {
  await play([
    PROMPT,
    think("first line\nsecond line\n"),
    { untilFile: "$DIR/one" },
    say("One.\n\n"),
    think("another"),
    { untilFile: "$DIR/two" },
    say("Two.\n\n"),
    think("a third"),
    { untilFile: "$DIR/three" },
    say("Three."),
    END_TURN,
  ], async ({ pty, screen }, go) => {
    await pty.write("go\r");
    await screen.waitFor(/✻ thinking[^]*first line\n {2}second line/);
    await go("one");
    await screen.waitFor(/✻ thought.* · 2 lines\n\nOne\./);
    await pty.write("\x14");
    await screen.waitFor("thoughts are not shown");
    assert.doesNotMatch(screen.text(), /another/);
    await go("two");
    await screen.waitFor("Two.");
    await pty.write("\x14");
    await screen.waitFor("thoughts stay in full");
    await go("three");
    await screen.waitFor(/✻ thought[^\n]*\n {2}a third\n\nThree\./);
    await screen.waitFor("idle");
    assert.doesNotMatch(screen.all(), /another/);
    await pty.write("\x0f");
    await screen.waitFor(
      /┌ in full: thought\n✻ thought[^\n]*\n {2}first line\n {2}second line\n└/,
    );
  });
});

Deno.test("a plan changes in its place while the turn goes on, and is written once when it ends", async () => {
  await play([
    PROMPT,
    plan("in_progress", "pending"),
    { untilFile: "$DIR/one" },
    plan("completed", "in_progress"),
    say("Some text.\n\n"),
    { untilFile: "$DIR/two" },
    plan("completed", "completed"),
    END_TURN,
  ], async ({ pty, screen }, go) => {
    await pty.write("go\r");
    await screen.waitFor(/Plan 0 of 2 done\n {2}\[>\] step 1\n {2}\[ \] step 2/);
    await go("one");
    await screen.waitFor(/Some text\.\n\nPlan 1 of 2 done\n {2}\[x\] step 1\n {2}\[>\] step 2/);
    await go("two");
    await screen.waitFor(/Plan 2 of 2 done[^]*idle/);
    assert.equal(screen.all().match(/Plan \d/g)?.length, 1);
  });
});

Deno.test("a call shows that it runs, and how it ended, and the whole of it on demand", async () => {
  const output = Array.from({ length: 40 }, (_, i) => `row ${i + 1}`).join("\n");
  await play([
    PROMPT,
    call({ kind: "execute", status: "in_progress", rawInput: { command: "make all" } }),
    { untilFile: "$DIR/one" },
    {
      send: update({
        sessionUpdate: "tool_call_update",
        toolCallId: "c1",
        status: "completed",
        content: [{ type: "content", content: { type: "text", text: output } }],
      }),
    },
    call({ title: "Deploy", status: "failed", rawOutput: { error: "no route to host" } }, "c2"),
    END_TURN,
  ], async ({ pty, screen }, go) => {
    await pty.write("go\r");
    await screen.waitFor(/● run Build · running\n {2}\$ make all/);
    await go("one");
    await screen.waitFor(
      /✓ run Build · done[^]*… 30 more lines \(Ctrl-O shows them\)\n {2}row 31/,
    );
    await screen.waitFor(/✗ Deploy · failed\n {2}no route to host/);
    await pty.write("\x0f");
    await screen.waitFor((s) => s.all().includes("┌ in full: Build"));
    const whole = screen.all().split("┌ in full: Build")[1] ?? "";
    assert.equal(whole.match(/^ {2}row \d+$/gm)?.length, 40);
    assert.match(whole, /command: make all/);
  });
});

Deno.test("a key cancels the turn and sends at once, before what is queued", async () => {
  await play([
    PROMPT,
    say("one\n\n"),
    { expect: "session/cancel" },
    { respond: { stopReason: "cancelled" }, to: "session/prompt" },
    PROMPT,
    say("the urgent one\n\n"),
    END_TURN,
    PROMPT,
    say("the queued one\n\n"),
    END_TURN,
  ], async ({ pty, screen }) => {
    await pty.write("first\r");
    await screen.waitFor("working");
    await pty.write("queued\r");
    await screen.waitFor("queued: queued");
    await pty.write("urgent\x1b[13;5u");
    await screen.waitFor(/› urgent\n\nthe urgent one\n\n› queued\n\nthe queued one\n\nidle/);
  });
});

Deno.test("cancelling a turn keeps the queue and says so; Enter sends it", async () => {
  await play([
    PROMPT,
    { expect: "session/cancel" },
    { respond: { stopReason: "cancelled" }, to: "session/prompt" },
    PROMPT,
    say("the queued one\n\n"),
    END_TURN,
  ], async ({ pty, screen }) => {
    await pty.write("first\r");
    await screen.waitFor("working");
    await pty.write("queued\r");
    await screen.waitFor("queued: queued");
    await pty.write("\x1b");
    await screen.waitFor(/The turn was cancelled[^]*queued: queued[^]*idle · .*1 queued/);
    await screen.waitFor("1 queued prompt is kept: Enter sends what waits");
    await pty.write("\r");
    await screen.waitFor(/› queued\n\nthe queued one\n\nidle/);
  });
});
