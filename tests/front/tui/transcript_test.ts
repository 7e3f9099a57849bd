import assert from "node:assert/strict";
import type { NewSessionEvent } from "../../../src/model/session_store.ts";
import { SessionStore } from "../../../src/model/session_store.ts";
import type { ThoughtsMode } from "../../../src/front/tui/entries/context.ts";
import { themeNamed } from "../../../src/front/tui/theme.ts";
import { Transcript } from "../../../src/front/tui/transcript.ts";

class Session {
  now = 0;
  thoughts: ThoughtsMode = "folded";
  rows = 20;
  theme = themeNamed("plain");
  /** Every line that was finished so far. */
  readonly written: string[] = [];
  live: readonly string[] = [];
  readonly store = new SessionStore("/home/user/proj", {
    now: () => this.now,
    after: () => () => {},
  });
  readonly transcript = new Transcript(this.store);

  constructor() {
    this.store.subscribe((change) => this.transcript.note(change));
  }

  get view() {
    const { now, thoughts, theme } = this;
    return {
      theme,
      width: 60,
      now,
      thoughts,
      expandKey: "Ctrl-O",
      dropKey: "Alt-V",
    };
  }

  /** Applies events and draws a frame after each. */
  do(...events: NewSessionEvent[]): this {
    for (const event of events) {
      this.store.dispatch(event);
      const { finished, live } = this.transcript.frame(this.view, this.rows);
      for (const line of finished) this.written.push(line);
      this.live = live;
    }
    return this;
  }

  get text(): string {
    return this.written.join("\n");
  }
}

const prompt = (text: string): NewSessionEvent => ({
  type: "prompt_sent",
  blocks: [{ type: "text", text }],
});
const update = (update: unknown): NewSessionEvent => ({ type: "update_received", update });
const say = (text: string) =>
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
const think = (text: string) =>
  update({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text } });
const call = (rest: Record<string, unknown>) =>
  update({ sessionUpdate: "tool_call", toolCallId: "c1", title: "Run tests", ...rest });
const callUpdate = (rest: Record<string, unknown>) =>
  update({ sessionUpdate: "tool_call_update", toolCallId: "c1", ...rest });
const textContent = (text: string) => [{ type: "content", content: { type: "text", text } }];
const DONE: NewSessionEvent = {
  type: "turn_ended",
  outcome: { ok: true, stopReason: "end_turn" },
};

Deno.test("a turn is written once, in order, with blank lines between its blocks", () => {
  const session = new Session().do(
    prompt("hi"),
    say("I will "),
    say("look.\n\n"),
    call({ kind: "execute" }),
    callUpdate({ status: "completed", content: textContent("3 passed\n") }),
    say("All **good**."),
    DONE,
  );
  assert.equal(
    session.text,
    "› hi\n\nI will look.\n\n✓ Run tests · done\n  3 passed\n\nAll good.",
  );
  assert.deepEqual(session.live, []);
});

Deno.test("what goes on is live and not written", () => {
  const session = new Session().do(prompt("hi"), call({ kind: "execute", status: "in_progress" }));
  session.now = 5_000;
  session.do({ type: "tool_logged", tool: "client_x", kind: "progress", text: "half" });
  assert.equal(session.text, "› hi");
  assert.match(session.live.join("\n"), /● Run tests · running 5\.0 s/);
});

Deno.test("at most as many lines are live as there is room for", () => {
  const session = new Session();
  session.rows = 4;
  session.do(prompt("hi"), say("a\nb\nc\nd\ne\nf\ng\nh"));
  assert.ok(session.live.length <= 4);
  session.do(DONE);
  assert.match(session.text, /a\nb\nc\nd\ne\nf\ng\nh$/);
});

Deno.test("a thought is one line when it is over, or in full, or not there", () => {
  const run = (thoughts: ThoughtsMode) => {
    const session = new Session();
    session.thoughts = thoughts;
    session.do(prompt("hi"), think("one\n"), think("two"));
    session.now = 3_000;
    return session.do(say("so"), DONE);
  };
  assert.match(run("folded").text, /✻ thought for 3\.0 s · 2 lines\n\nso/);
  assert.match(run("full").text, /✻ thought for 3\.0 s\n {2}one\n {2}two\n\nso/);
  assert.equal(run("hidden").text, "› hi\n\nso");
});

Deno.test("a plan is written once, when its turn is over", () => {
  const steps = (status: string) =>
    update({ sessionUpdate: "plan", entries: [{ content: "a", priority: "high", status }] });
  const session = new Session().do(
    prompt("hi"),
    steps("pending"),
    say("x\n\n"),
    steps("completed"),
  );
  assert.match(session.live.join("\n"), /\[x\] a/);
  assert.doesNotMatch(session.text, /Plan/);
  session.do(DONE);
  assert.equal(session.text.match(/Plan 1 of 1 done/g)?.length, 1);
});

