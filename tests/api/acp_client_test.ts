import assert from "node:assert/strict";
import {
  type AcpClient,
  connect,
  type ConnectOptions,
  type EndEvent,
  type ModelEvent,
  type TurnEvent,
} from "../../src/api/mod.ts";
import { asObject } from "../../src/base/guards.ts";
import {
  END_TURN,
  eventually,
  HANDSHAKE,
  isAlive,
  PROMPT,
  say,
  type ScriptedAgent,
  scriptedAgent,
  type Step,
  update,
} from "../support/scripted_agent.ts";

const CANCEL: Step = { expect: "session/cancel" };
const CANCELLED: Step = { respond: { stopReason: "cancelled" }, to: "session/prompt" };

interface Stage extends AsyncDisposable {
  readonly agent: ScriptedAgent;
  readonly client: AcpClient;
  prompts(): Promise<unknown[]>;
}

async function stage(steps: readonly Step[], options: ConnectOptions = {}): Promise<Stage> {
  const agent = await scriptedAgent([...HANDSHAKE, ...steps]);
  const client = await connect(agent.spec, { cwd: agent.directory, ...options });
  return {
    agent,
    client,
    prompts: async () =>
      (await agent.received()).filter(({ method }) => method === "session/prompt")
        .map(({ params }) => asObject(params).prompt),
    async [Symbol.asyncDispose]() {
      await client.close();
      await agent[Symbol.asyncDispose]();
    },
  };
}

function think(text: string): Step {
  const content = { type: "text", text };
  return { send: update({ sessionUpdate: "agent_thought_chunk", content }) };
}

function call(toolCallId: string, members: Readonly<Record<string, unknown>>): Step {
  return { send: update({ sessionUpdate: "tool_call", toolCallId, ...members }) };
}

function change(toolCallId: string, members: Readonly<Record<string, unknown>>): Step {
  return { send: update({ sessionUpdate: "tool_call_update", toolCallId, ...members }) };
}

const ONE_TURN: readonly Step[] = [
  PROMPT,
  think("hm"),
  say("Let me "),
  say("look."),
  call("c", { title: "Look", kind: "read", rawInput: { path: "a" } }),
  change("c", { status: "in_progress" }),
  change("c", {
    status: "completed",
    content: [{ type: "content", content: { type: "text", text: "contents" } }],
  }),
  call("d", { title: "Run" }),
  { send: update({ sessionUpdate: "plan", entries: [{ content: "x" }] }) },
  { send: update({ sessionUpdate: "brand_new", x: 1 }) },
  say("Done."),
  END_TURN,
];

/** The kind of each event and what is special to it. */
function brief(event: TurnEvent | EndEvent): string {
  switch (event.type) {
    case "text":
    case "thought":
      return `${event.type} ${event.text}`;
    case "tool_call":
      return `call ${event.toolCallId} ${event.title} ${event.kind} ${JSON.stringify(event.input)}`;
    case "tool_update":
      return `change ${event.toolCallId} ${event.call.status}`;
    case "tool_result":
      return `result ${event.toolCallId} ${event.title} ${event.status} ${event.text}`.trimEnd();
    case "plan":
      return `plan ${event.steps.map(({ content }) => content)}`;
    case "update":
      return `update ${event.update.sessionUpdate}`;
    case "end":
      return `end ${event.result.stopReason}`;
  }
}

const MODEL_EVENTS = [
  "thought hm",
  "text Let me ",
  "text look.",
  'call c Look read {"path":"a"}',
  "result c Look completed contents",
  "call d Run other undefined",
  "text Done.",
  "result d Run cancelled",
];

const EVENTS = [
  ...MODEL_EVENTS.slice(0, 4),
  "change c in_progress",
  ...MODEL_EVENTS.slice(4, 6),
  "plan x",
  "update brand_new",
  ...MODEL_EVENTS.slice(6),
];

Deno.test("prompt() gives the agent's message, its thoughts and its calls", async () => {
  await using at = await stage([
    ...ONE_TURN.slice(0, -1),
    { respond: { stopReason: "max_tokens", usage: { totalTokens: 3 } } },
  ]);
  const events: TurnEvent[] = [];
  const result = await at.client.prompt("go", { onEvent: (event) => events.push(event) });
  assert.ok(result.ok);
  const { text, thoughts, stopReason, usage, toolCalls } = result;
  assert.deepEqual([text, thoughts, stopReason, usage], [
    "Let me look.Done.",
    "hm",
    "max_tokens",
    { totalTokens: 3 },
  ]);
  assert.deepEqual(toolCalls.map(({ toolCallId, status }) => [toolCallId, status]), [
    ["c", "completed"],
    ["d", "cancelled"],
  ]);
  assert.deepEqual(events.map(brief), EVENTS);
  assert.deepEqual(await at.prompts(), [[{ type: "text", text: "go" }]]);
});

Deno.test("prompt() sends blocks as they are", async () => {
  await using at = await stage([PROMPT, END_TURN]);
  const blocks = [{ type: "text", text: "see", annotations: { a: 1 } }, { type: "odd", x: [null] }];
  await at.client.prompt(blocks);
  assert.deepEqual(await at.prompts(), [blocks]);
});

