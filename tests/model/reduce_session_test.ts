import assert from "node:assert/strict";
import fc from "fast-check";
import { initialSession, reduceSession } from "../../src/model/reduce.ts";
import type { Entry, SessionEvent, SessionState } from "../../src/model/session.ts";
import { renderTranscript } from "../../src/model/transcript.ts";
import { brief, call, chunk, end, play, progress, prompt, update } from "./session_script.ts";

const opened = (response: unknown) =>
  ({ type: "session_opened", sessionId: "s1", cwd: "/other", how: "new", response }) as const;

Deno.test("initialSession() is empty", () => {
  const state = initialSession("/x");
  assert.equal(state.cwd, "/x");
  assert.equal(state.entries.length, 0);
  assert.deepEqual(state.turn, { state: "idle" });
});

Deno.test("reduceSession() takes updates that come before the session is opened", () => {
  const state = play([
    update({
      sessionUpdate: "available_commands_update",
      availableCommands: [
        { name: "plan", description: "d", input: { hint: "h" } },
        { name: " " },
        5,
      ],
    }),
    update({ sessionUpdate: "current_mode_update", currentModeId: "code" }),
    opened(null),
  ]);
  assert.equal(state.sessionId, "s1");
  assert.equal(state.cwd, "/other");
  assert.deepEqual(state.commands, [{ name: "plan", description: "d", hint: "h" }]);
  assert.deepEqual(state.modes, { available: [], current: "code" });
});

Deno.test("reduceSession() finds modes in the answer, in the options and in updates", () => {
  const modes = {
    currentModeId: "ask",
    availableModes: [{ id: "ask", name: "Ask" }, { id: "code", name: "", description: null }, {}],
  };
  const available = [{ id: "ask", name: "Ask" }, { id: "code", name: "code" }];
  const first = play([opened({ modes })]);
  assert.deepEqual(first.modes, { current: "ask", available });
  const second = play([{ type: "mode_changed", modeId: "code" }], first);
  assert.deepEqual(second.modes, { current: "code", available });
  const option = {
    id: "m",
    name: "Mode",
    category: "mode",
    type: "select",
    currentValue: "ask",
    options: [{ value: "ask", name: "Ask" }],
  };
  const third = play([opened({ configOptions: [option] })]);
  assert.deepEqual(third.modes, { current: "ask", available: [{ id: "ask", name: "Ask" }] });
  const fourth = play(
    [update({ sessionUpdate: "current_mode_update", currentModeId: "x" })],
    third,
  );
  assert.equal(fourth.modes?.current, "x");
  assert.equal(fourth.configOptions[0]?.value, "x");
});

Deno.test("reduceSession() finds models in the older field and in the options", () => {
  const models = {
    currentModelId: "a",
    availableModels: [{ modelId: "a", name: "A" }, { modelId: "b", name: "B", description: "d" }],
  };
  const state = play([opened({ models })]);
  assert.deepEqual(state.models?.available[1], { id: "b", name: "B", description: "d" });
  assert.equal(play([{ type: "model_changed", modelId: "b" }], state).models?.current, "b");
  const configOptions = [
    {
      id: "model",
      name: "Model",
      category: "model",
      type: "select",
      currentValue: "c",
      options: [{ group: "g", name: "Group", options: [{ value: "c", name: "C" }] }],
    },
    { id: "fast", name: "Fast", type: "boolean", currentValue: true },
    { name: "no id" },
  ];
  const other = play([opened({ models, configOptions })]);
  assert.deepEqual(other.models, {
    current: "c",
    available: [{ id: "c", name: "C", group: "Group" }],
  });
  assert.equal(other.configOptions[0]?.options[0]?.group, "Group");
  assert.equal(other.configOptions[1]?.value, true);
  assert.equal(other.configOptions.length, 2);
});

Deno.test("reduceSession() replaces the options as a whole", () => {
  const option = { id: "a", name: "A", type: "boolean", currentValue: false };
  const state = play([opened({ configOptions: [option] })]);
  assert.deepEqual(play([{ type: "config_changed", configOptions: [] }], state).configOptions, []);
  assert.equal(
    play([update({ sessionUpdate: "config_option_update", configOptions: null })], state)
      .configOptions.length,
    1,
  );
});