Deno.test("a late update of a finished call is written as a block of its own", () => {
  const session = new Session().do(
    prompt("hi"),
    call({ status: "completed" }),
    DONE,
    callUpdate({ content: textContent("background output") }),
  );
  assert.match(session.text, /· came later:\n✓ Run tests · done\n {2}background output$/);
});

Deno.test("a late announcement of a finished call is not written again", () => {
  const session = new Session().do(
    prompt("hi"),
    callUpdate({ status: "completed", content: textContent("3 passed") }),
    update({
      sessionUpdate: "tool_call",
      toolCallId: "c1",
      title: "Late title",
      status: "pending",
    }),
    DONE,
  );
  assert.equal(session.text.match(/3 passed/g)?.length, 1);
  assert.doesNotMatch(session.text, /came later/);
});

Deno.test("calls that are told again when a session is loaded again are not written again", () => {
  const session = new Session().do(
    prompt("hi"),
    call({ status: "completed", content: textContent("3 passed") }),
    DONE,
  );
  const before = session.text;
  session.do(
    { type: "replay_started" },
    call({ status: "completed", content: textContent("3 passed") }),
    callUpdate({ status: "completed", content: textContent("3 passed") }),
    { type: "replay_ended" },
  );
  assert.equal(session.text, before);
});

Deno.test("what comes outside a turn is labelled", () => {
  const session = new Session().do(prompt("hi"), DONE, say("background job finished"));
  session.do(prompt("next"));
  assert.match(session.text, /· outside a turn:\nbackground job finished\n\n› next/);
});

Deno.test("replayed history is marked, and so is its end", () => {
  const session = new Session().do(
    { type: "replay_started" },
    update({ sessionUpdate: "user_message_chunk", content: { type: "text", text: "q1" } }),
    say("a1"),
    { type: "replay_ended" },
    prompt("q2"),
  );
  assert.match(
    session.text,
    /── earlier in this session ──\n\n› q1\n\na1\n\n── from here on it is new ──\n\n› q2/,
  );
});

Deno.test("unknown kinds take one line and do not disturb the rest", () => {
  const session = new Session().do(
    prompt("hi"),
    update({ sessionUpdate: "hologram_update", x: 1 }),
    update({ sessionUpdate: "agent_message_chunk", content: { type: "hologram" } }),
    say("after"),
    DONE,
  );
  assert.match(session.text, /· unknown update of the agent: hologram_update/);
  assert.match(session.text, /\[content of an unknown kind: hologram\]/);
  assert.match(session.text, /after$/);
});