Deno.test("events come while the turn runs, not after it", async () => {
  await using at = await stage([PROMPT, say("first"), { untilFile: "$DIR/seen" }, END_TURN]);
  let outcome: unknown;
  const turn = at.client.prompt("go", {
    onEvent: () => Deno.writeTextFileSync(`${at.agent.directory}/seen`, String(outcome)),
  }).then((result) => outcome = result);
  await turn;
  assert.equal(await Deno.readTextFile(`${at.agent.directory}/seen`), "undefined");
});

Deno.test("turns of a client run one after the other, each with its own text", async () => {
  await using at = await stage([PROMPT, say("1"), END_TURN, PROMPT, say("2"), END_TURN]);
  const results = await Promise.all([at.client.prompt("a"), at.client.prompt("b")]);
  assert.deepEqual(results.map(({ text }) => text), ["1", "2"]);
});

Deno.test("what comes before the first prompt is no part of its answer", async () => {
  await using at = await stage([
    say("welcome"),
    { touch: "$DIR/greeted" },
    PROMPT,
    say("answer"),
    END_TURN,
  ]);
  const result = await at.client.prompt("go");
  assert.equal(result.text, "answer");
  const [greeting] = [...at.client.session.store.state.entries];
  assert.deepEqual([greeting?.kind, greeting?.turn], ["agent", null]);
});

Deno.test("a failed turn is a result with the error and what had come", async () => {
  const fail: Step = { fail: { code: -32603, message: "boom", data: { details: "no quota" } } };
  await using at = await stage([PROMPT, say("part"), fail, PROMPT, { stderr: "ouch\n" }, {
    exit: 3,
  }]);
  const first = await at.client.prompt("go");
  assert.ok(!first.ok);
  assert.deepEqual([first.text, first.error.code, first.error.rpc?.code], [
    "part",
    "turn_failed",
    -32603,
  ]);
  assert.match(first.error.message, /no quota/);
  const second = await at.client.prompt("go");
  assert.ok(!second.ok);
  assert.equal(second.error.code, "agent_died");
  assert.match(second.error.stderr ?? "", /ouch/);
  const third = await at.client.prompt("go");
  assert.ok(!third.ok);
  assert.equal(third.error.code, "agent_died");
});

Deno.test("aborting a prompt cancels its turn; one that waits is not sent", async () => {
  await using at = await stage([PROMPT, say("some"), CANCEL, CANCELLED]);
  const abort = new AbortController();
  const running = at.client.prompt("a", {
    signal: abort.signal,
    onEvent: () => abort.abort(),
  });
  const waiting = at.client.prompt("b", { signal: abort.signal });
  const result = await running;
  assert.ok(result.ok);
  assert.deepEqual([result.text, result.stopReason], ["some", "cancelled"]);
  const unsent = await waiting;
  assert.ok(!unsent.ok);
  assert.equal(unsent.error.code, "cancelled");
  assert.equal((await at.prompts()).length, 1);
});

Deno.test("a prompt that is cancelled before it went is not sent", async () => {
  await using at = await stage([PROMPT, say("second"), END_TURN]);
  const { session } = at.client;
  const first = session.prompt([{ type: "text", text: "first" }]);
  session.cancel();
  assert.deepEqual(await first, { ok: true, stopReason: "cancelled" });
  assert.equal((await at.client.prompt("second")).text, "second");
  assert.deepEqual(await at.prompts(), [[{ type: "text", text: "second" }]]);
});

Deno.test("promptTimeout cancels the turn, which has failed then with what there was", async () => {
  await using at = await stage([
    PROMPT,
    say("some"),
    CANCEL,
    CANCELLED,
    PROMPT,
    say("more"),
    END_TURN,
  ], {
    promptTimeout: 1_000,
  });
  const result = await at.client.prompt("go");
  assert.ok(!result.ok);
  assert.deepEqual([result.error.code, result.text], ["timeout", "some"]);
  assert.match(result.error.message, /within 1 s/);
  assert.equal((await at.client.prompt("go")).text, "more");
});

Deno.test("an agent that does not end a cancelled turn is ended", async () => {
  await using at = await stage([PROMPT, { hang: true }], { promptTimeout: 50 });
  const result = await at.client.prompt("go");
  assert.ok(!result.ok);
  assert.equal(
    result.error.message,
    "The turn did not end within 0.05 s and had not ended 5 s later: the agent was ended",
  );
  for (const pid of await at.agent.pids()) assert.equal(await isAlive(pid), false);
  const next = await at.client.prompt("go");
  assert.equal(next.ok, false);
});

Deno.test("what onEvent throws cancels the turn and is what prompt() rejects with", async () => {
  await using at = await stage([
    PROMPT,
    say("some"),
    CANCEL,
    CANCELLED,
    PROMPT,
    say("next"),
    END_TURN,
  ]);
  const fault = new Error("a fault of the program");
  await assert.rejects(
    at.client.prompt("go", {
      onEvent() {
        throw fault;
      },
    }),
    fault,
  );
  assert.equal((await at.client.prompt("go")).text, "next");
});