Deno.test("reduceSession() sets and clears the title, and adds usage up", () => {
  const info = (fields: unknown) =>
    update({ sessionUpdate: "session_info_update", ...fields as Record<string, unknown> });
  assert.equal(play([info({ title: "T" }), info({})]).title, "T");
  assert.equal(play([info({ title: "T" }), info({ title: null })]).title, undefined);
  const usage = play([
    update({
      sessionUpdate: "usage_update",
      used: 1,
      size: 10,
      cost: { amount: 2, currency: "EUR" },
    }),
    update({ sessionUpdate: "usage_update", used: 5, size: null, cost: null }),
  ]).usage;
  assert.deepEqual(usage, { used: 5, size: 10, cost: { amount: 2, currency: "EUR" } });
});

Deno.test("reduceSession() counts turns and remembers that a cancel was asked for", () => {
  const running = play([{ type: "cancel_requested" }, prompt("x"), { type: "cancel_requested" }]);
  assert.deepEqual(running.turn, {
    state: "running",
    number: 1,
    startedAt: 1,
    cancelRequested: true,
  });
  const ended = play([end("cancelled")], running);
  assert.deepEqual(ended.turn, { state: "idle" });
  assert.deepEqual(ended.lastOutcome, { ok: true, stopReason: "cancelled" });
  assert.equal(ended.turns, 1);
});

Deno.test("reduceSession() says how a turn ended unless it ended as it should", () => {
  const ending = (reason: string) => brief(play([prompt("x"), chunk("y"), end(reason)])).slice(2);
  assert.deepEqual(ending("end_turn"), []);
  assert.deepEqual(ending("cancelled"), ["info: The turn was cancelled"]);
  assert.deepEqual(ending("max_tokens"), ["warning: The turn ended at the token limit"]);
  assert.deepEqual(ending("constructor"), [
    "warning: The turn ended for an unknown reason: constructor",
  ]);
  const error = { code: "agent_died", message: "It died", hint: "Try again", stderr: "oops" };
  const failed = play([prompt("x"), { type: "turn_ended", outcome: { ok: false, error } }]);
  const notice = failed.entries.at(-1);
  assert.deepEqual(notice?.kind === "notice" && [notice.severity, notice.text, notice.detail], [
    "error",
    "It died",
    "Try again\noops",
  ]);
});

Deno.test("reduceSession() says that a turn ended without an answer", () => {
  const notice = "info: The agent ended the turn without an answer";
  const title = update({ sessionUpdate: "session_info_update", title: "T" });
  assert.equal(brief(play([prompt("x"), title, end()])).at(-1), notice);
  const spoken = play([prompt("x"), chunk("y"), end(), prompt("x"), chunk("y"), end()]);
  assert.ok(!brief(spoken).includes(notice));
  assert.equal(brief(play([prompt("z"), end()], spoken)).at(-1), notice);
  assert.ok(!brief(play([prompt("x"), call("c"), end()])).includes(notice));
});

Deno.test("reduceSession() says once that the agent is gone", () => {
  const gone = { type: "disconnected", reason: "It left" } as const;
  assert.deepEqual(brief(play([gone, gone])), ["warning: It left"]);
  const error = { code: "agent_died", message: "It died" };
  const died = { type: "turn_ended", outcome: { ok: false, error } } as const;
  assert.deepEqual(brief(play([prompt("x"), gone, died])), ["user: x", "error: It died"]);
  assert.deepEqual(brief(play([prompt("x"), died, gone])), ["user: x", "error: It died"]);
  assert.equal(play([gone]).disconnected, true);
  assert.equal(play([gone, opened(null)]).disconnected, false);
});

Deno.test("reduceSession() keeps one plan for each turn and replaces its steps", () => {
  const plan = (...entries: unknown[]) => update({ sessionUpdate: "plan", entries });
  const step = (content: string, status: string) => ({ content, status, priority: "low" });
  const state = play([
    update({ sessionUpdate: "plan", entries: null }),
    plan(),
    prompt("one"),
    plan(step("a", "pending"), step("b", "pending")),
    chunk("t"),
    plan(step("a", "completed"), { status: "pending" }),
    end(),
    prompt("two"),
    plan(step("c", "in_progress")),
  ]);
  assert.deepEqual(brief(state), [
    "user: one",
    "plan: a completed",
    "agent: t",
    "user: two",
    "plan: c in_progress",
  ]);
  assert.equal(state.entries.at(1)?.endedAt !== undefined, true);
  assert.equal(state.entries.at(4)?.endedAt, undefined);
});