Deno.test("nothing from outside reaches the terminal as a control sequence", () => {
  const evil = "\x1b[2J\x1b]0;t\x07\x9b31m\u202ereversed\x00";
  const session = new Session().do(
    prompt(evil),
    think(evil),
    say(`${evil} \`${evil}\``),
    call({ title: evil, kind: evil, locations: [{ path: evil }], rawInput: { command: evil } }),
    callUpdate({
      status: "failed",
      content: [
        ...textContent(evil),
        { type: "diff", path: evil, oldText: evil, newText: `${evil}x` },
      ],
      rawOutput: { error: evil },
    }),
    update({ sessionUpdate: "plan", entries: [{ content: evil, priority: evil, status: evil }] }),
    update({ sessionUpdate: evil }),
    { type: "notice_added", severity: "error", text: evil, detail: evil },
    DONE,
  );
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(session.text, /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
});

Deno.test("folded content is written in full on demand, the newest first", () => {
  const long = Array.from({ length: 40 }, (_, i) => `row ${i}`).join("\n");
  const session = new Session().do(
    prompt("hi"),
    call({ status: "completed", content: textContent(long) }),
    DONE,
  );
  assert.match(session.text, /… 30 more lines/);
  const whole = session.transcript.expand(session.view)?.join("\n") ?? "";
  assert.match(whole, /in full: Run tests/);
  for (let i = 0; i < 40; i++) assert.ok(whole.includes(`row ${i}`));
  assert.equal(session.transcript.expand(session.view), undefined);
});

Deno.test("a change of a file names new files, counts lines and numbers them", () => {
  const diff = (rest: Record<string, unknown>) =>
    call({
      status: "completed",
      content: [{ type: "diff", path: "/home/user/proj/a.txt", ...rest }],
    });
  const fresh = new Session().do(prompt("hi"), diff({ newText: "a\nb\n" }), DONE).text;
  assert.match(fresh, /new file a\.txt \+2 −0\n {4}1 \+ a\n {4}2 \+ b/);
  const changed = new Session().do(
    prompt("hi"),
    diff({ oldText: "a\nb\n", newText: "a\nc\n" }),
    DONE,
  );
  assert.match(changed.text, /a\.txt \+1 −1\n {4}1 {3}a\n {4}2 - b\n {4}2 \+ c/);
  const empty = new Session().do(prompt("hi"), diff({ oldText: "", newText: "x\n" }), DONE).text;
  assert.doesNotMatch(empty, /new file/);
});

Deno.test("a change of a file shows what it holds as what it is, and is shown whole on demand", () => {
  const newText = `\x1b[8mhidden\u202e\n${"line\n".repeat(200_000)}`;
  const content = [{ type: "diff", path: "/home/user/proj/a.txt", oldText: "x\n", newText }];
  const session = new Session().do(prompt("hi"), call({ status: "completed", content }), DONE);
  assert.match(
    session.text,
    /a\.txt \+200001 −1\n[^]*\+ ␛\[8mhidden<U\+202E>\n[^]*… 19\d{4} more lines/,
  );
  assert.ok((session.transcript.expand(session.view)?.length ?? 0) > 200_000);
});

Deno.test("a piece of an answer may have any number of lines", () => {
  const code = `\`\`\`text\n${"x\n".repeat(300_000)}\`\`\`\n`;
  const session = new Session().do(prompt("hi"), say(code), DONE);
  assert.equal(session.written.filter((line) => line === "  x").length, 300_000);
});

Deno.test("output that comes only in rawOutput is shown", () => {
  const session = new Session().do(
    prompt("hi"),
    call({ status: "completed", rawOutput: { stdout: "hi there\n", exitCode: 0 } }),
    DONE,
  );
  assert.match(session.text, /✓ Run tests · done\n {2}hi there/);
});

Deno.test("a failed call shows why, beside a change that it was to make as well", () => {
  const diff = { type: "diff", path: "/home/user/proj/a.txt", oldText: "a\n", newText: "b\n" };
  const failed = (rest: Record<string, unknown>) =>
    new Session().do(prompt("hi"), call({ kind: "edit", status: "failed", ...rest }), DONE).text;
  assert.match(
    failed({ content: [diff], rawOutput: { error: "the file is locked" } }),
    /a\.txt \+1 −1[^]*the file is locked/,
  );
  assert.match(failed({}), /✗ edit Run tests · failed\n {2}the agent did not say why/);
  assert.doesNotMatch(failed({ content: textContent("disk full") }), /did not say why/);
});

Deno.test("the answer to a permission question leaves one line", () => {
  const session = new Session().do(
    prompt("hi"),
    {
      type: "permission_asked",
      requestId: "r1",
      toolCall: { toolCallId: "c1", title: "rm -rf build" },
      options: [{ optionId: "n", name: "No", kind: "reject_once" }],
    },
  );
  assert.match(session.live.join("\n"), /\? rm -rf build · waiting for your answer/);
  session.do(
    { type: "permission_answered", requestId: "r1", answer: { optionId: "n", by: "user" } },
    callUpdate({ status: "failed" }),
    DONE,
  );
  assert.match(session.text, /✗ rm -rf build · failed\n {2}answered “No” \(you\)/);
});

Deno.test("the time of a call does not count what a person needed to answer", () => {
  const session = new Session().do(
    prompt("hi"),
    {
      type: "permission_asked",
      requestId: "r1",
      toolCall: { toolCallId: "c1", title: "rm -rf build" },
      options: [{ optionId: "y", name: "Yes", kind: "allow_once" }],
    },
  );
  session.now = 60_000;
  session.do(
    { type: "permission_answered", requestId: "r1", answer: { optionId: "y", by: "user" } },
  );
  session.now = 62_000;
  session.do(callUpdate({ status: "in_progress" }));
  assert.match(session.live.join("\n"), /● rm -rf build · running 2\.0 s/);
  session.now = 64_500;
  session.do(callUpdate({ status: "completed" }), DONE);
  assert.match(session.text, /✓ rm -rf build · done 4\.5 s/);
});

Deno.test("a failed turn is a block that says why and what to do", () => {
  const session = new Session().do(prompt("hi"), {
    type: "turn_ended",
    outcome: {
      ok: false,
      error: {
        code: "agent_died",
        message: "The agent ended",
        hint: "Start it again",
        stderr: "boom",
      },
    },
  });
  assert.match(session.text, /error: The agent ended/);
  assert.match(session.text, /Start it again/);
  assert.match(session.text, /boom/);
});

Deno.test("a refused call is closed where the agent goes on, before what it says next", () => {
  const session = new Session().do(
    prompt("hi"),
    {
      type: "permission_asked",
      requestId: "r1",
      toolCall: { toolCallId: "c1", title: "rm -rf build" },
      options: [{ optionId: "n", name: "No", kind: "reject_once" }],
    },
    { type: "permission_answered", requestId: "r1", answer: { optionId: "n", by: "user" } },
    say("Then I leave it.\n\n"),
    callUpdate({ status: "failed" }),
    DONE,
  );
  assert.equal(
    session.text,
    "› hi\n\n⊘ rm -rf build · refused\n  answered “No” (you)\n\nThen I leave it.",
  );
});

Deno.test("a file that is written without a call is shown as a change, in its place", () => {
  const session = new Session().do(
    prompt("hi"),
    say("I write."),
    {
      type: "file_written",
      path: "/home/user/proj/a.txt",
      change: "changed",
      oldText: "one\n",
      newText: "two\n",
      bytes: 4,
    },
    say("Done."),
    DONE,
  );
  assert.match(
    session.text,
    /I write\.\n\n✓ Write a\.txt · done\n {2}a\.txt \+1 −1\n {4}1 - one\n {4}1 \+ two\n\nDone\.$/,
  );
});

Deno.test("a file that is written for a call is shown with the call", () => {
  const session = new Session().do(
    prompt("hi"),
    call({ kind: "edit", locations: [{ path: "/home/user/proj/a.txt" }] }),
    {
      type: "file_written",
      path: "/home/user/proj/a.txt",
      change: "created",
      newText: "two\n",
      bytes: 4,
    },
    callUpdate({ status: "completed", content: textContent("Wrote file successfully.") }),
    DONE,
  );
  assert.match(
    session.text,
    /Wrote file successfully\.\n {2}new file a\.txt \+1 −0\n {4}1 \+ two$/,
  );
});

Deno.test("a command of the person shows its output while it runs and when it has ended", () => {
  const session = new Session().do(
    { type: "command_started", terminalId: "t1", command: "make", shared: false },
    { type: "terminal_output", terminalId: "t1", output: "cc a.c\n", truncated: false },
  );
  session.now = 2_000;
  session.do({
    type: "terminal_output",
    terminalId: "t1",
    output: "cc a.c\ncc b.c\n",
    truncated: false,
  });
  assert.deepEqual(session.live, ["! make · running 2.0 s", "  cc a.c", "  cc b.c"]);
  session.do({ type: "terminal_exited", terminalId: "t1", exitCode: 2, signal: null });
  assert.equal(session.text, "! make · exit status 2 · 2.0 s\n  cc a.c\n  cc b.c");
});

Deno.test("folded thoughts and long prompts are shown whole on demand, too", () => {
  const long = Array.from({ length: 60 }, (_, i) => `row ${i}`).join("\n");
  const session = new Session().do(prompt(long), think("one\ntwo"), say("so"), DONE);
  const first = session.transcript.expand(session.view)?.join("\n") ?? "";
  assert.match(first, /in full: thought\n✻ thought\n {2}one\n {2}two/);
  assert.match(session.transcript.expand(session.view)?.join("\n") ?? "", /row 30\n/);
});

Deno.test("an entry that cannot be shown says so, and takes no other with it", () => {
  const session = new Session();
  const { theme } = session;
  session.theme = {
    name: "plain",
    style(role, text) {
      if (text.includes("boom")) throw new Error("no such luck");
      return theme.style(role, text);
    },
  };
  session.do(prompt("boom"), say("after"), DONE);
  assert.equal(session.text, "✗ this user entry cannot be shown: no such luck\n\nafter");
});

Deno.test("the arguments and the result of a call are shown on demand, after what is folded", () => {
  const long = Array.from({ length: 40 }, (_, i) => `row ${i}`).join("\n");
  const session = new Session().do(
    prompt("hi"),
    call({ status: "completed", content: textContent(long) }),
    call({
      toolCallId: "c2",
      title: "Look up",
      status: "completed",
      rawInput: { query: "x", deep: { a: 1 } },
      rawOutput: { found: 3 },
      content: textContent("three"),
    }),
    DONE,
  );
  const whole = () => session.transcript.expand(session.view)?.join("\n");
  assert.match(whole() ?? "", /in full: Run tests/);
  assert.match(
    whole() ?? "",
    /in full: Look up[^]*input:\n {2}query: x\n {2}deep:\n {4}\{[^]*"found": 3/,
  );
  assert.equal(whole(), undefined);
});