Deno.test("stream() gives the events of a turn and its end", async () => {
  await using at = await stage(ONE_TURN);
  const events = await Array.fromAsync(at.client.stream("go"));
  assert.deepEqual(events.map(brief), [...EVENTS, "end end_turn"]);
  const end = events.at(-1);
  assert.equal(end?.type === "end" && end.result.text, "Let me look.Done.");
});

Deno.test("leaving a stream early cancels its turn", async () => {
  await using at = await stage([PROMPT, say("1"), say("2"), CANCEL, CANCELLED]);
  for await (const event of at.client.stream("go")) {
    assert.equal(brief(event), "text 1");
    break;
  }
  const sent = (await at.agent.received()).map(({ method }) => method);
  assert.equal(sent.at(-1), "session/cancel");
});

Deno.test("a stream whose turn fails throws after its events", async () => {
  await using at = await stage([PROMPT, say("1"), { fail: { code: -32603, message: "boom" } }]);
  const events: string[] = [];
  await assert.rejects(async () => {
    for await (const event of at.client.stream("go")) events.push(brief(event));
  }, { code: "turn_failed" });
  assert.deepEqual(events, ["text 1"]);
});

Deno.test("generate() sends the whole conversation and gives the agent's message alone", async () => {
  await using at = await stage(ONE_TURN);
  const { generate } = at.client;
  const messages = [
    { role: "user", content: "hi" },
    { role: "assistant", content: "hello" },
    { role: "user", content: "go on" },
  ];
  assert.deepEqual(await generate({ messages }), {
    content: "Let me look.Done.",
    stopReason: "end_turn",
  });
  const [prompt] = await at.prompts();
  const text = JSON.stringify(prompt);
  assert.match(text, /user: hi\\nassistant: hello\\nuser: go on\\n/);
  await assert.rejects(generate({ messages: [] }), { code: "usage" });
});

Deno.test("generateStream() passes on text, thoughts, calls and results as they arrive", async () => {
  await using at = await stage(ONE_TURN);
  const events: ModelEvent[] = [];
  const { generateStream } = at.client;
  const { content } = await generateStream(
    { messages: [{ role: "user", content: "go" }] },
    (event) => events.push(event),
  );
  assert.equal(content, "Let me look.Done.");
  assert.deepEqual(events.map(brief), MODEL_EVENTS);
});

Deno.test("generate() throws when the turn fails, and the reason of a signal that aborts", async () => {
  await using at = await stage([
    PROMPT,
    { fail: { code: -32603, message: "boom" } },
    PROMPT,
    say("x"),
    CANCEL,
    CANCELLED,
  ]);
  const messages = [{ role: "user", content: "go" }];
  await assert.rejects(at.client.generate({ messages }), { code: "turn_failed" });
  const abort = new AbortController();
  const reason = new Error("changed my mind");
  await assert.rejects(
    at.client.generateStream({ messages, signal: abort.signal }, () => abort.abort(reason)),
    reason,
  );
});

Deno.test("extension methods go both ways, as requests and as notifications", async () => {
  const got: unknown[] = [];
  await using at = await stage([
    { expect: "_x/ask" },
    { respond: { n: 1 } },
    { expect: "_x/tell" },
    { send: { method: "_y/told", params: { n: 2 } } },
    { send: { id: 7, method: "_y/ask", params: { n: 3 } } },
    { expectAnswer: 7 },
    { send: { id: 8, method: "_y/ask", params: { n: 4 } } },
  ]);
  const { client, agent } = at;
  client.onExtension("_y/told", (params, { requestId }) => {
    got.push(params, requestId);
  });
  const takeBack = client.onExtension("_y/ask", (params) => {
    takeBack();
    return { echo: params };
  });
  assert.deepEqual(await client.request("_x/ask", { q: 1 }), { n: 1 });
  await client.notify("_x/tell", { t: 1 });
  await eventually("both answers", async () => (await agent.answersTo(8)).length === 1);
  assert.deepEqual(got, [{ n: 2 }, null]);
  assert.deepEqual((await agent.answersTo(7))[0]?.result, { echo: { n: 3 } });
  assert.equal(asObject((await agent.answersTo(8))[0]?.error).code, -32601);
  const sent = (await agent.received()).find(({ method }) => method === "_x/tell");
  assert.deepEqual([sent?.params, "id" in asObject(sent)], [{ t: 1 }, false]);
});

Deno.test("close() may be called again and ends the agent with what it has started", async () => {
  await using agent = await scriptedAgent(HANDSHAKE);
  const { command, args } = agent.spec;
  const script = 'sleep 300 & echo $! > "$0"; exec "$@"';
  const pidFile = `${agent.directory}/child`;
  const client = await connect(["sh", "-c", script, pidFile, command, ...args], {
    cwd: agent.directory,
  });
  await Promise.all([client.close(), client.close()]);
  await client[Symbol.asyncDispose]();
  const pids = [...await agent.pids(), Number(await Deno.readTextFile(pidFile))];
  assert.equal(pids.length, 2);
  for (const pid of pids) assert.equal(await isAlive(pid), false);
});