Deno.test("reduceSession() patches a compaction and closes it with the turn", () => {
  const text = (value: string) => ({ type: "text", text: value });
  const compaction = (fields: Record<string, unknown>) =>
    update({ sessionUpdate: "compaction_update", compactionId: "k", ...fields });
  const summary = (value: string, compactionId = "k") =>
    update({ sessionUpdate: "compaction_summary_chunk", compactionId, content: text(value) });
  assert.deepEqual(
    brief(play([compaction({ status: "in_progress" }), summary("a"), summary("b"), chunk("t")])),
    ["compaction: in_progress ab", "agent: t"],
  );
  assert.deepEqual(
    brief(
      play([summary("a"), compaction({ status: "completed", summary: [text("c"), text("d")] })]),
    ),
    ["compaction: completed cd"],
  );
  assert.deepEqual(brief(play([summary("a"), compaction({ summary: null })])), [
    "compaction: in_progress ",
  ]);
  assert.deepEqual(brief(play([prompt("x"), summary("a"), end()])), [
    "user: x",
    "compaction: cancelled a",
  ]);
});

Deno.test("reduceSession() shows notices of the agent and keeps unknown updates as they came", () => {
  const state = play([
    update({ sessionUpdate: "notice", severity: "error", title: "T", description: "D" }),
    update({ sessionUpdate: "notice", severity: "loud", description: "D" }),
    update({ sessionUpdate: "notice", title: 5 }),
    update({ sessionUpdate: "telepathy", thought: "?" }),
    update(null),
    update([1]),
  ]);
  assert.deepEqual(brief(state), [
    "error: T",
    "info: D",
    "unknown: telepathy",
    "unknown: (no kind)",
    "unknown: (no kind)",
  ]);
  const entry = state.entries.at(2);
  assert.deepEqual(entry?.kind === "unknown" && entry.raw, {
    sessionUpdate: "telepathy",
    thought: "?",
  });
});

Deno.test("reduceSession() keeps terminals by id, whatever the id, and forgets the oldest", () => {
  const created = (terminalId: string) =>
    ({ type: "terminal_created", terminalId, command: "ls" }) as const;
  const state = play([
    created("__proto__"),
    created("t"),
    { type: "terminal_output", terminalId: "t", output: "x", truncated: true },
    { type: "terminal_exited", terminalId: "t", exitCode: null, signal: "SIGTERM" },
    { type: "terminal_output", terminalId: "constructor", output: "x", truncated: false },
  ]);
  assert.deepEqual(Object.keys(state.terminals), ["__proto__", "t"]);
  assert.deepEqual(state.terminals["t"], {
    command: "ls",
    output: "x",
    truncated: true,
    exit: { exitCode: null, signal: "SIGTERM" },
  });
  const many = play(Array.from({ length: 150 }, (_, index) => created(`t${index}`)));
  assert.equal(Object.keys(many.terminals).length, 100);
  assert.equal(Object.keys(many.terminals).at(-1), "t149");
});

Deno.test("reduceSession() holds finalBefore at the first entry that may change", () => {
  const finals = [
    prompt("x"),
    chunk("a"),
    call("c"),
    call("d"),
    progress("d", { status: "completed" }),
    chunk("b"),
    progress("c", { status: "completed" }),
    end(),
    chunk("late"),
  ].reduce<SessionState[]>((states, event) => [...states, play([event], states.at(-1))], [])
    .map((state) => state.finalBefore);
  assert.deepEqual(finals, [1, 1, 2, 2, 2, 2, 4, 5, 5]);
});

