import assert from "node:assert/strict";
import { type Client, openClient, type Session } from "../../src/api/mod.ts";
import type { ClientOptions } from "../../src/api/contract.ts";
import type { MessageEntry, SessionEvent, ToolEntry } from "../../src/model/session.ts";
import {
  ask,
  askPermission,
  END_TURN,
  eventually,
  HANDSHAKE,
  isAlive,
  say,
  type ScriptedAgent,
  scriptedAgent,
  type Step,
} from "../support/scripted_agent.ts";

interface Stage {
  readonly agent: ScriptedAgent;
  readonly client: Client;
  readonly session: Session;
  readonly events: SessionEvent[];
  text(): string;
  tool(toolCallId: string): ToolEntry | undefined;
  [Symbol.asyncDispose](): Promise<void>;
}

const HELLO = [{ type: "text", text: "hello" }];

async function stage(
  steps: readonly Step[],
  options: Partial<ClientOptions> = {},
): Promise<Stage> {
  const agent = await scriptedAgent([...HANDSHAKE, { expect: "session/prompt" }, ...steps]);
  const client = await openClient({ spec: agent.spec, cwd: agent.directory, ...options });
  const session = await client.newSession({ cwd: agent.directory });
  const events: SessionEvent[] = [];
  session.store.subscribe(({ event }) => events.push(event));
  const entries = () => [...session.store.state.entries];
  return {
    agent,
    client,
    session,
    events,
    text: () =>
      entries().filter((entry): entry is MessageEntry => entry.kind === "agent")
        .flatMap(({ parts }) => parts.map((part) => part.type === "text" ? part.text : "?"))
        .join(""),
    tool: (id) =>
      entries().filter((e): e is ToolEntry => e.kind === "tool").find((e) => e.toolCallId === id),
    async [Symbol.asyncDispose]() {
      await client.close();
      await agent[Symbol.asyncDispose]();
    },
  };
}

Deno.test("noise in a turn changes nothing and is not answered", async () => {
  await using at = await stage([
    { line: "some log line" },
    say("one "),
    { line: "42" },
    { line: '"warn"' },
    { line: "null" },
    { line: "[1,2]" },
    { line: '{"id":2,"level":"info","msg":"x"}' },
    { line: "{}" },
    { line: '{"jsonrpc":"2.0","id":' },
    say("two"),
    END_TURN,
  ]);
  assert.deepEqual(await at.session.prompt(HELLO), { ok: true, stopReason: "end_turn" });
  assert.equal(at.text(), "one two");
  await at.client.close();
  const sent = (await at.agent.received()).map((message) => message.method);
  assert.deepEqual(sent, ["initialize", "session/new", "session/prompt"]);
});

Deno.test("what a turn is made of happens in order", async () => {
  await using at = await stage([say("hi"), END_TURN, say("late")]);
  await at.session.prompt(HELLO);
  await eventually("the late update", () => at.events.length >= 4);
  assert.deepEqual(at.events.map(({ type }) => type), [
    "prompt_sent",
    "update_received",
    "turn_ended",
    "update_received",
  ]);
});

Deno.test("a prompt's result may be empty, name any reason, or carry the usage", async () => {
  const results = [null, {}, { stopReason: "brand_new" }, {
    stopReason: "max_tokens",
    usage: { totalTokens: 7 },
  }];
  await using at = await stage([
    { respond: results[0] },
    ...results.slice(1).flatMap((respond): Step[] => [{ expect: "session/prompt" }, { respond }]),
  ]);
  const outcomes = [];
  for (const _ of results) outcomes.push(await at.session.prompt(HELLO));
  assert.deepEqual(outcomes, [
    { ok: true, stopReason: "end_turn" },
    { ok: true, stopReason: "end_turn" },
    { ok: true, stopReason: "brand_new" },
    { ok: true, stopReason: "max_tokens", usage: { totalTokens: 7 } },
  ]);
});

