import assert from "node:assert/strict";
import type { Clock } from "../../../src/base/clock.ts";
import { Transcript } from "../../../src/front/line/transcript.ts";
import { type NewSessionEvent, SessionStore } from "../../../src/model/session_store.ts";

const clock: Clock = { now: () => 1_000, after: () => () => {} };

const chunk = (kind: string, text: string): NewSessionEvent => ({
  type: "update_received",
  update: { sessionUpdate: `${kind}_chunk`, content: { type: "text", text } },
});

const tool = (fields: Readonly<Record<string, unknown>>): NewSessionEvent => ({
  type: "update_received",
  update: { sessionUpdate: "tool_call_update", toolCallId: "c", title: "Build", ...fields },
});

const prompt: NewSessionEvent = { type: "prompt_sent", blocks: [{ type: "text", text: "go" }] };
const end: NewSessionEvent = {
  type: "turn_ended",
  outcome: { ok: true, stopReason: "end_turn" },
};

/** The lines that each event adds. */
function follow(events: readonly NewSessionEvent[], echo = true): readonly (readonly string[])[] {
  const store = new SessionStore("/proj", clock);
  const transcript = new Transcript({ thoughts: () => "full", echo });
  const steps: string[][] = [];
  store.subscribe((change) => {
    const lines = [...transcript.event(change), ...transcript.advance(change.state)];
    steps.push(lines.map(({ text }) => text));
  });
  events.forEach((event) => store.dispatch(event));
  return steps;
}

Deno.test("Transcript writes a message whole, once it is final", () => {
  const steps = follow([
    prompt,
    chunk("agent_thought", "hm\nhm"),
    chunk("agent_message", "one "),
    chunk("agent_message", "two\u001b[2J\n\n"),
    end,
  ]);
  assert.deepEqual(steps, [["> go"], [], ["Thought: hm", "  hm"], [], ["one two"]]);
});

Deno.test("Transcript names the files that went with a prompt below it", () => {
  const blocks = [
    { type: "text", text: "read @a" },
    { type: "resource", resource: { uri: "file:///a", text: "a file\n" } },
  ];
  assert.deepEqual(follow([{ type: "prompt_sent", blocks }]), [["> read @a", "> [file:///a]"]]);
});

Deno.test("Transcript does not repeat what a person has typed", () => {
  assert.deepEqual(follow([prompt, chunk("agent_message", "hi"), end], false), [[], [], ["hi"]]);
});

Deno.test("Transcript writes a tool call when it begins and ends, with a bounded output", () => {
  const output = Array.from({ length: 12 }, (_, i) => `line ${i}`).join("\n");
  const steps = follow([
    prompt,
    tool({ status: "pending", kind: "execute" }),
    {
      type: "permission_asked",
      requestId: "r",
      toolCall: { toolCallId: "c" },
      options: [{ optionId: "y", name: "Yes", kind: "allow_once" }],
    },
    { type: "permission_answered", requestId: "r", answer: { optionId: "y", by: "user" } },
    tool({ status: "in_progress" }),
    { type: "tool_logged", tool: "build", kind: "progress", text: "half\u0007way" },
    tool({
      status: "completed",
      content: [{ type: "content", content: { type: "text", text: output } }],
    }),
  ]);
  // The question is written by whoever asks it.
  assert.deepEqual(steps[2], []);
  assert.deepEqual(steps.slice(3, 5), [["Tool: run Build: started"], []]);
  assert.equal(steps[5]?.length, 1);
  assert.equal(steps[6]?.[0], "Tool: run Build: done after 0.0 s");
  assert.deepEqual(steps[6]?.slice(-2), ["  line 9", "  … 2 more lines"]);
});

Deno.test("Transcript says that a call was allowed by a rule, and nothing of waiting", () => {
  const steps = follow([
    prompt,
    {
      type: "permission_asked",
      requestId: "r",
      toolCall: { toolCallId: "c", title: "Build" },
      options: [{ optionId: "y", name: "Yes", kind: "allow_once" }],
    },
    { type: "permission_answered", requestId: "r", answer: { optionId: "y", by: "rule" } },
    tool({ status: "completed" }),
  ]);
  assert.deepEqual(steps.slice(1).flat(), [
    "Tool: Build: started, allowed by a rule",
    "Tool: Build: done after 0.0 s",
  ]);
});

Deno.test("Transcript counts one line as one", () => {
  const diff = { type: "diff", path: "/proj/a", newText: "one\n" };
  const changed = { ...diff, oldText: "one\ntwo\n" };
  const [lines = []] = follow([tool({ status: "completed", content: [diff, changed] })]);
  assert.deepEqual(lines.slice(1), [
    "  new file /proj/a, 1 line",
    "  /proj/a: 2 lines before, 1 line after",
  ]);
});

Deno.test("Transcript writes a command of the person when it has ended", () => {
  const steps = follow([
    { type: "command_started", terminalId: "t", command: "make", shared: true },
    { type: "terminal_output", terminalId: "t", output: "cc\u0007 a.c\n", truncated: false },
    { type: "terminal_exited", terminalId: "t", exitCode: 2, signal: null },
  ]);
  assert.deepEqual(steps[1], []);
  assert.deepEqual(steps[2]?.[0], "Command: make: exit status 2");
  assert.match(steps[2]?.[1] ?? "", /^ {2}cc.* a\.c$/);
});

Deno.test("Transcript names a refused permission and a cancelled call", () => {
  const steps = follow([
    prompt,
    {
      type: "permission_asked",
      requestId: "r",
      toolCall: { toolCallId: "c", title: "Build" },
      options: [{ optionId: "n", name: "No", kind: "reject_once" }],
    },
    {
      type: "permission_answered",
      requestId: "r",
      answer: { optionId: "n", by: "rule", reason: "a rule" },
    },
    end,
  ]);
  assert.match(steps[3]?.join() ?? "", /Build: cancelled.*permission refused: a rule/);
});

Deno.test("Transcript writes the plan once, when its turn ends", () => {
  const plan = (status: string): NewSessionEvent => ({
    type: "update_received",
    update: { sessionUpdate: "plan", entries: [{ content: "a", priority: "low", status }] },
  });
  const steps = follow([prompt, plan("pending"), plan("completed"), end]);
  assert.deepEqual(steps.slice(1), [[], [], ["Plan:", "  [done] a"]]);
});

Deno.test("Transcript marks what was there before", () => {
  const steps = follow([
    { type: "replay_started" },
    chunk("user_message", "q1"),
    chunk("agent_message", "a1"),
    { type: "replay_ended" },
  ]);
  assert.deepEqual(steps.flat(), [
    "Earlier in this session:",
    "> q1",
    "a1",
    "End of what was before.",
  ]);
});

Deno.test("Transcript cuts endless titles and lines of output, and says so", () => {
  const endless = "x".repeat(5_000_000);
  const [, lines = []] = follow([
    prompt,
    tool({
      title: endless,
      status: "completed",
      content: [{ type: "content", content: { type: "text", text: `${endless}\nlast` } }],
    }),
  ]);
  assert.match(lines[0] ?? "", /^Tool: x{500}…: done/);
  assert.match(lines[1] ?? "", /^ {2}x{2000}… 4998000 more characters$/);
  assert.equal(lines[2], "  last");
});