const ids = fc.constantFrom("a", "b", "", null, 5);
const fields = fc.dictionary(
  fc.constantFrom(
    "sessionUpdate",
    "toolCallId",
    "content",
    "title",
    "status",
    "kind",
    "entries",
    "locations",
    "rawInput",
    "_meta",
    "messageId",
    "configOptions",
    "availableCommands",
    "compactionId",
    "summary",
  ),
  fc.jsonValue({ maxDepth: 3 }),
);
const kind = fc.constantFrom(
  "user_message_chunk",
  "agent_message_chunk",
  "agent_thought_chunk",
  "tool_call",
  "tool_call_update",
  "plan",
  "available_commands_update",
  "current_mode_update",
  "config_option_update",
  "session_info_update",
  "usage_update",
  "notice",
  "compaction_update",
  "compaction_summary_chunk",
  "something_else",
);
const content = fc.oneof(
  fc.record({ type: fc.constant("text"), text: fc.string({ unit: "binary" }) }),
  fc.array(fc.record({
    type: fc.constantFrom("content", "diff", "terminal", "text"),
    content: fc.jsonValue(),
    path: fc.string(),
    newText: fc.string(),
    terminalId: fc.constantFrom("t", "__proto__"),
  }, { requiredKeys: ["type"] })),
);
const anyUpdate: fc.Arbitrary<unknown> = fc.oneof(
  fc.anything(),
  fc.jsonValue(),
  fields,
  fc.tuple(fields, kind, ids).map(([rest, sessionUpdate, toolCallId]) => ({
    ...rest,
    sessionUpdate,
    toolCallId,
  })),
  fc.record({
    sessionUpdate: kind,
    toolCallId: ids,
    compactionId: ids,
    content,
    status: fc.constantFrom("pending", "in_progress", "completed", "failed", "odd", null),
    title: fc.option(fc.string()),
    entries: fc.array(fc.record({ content: fc.string() })),
  }, { requiredKeys: ["sessionUpdate"] }),
);
const anyEvent = fc.oneof(
  { weight: 6, arbitrary: anyUpdate.map((value) => update(value)) },
  fc.constant(prompt("x")),
  fc.constant(end()),
  fc.constant(end("cancelled")),
  fc.constantFrom<Parameters<typeof play>[0][number]>(
    { type: "cancel_requested" },
    { type: "replay_started" },
    { type: "replay_ended" },
    { type: "disconnected", reason: "r" },
    { type: "terminal_created", terminalId: "t", command: "ls" },
    { type: "terminal_output", terminalId: "t", output: "o", truncated: false },
    { type: "tool_logged", tool: "t", kind: "log", text: "l" },
    { type: "permission_answered", requestId: "p", answer: { optionId: null, by: "user" } },
    { type: "permission_asked", requestId: "p", toolCall: { toolCallId: "a" }, options: [] },
  ),
  anyUpdate.map((response) => opened(response)),
);

Deno.test("reduceSession() never throws and gives the same for the same, whatever happens", () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 30 }), (events) => {
      const once = play(events);
      const twice = play(events);
      assert.deepEqual([...once.entries], [...twice.entries]);
      assert.equal(renderTranscript(once), renderTranscript(twice));
      for (const [index, entry] of [...once.entries].entries()) {
        assert.equal(entry.index, index);
        if (entry.kind === "tool") assert.notEqual(entry.title, "");
      }
    }),
    { numRuns: 300 },
  );
});

Deno.test("reduceSession() leaves the state before an event as it was", () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 12 }), anyEvent, anyEvent, (events, a, b) => {
      const before = play(events);
      const entries = [...before.entries];
      const after = play([b], before);
      play([a], before);
      play([a, a], before);
      assert.deepEqual([...before.entries], entries);
      assert.deepEqual([...play([b], before).entries], [...after.entries]);
    }),
  );
});

Deno.test("reduceSession() changes no entry before finalBefore unless an update names it", () => {
  fc.assert(fc.property(fc.array(anyEvent, { maxLength: 30 }), (events) => {
    let state = initialSession("/x");
    for (const [at, event] of events.entries()) {
      const next = reduceSession(state, { ...event, at } as SessionEvent);
      assert.ok(next.finalBefore >= state.finalBefore && next.finalBefore <= next.entries.length);
      for (let index = 0; index < state.finalBefore; index++) {
        const [old, now] = [state.entries.at(index), next.entries.at(index)];
        if (old !== now) assert.ok(mayChange(old), JSON.stringify([event, old, now]));
      }
      for (let index = 0; index < next.finalBefore; index++) {
        const entry = next.entries.at(index);
        if (entry?.endedAt === undefined) assert.ok(mayChange(entry));
      }
      state = next;
    }
  }));
});

/** What may change behind `finalBefore`: plans of the turn, and what updates can name. */
function mayChange(entry: Entry | undefined): boolean {
  return entry?.kind === "tool" || entry?.kind === "compaction" ||
    (entry?.kind === "plan" && entry.endedAt === undefined);
}