Deno.test("a prompt that is answered with an error is an outcome with its cause", async () => {
  await using at = await stage([
    { fail: { code: -32603, message: "Internal error", data: { details: "no credit" } } },
    { expect: "session/prompt" },
    END_TURN,
  ]);
  const outcome = await at.session.prompt(HELLO);
  assert.equal(outcome.ok, false);
  assert.equal(outcome.error.code, "turn_failed");
  assert.match(outcome.error.message, /no credit/);
  assert.equal(outcome.error.rpc?.code, -32603);
  assert.equal((await at.session.prompt(HELLO)).ok, true);
});

Deno.test("a failed turn carries what the agent wrote on stderr in it, and nothing older", async () => {
  const fail: Step = { fail: { code: -32603, message: "Internal error" } };
  await using at = await stage([
    { stderr: "old trouble\n" },
    END_TURN,
    { expect: "session/prompt" },
    { stderr: "new trouble\n" },
    say("x"),
    // What comes on two pipes comes in no order.
    { untilFile: "go" },
    fail,
    { expect: "session/prompt" },
    fail,
  ]);
  await at.session.prompt(HELLO);
  await eventually("the first word", () => at.client.stderr().includes("old trouble"));
  const second = at.session.prompt(HELLO);
  await eventually("the second word", () => at.client.stderr().includes("new trouble"));
  await Deno.writeTextFile(`${at.agent.directory}/go`, "");
  const outcome = await second;
  assert.ok(!outcome.ok);
  assert.equal(outcome.error.stderr, "new trouble\n");
  const third = await at.session.prompt(HELLO);
  assert.ok(!third.ok);
  assert.equal(third.error.stderr ?? "", "");
});

Deno.test("turns of one session run one after the other", async () => {
  await using at = await stage([END_TURN, { expect: "session/prompt" }, END_TURN]);
  const outcomes = await Promise.all([at.session.prompt(HELLO), at.session.prompt(HELLO)]);
  assert.deepEqual(outcomes.map(({ ok }) => ok), [true, true]);
  assert.deepEqual(at.events.map(({ type }) => type), [
    "prompt_sent",
    "turn_ended",
    "prompt_sent",
    "turn_ended",
  ]);
});

Deno.test("requests with odd ids are answered once each, type kept", async () => {
  const ids = [0, "", "7", "x-1", "a6e2f0c4-0000-4000-8000-000000000000"];
  await using at = await stage([
    ...ids.map((id) => ask(id, "no/such", {})),
    ...ids.map((id): Step => ({ expectAnswer: id })),
    END_TURN,
  ]);
  await at.session.prompt(HELLO);
  for (const id of ids) {
    const answers = await at.agent.answersTo(id);
    assert.equal(answers.length, 1, `answers to ${JSON.stringify(id)}`);
    assert.equal((answers[0]?.error as { code: number }).code, -32601);
  }
});

Deno.test("a permission question waits for its answer in the session's state", async () => {
  await using at = await stage([askPermission("p", "call"), { expectAnswer: "p" }, END_TURN]);
  const turn = at.session.prompt(HELLO);
  await eventually("the question", () => at.tool("call")?.permission !== undefined);
  const requestId = at.tool("call")?.permission?.requestId ?? "";
  at.session.answerPermission(requestId, "never-offered");
  at.session.answerPermission("unknown", "y");
  assert.equal(at.tool("call")?.permission?.answer, undefined);
  at.session.answerPermission(requestId, "y");
  at.session.answerPermission(requestId, "n");
  await turn;
  assert.deepEqual((await at.agent.answersTo("p")).map(({ result }) => result), [
    { outcome: { outcome: "selected", optionId: "y" } },
  ]);
  assert.deepEqual(at.tool("call")?.permission?.answer, { optionId: "y", by: "user" });
});

Deno.test("a policy answers before anybody is asked", async () => {
  await using at = await stage([askPermission("p", "call"), { expectAnswer: "p" }, END_TURN], {
    permissionPolicy: ({ sessionId, params }) => {
      assert.equal(sessionId, "s1");
      assert.deepEqual(params.toolCall, { toolCallId: "call" });
      return { optionId: "n", by: "rule", reason: "a test" };
    },
  });
  await at.session.prompt(HELLO);
  assert.deepEqual((await at.agent.answersTo("p")).map(({ result }) => result), [
    { outcome: { outcome: "selected", optionId: "n" } },
  ]);
  assert.deepEqual(at.tool("call")?.permission?.answer, {
    optionId: "n",
    by: "rule",
    reason: "a test",
  });
});

Deno.test("a policy that fails, or chooses what is not offered, refuses", async () => {
  const policies = [
    () => {
      throw new Error("broken");
    },
    () => ({ optionId: "invented", by: "rule" as const }),
  ];
  for (const permissionPolicy of policies) {
    await using at = await stage([askPermission("p", "c"), { expectAnswer: "p" }, END_TURN], {
      permissionPolicy,
    });
    await at.session.prompt(HELLO);
    const [answer] = await at.agent.answersTo("p");
    assert.deepEqual(answer?.result, { outcome: { outcome: "selected", optionId: "n" } });
  }
});

Deno.test("a question without choices is answered cancelled, one with unknown kinds is asked", async () => {
  const later = { optionId: "later", name: "Ask me later", kind: "defer_9" };
  await using at = await stage([
    ask("none", "session/request_permission", { toolCall: { toolCallId: "a" }, options: [] }),
    { expectAnswer: "none" },
    ask("odd", "session/request_permission", { toolCall: { toolCallId: "b" }, options: [later] }),
    { expectAnswer: "odd" },
    END_TURN,
  ]);
  const turn = at.session.prompt(HELLO);
  await eventually("the question", () => at.tool("b")?.permission !== undefined);
  assert.deepEqual(at.tool("b")?.permission?.options, [later]);
  at.session.answerPermission(at.tool("b")?.permission?.requestId ?? "", "later");
  await turn;
  const outcome = async (id: string) => (await at.agent.answersTo(id)).map(({ result }) => result);
  assert.deepEqual(await outcome("none"), [{ outcome: { outcome: "cancelled" } }]);
  assert.deepEqual(await outcome("odd"), [
    { outcome: { outcome: "selected", optionId: "later" } },
  ]);
});

Deno.test("cancelling tells the agent and answers every open question with cancelled", async () => {
  await using at = await stage([
    askPermission("p1", "a"),
    askPermission("p2", "b"),
    { expect: "session/cancel" },
    askPermission("p3", "c"),
    { expectAnswer: "p1" },
    { expectAnswer: "p2" },
    { expectAnswer: "p3" },
    { respond: { stopReason: "cancelled" }, to: "session/prompt" },
  ]);
  const turn = at.session.prompt(HELLO);
  await eventually("both questions", () => at.tool("b")?.permission !== undefined);
  at.session.cancel();
  at.session.cancel();
  assert.deepEqual(await turn, { ok: true, stopReason: "cancelled" });
  for (const id of ["p1", "p2", "p3"]) {
    assert.deepEqual((await at.agent.answersTo(id)).map(({ result }) => result), [
      { outcome: { outcome: "cancelled" } },
    ]);
  }
  const cancels = (await at.agent.received()).filter(({ method }) => method === "session/cancel");
  assert.deepEqual(cancels.map(({ params }) => params), [{ sessionId: "s1" }]);
});

Deno.test("a question that the agent takes back, or leaves open, does not stay open", async () => {
  await using at = await stage([
    askPermission("p1", "a"),
    askPermission("p2", "b"),
    { send: { method: "$/cancel_request", params: { requestId: "p1" } } },
    { expectAnswer: "p1" },
    END_TURN,
    { expectAnswer: "p2" },
    { expect: "session/prompt" },
    END_TURN,
  ]);
  await at.session.prompt(HELLO);
  await at.session.prompt(HELLO);
  const [taken] = await at.agent.answersTo("p1");
  assert.equal((taken?.error as { code: number }).code, -32800);
  const [left] = await at.agent.answersTo("p2");
  assert.deepEqual(left?.result, { outcome: { outcome: "cancelled" } });
  assert.equal(at.tool("b")?.permission?.answer?.by, "cancel");
});

Deno.test("an agent that is killed in a turn ends it with the signal and its stderr", async () => {
  await using at = await stage([
    say("partial"),
    askPermission("p", "call"),
    ask("t", "terminal/create", { command: "echo $$ > $DIR/pid; sleep 600" }),
    { expectAnswer: "t" },
    { stderr: "about to fall\n" },
    { untilFile: "$DIR/fall" },
    { die: "SIGKILL" },
  ]);
  const pidFile = `${at.agent.directory}/pid`;
  const turn = at.session.prompt(HELLO);
  await eventually("question and terminal", async () =>
    at.tool("call")?.permission !== undefined &&
    (await Deno.readTextFile(pidFile).catch(() => "")) !== "");
  const pid = Number(await Deno.readTextFile(pidFile));
  await Deno.writeTextFile(`${at.agent.directory}/fall`, "");
  const outcome = await turn;
  assert.equal(outcome.ok, false);
  assert.equal(outcome.error.code, "agent_died");
  assert.match(outcome.error.message, /SIGKILL/);
  assert.match(outcome.error.stderr ?? "", /about to fall/);
  assert.equal((await at.client.closed).signal, "SIGKILL");
  assert.equal(at.text(), "partial");
  assert.equal(at.tool("call")?.permission?.answer?.by, "cancel");
  assert.equal(await isAlive(pid), false);
  assert.equal(at.session.store.state.disconnected, true);
  assert.equal(at.session.store.state.turn.state, "idle");
  const again = await at.session.prompt(HELLO);
  assert.equal(again.ok, false);
  assert.equal(again.error.code, "agent_died");
});

Deno.test("an agent that only closes its output in a turn counts as gone", async () => {
  await using at = await stage([say("partial"), { closeStdout: true }, { hang: true }]);
  const outcome = await at.session.prompt(HELLO);
  assert.equal(outcome.ok, false);
  assert.equal(outcome.error.code, "agent_died");
  await at.client.close();
  for (const pid of await at.agent.pids()) assert.equal(await isAlive(pid), false);
});

Deno.test("the last result counts even without a newline and with the agent gone", async () => {
  await using at = await stage([
    { write: '{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}' },
    { exit: 0 },
  ]);
  assert.deepEqual(await at.session.prompt(HELLO), { ok: true, stopReason: "end_turn" });
});

Deno.test("closing twice ends the agent once, and its terminals", async () => {
  await using at = await stage([
    ask("t", "terminal/create", { command: "echo $$ > $DIR/pid; sleep 600" }),
    { expectAnswer: "t" },
    END_TURN,
  ]);
  await at.session.prompt(HELLO);
  const pidFile = `${at.agent.directory}/pid`;
  await eventually(
    "the terminal runs",
    async () => (await Deno.readTextFile(pidFile).catch(() => "")).endsWith("\n"),
  );
  const pids = [Number(await Deno.readTextFile(pidFile)), ...await at.agent.pids()];
  await Promise.all([at.client.close(), at.client.close()]);
  assert.deepEqual(await Promise.all(pids.map(isAlive)), pids.map(() => false));
  assert.equal(at.client.sessions.size, 0);
  await at.client.closed;
});

Deno.test("files are written and read for the agent in the session's directory, and no further", async () => {
  await using at = await stage([
    ask(0, "fs/write_text_file", { path: "$DIR/sub/made.txt", content: "one\ntwo\n" }),
    { expectAnswer: 0 },
    ask(1, "fs/read_text_file", { path: "$DIR/sub/made.txt", line: 2 }),
    ask(2, "fs/read_text_file", { path: "/etc/hostname" }),
    { expectAnswer: 1 },
    { expectAnswer: 2 },
    END_TURN,
  ]);
  await at.session.prompt(HELLO);
  assert.equal(await Deno.readTextFile(`${at.agent.directory}/sub/made.txt`), "one\ntwo\n");
  assert.deepEqual((await at.agent.answersTo(0)).map(({ result }) => result), [null]);
  assert.deepEqual((await at.agent.answersTo(1)).map(({ result }) => result), [
    { content: "two\n" },
  ]);
  const [outside] = await at.agent.answersTo(2);
  assert.match((outside?.error as { message: string }).message, /outside/);
});
