import assert from "node:assert/strict";
import {
  brief,
  call,
  chunk,
  end,
  play,
  progress,
  prompt,
  tools,
  update,
} from "./session_script.ts";
import { KEPT_CHARACTERS } from "../../src/model/retention.ts";
import type { PermissionOption, PermissionState } from "../../src/model/session.ts";

const text = (value: string) => ({ type: "content", content: { type: "text", text: value } });
const YES: PermissionOption = { optionId: "y", name: "Yes", kind: "allow_once" };

function asked(requestId: string, toolCall: unknown) {
  return { type: "permission_asked" as const, requestId, toolCall, options: [YES] };
}

Deno.test("reduceSession() creates a call from its first update, whatever that is", () => {
  const state = play([
    progress("c", { status: "in_progress", title: "Run tests" }),
    progress("c", { status: "completed", content: [text("3 passed")] }),
    call("c", { status: "pending", title: "late", kind: "execute", rawInput: { a: 1 } }),
  ]);
  const [tool, ...others] = tools(state);
  assert.equal(others.length, 0);
  assert.equal(tool?.status, "completed");
  assert.equal(tool?.title, "Run tests");
  assert.equal(tool?.toolKind, "execute");
  assert.deepEqual(tool?.rawInput, { a: 1 });
  assert.deepEqual(tool?.content, [text("3 passed")]);
});

Deno.test("reduceSession() keeps what absent and null fields do not mention, and replaces arrays", () => {
  const full = {
    title: "t",
    name: "n",
    kind: "read",
    status: "in_progress",
    content: [text("a"), text("b")],
    locations: [{ path: "/a", line: 1 }, { path: "/b", line: null }, { line: 2 }],
    rawInput: "ls",
    rawOutput: [1],
  };
  const nulls = Object.fromEntries(Object.keys(full).map((key) => [key, null]));
  const [before] = tools(play([call("c", full)]));
  assert.deepEqual(before?.locations, [{ path: "/a", line: 1 }, { path: "/b" }]);
  for (const fields of [{}, nulls]) {
    assert.deepEqual(tools(play([call("c", full), progress("c", fields)]))[0], before);
    assert.deepEqual(tools(play([call("c", full), call("c", fields)]))[0], before);
  }
  const [after] = tools(play([call("c", full), progress("c", { content: [], locations: [] })]));
  assert.deepEqual([after?.content, after?.locations], [[], []]);
});

Deno.test("reduceSession() falls back for unknown kinds, statuses and content, and never lacks a title", () => {
  const state = play([
    call("c", {
      title: null,
      kind: "teleport",
      status: "queued",
      content: [null, { type: "terminal", terminalId: "gone" }, { type: "smell" }, text("kept")],
    }),
    call("", { kind: "read" }),
    call("d", { name: "grep" }),
    update({ sessionUpdate: "tool_call", title: ["x"], content: "x", locations: {} }),
  ]);
  assert.deepEqual(brief(state), [
    "tool: c pending",
    "tool: read pending",
    "tool: grep pending",
  ]);
  assert.deepEqual(tools(state)[0]?.content, [
    { type: "terminal", terminalId: "gone" },
    { type: "unknown", name: "smell", raw: { type: "smell" } },
    text("kept"),
  ]);
  assert.equal(tools(state)[0]?.toolKind, "other");
});

Deno.test("reduceSession() keeps kind and status when an update names unknown ones", () => {
  const state = play([
    call("c", { kind: "read", status: "in_progress" }),
    progress("c", { kind: "x", status: "y" }),
  ]);
  assert.equal(tools(state)[0]?.toolKind, "read");
  assert.equal(tools(state)[0]?.status, "in_progress");
});

Deno.test("reduceSession() keeps the diff of a call that is announced twice, and takes later titles", () => {
  const diff = { type: "diff", path: "/new.txt", newText: "a\n" };
  const state = play([
    call("c", { content: [diff] }),
    call("c", { content: [] }),
    progress("c", { status: "completed", title: "Write new.txt" }),
  ]);
  assert.deepEqual(brief(state), ["tool: Write new.txt completed"]);
  assert.deepEqual(tools(state)[0]?.content, [diff]);
});

Deno.test("reduceSession() tells a new file from an empty one", () => {
  const diff = (oldText?: string | null) => ({ type: "diff", path: "/a", newText: "x", oldText });
  const [tool] = tools(play([call("c", { content: [diff(), diff(null), diff("")] })]));
  assert.deepEqual(tool?.content.map((item) => item.type === "diff" && item.oldText), [
    undefined,
    undefined,
    "",
  ]);
});

Deno.test("reduceSession() never moves a call back", () => {
  const status = (...statuses: string[]) =>
    tools(play([call("c"), ...statuses.map((status) => progress("c", { status }))]))[0]?.status;
  assert.equal(status("in_progress", "pending"), "in_progress");
  assert.equal(status("completed", "in_progress"), "completed");
  assert.equal(status("failed", "pending"), "failed");
  assert.equal(status("completed", "failed"), "failed");
});

Deno.test("reduceSession() closes the calls that a turn leaves open as cancelled", () => {
  for (const reason of ["end_turn", "cancelled"]) {
    const state = play([
      prompt("x"),
      call("a"),
      call("b", { status: "in_progress" }),
      call("c", { status: "completed" }),
      end(reason),
    ]);
    assert.deepEqual(tools(state).map((tool) => tool.status), [
      "cancelled",
      "cancelled",
      "completed",
    ]);
    assert.ok(tools(state).every((tool) => tool.endedAt !== undefined));
    assert.equal(state.finalBefore, state.entries.length);
  }
});

Deno.test("reduceSession() takes a late end of a call that it had closed", () => {
  const state = play([prompt("x"), call("a"), end(), progress("a", { status: "in_progress" })]);
  assert.deepEqual(tools(state).map((tool) => tool.status), ["cancelled"]);
  const late = play([progress("a", { status: "completed", content: [text("done")] })], state);
  assert.deepEqual(brief(late), ["user: x", "tool: a completed"]);
  assert.deepEqual(tools(late)[0]?.content, [text("done")]);
});

Deno.test("reduceSession() takes an id that comes back in a later turn for a new call", () => {
  const state = play([
    prompt("one"),
    call("0", { title: "first", status: "completed" }),
    end(),
    prompt("two"),
    call("0", { title: "second" }),
    progress("0", { status: "completed" }),
  ]);
  assert.deepEqual(brief(state), [
    "user: one",
    "tool: first completed",
    "user: two",
    "tool: second completed",
  ]);
});

Deno.test("reduceSession() makes a call wait for a permission, and go on when it is answered", () => {
  const waiting = play([prompt("x"), call("c", { title: "rm" }), asked("p", { toolCallId: "c" })]);
  assert.deepEqual(tools(waiting)[0]?.permission, {
    requestId: "p",
    options: [YES],
    askedAt: 2,
  });
  const answer = { optionId: "y", by: "user" as const };
  const state = play([{ type: "permission_answered", requestId: "p", answer }], waiting);
  assert.deepEqual(tools(state)[0]?.permission?.answer, answer);
  assert.equal(tools(state)[0]?.status, "pending");
});

Deno.test("reduceSession() creates the call that a permission is asked for, if need be", () => {
  const state = play([
    asked("p", { toolCallId: "c", title: "ls", kind: "execute" }),
    asked("q", null),
    asked("r", null),
  ]);
  assert.deepEqual(brief(state), [
    "tool: ls pending",
    "tool: other pending",
    "tool: other pending",
  ]);
  assert.ok(tools(state).every((tool) => tool.permission !== undefined));
});

Deno.test("reduceSession() ignores answers to questions that do not wait", () => {
  const answer: PermissionState["answer"] = { optionId: "y", by: "user" };
  const state = play([asked("p", { toolCallId: "c" })]);
  assert.equal(play([{ type: "permission_answered", requestId: "?", answer }], state), state);
  const answered = play([{ type: "permission_answered", requestId: "p", answer }], state);
  const again = { ...answer, optionId: null };
  assert.equal(
    play([{ type: "permission_answered", requestId: "p", answer: again }], answered),
    answered,
  );
});

Deno.test("reduceSession() cancels the questions that are open when a turn ends", () => {
  const state = play([prompt("x"), asked("p", { toolCallId: "c" }), end("cancelled")]);
  assert.deepEqual(tools(state)[0]?.permission?.answer, { optionId: null, by: "cancel" });
});

Deno.test("reduceSession() keeps a call open as long as its question waits", () => {
  const state = play([
    prompt("x"),
    asked("p", { toolCallId: "c" }),
    progress("c", { status: "failed" }),
    chunk("a"),
  ]);
  assert.equal(state.finalBefore, 1);
});

Deno.test("reduceSession() collects shell output that comes only in _meta", () => {
  const state = play([
    call("c", { _meta: { terminal_info: { cwd: "/" } } }),
    progress("c", { _meta: { terminal_output: { data: "one\n" } } }),
    progress("c", { _meta: { terminal_output_delta: { data: "two\n" } } }),
    progress("c", { _meta: { terminal_output: null, terminal_exit: { exit_code: 3 } } }),
    progress("c", { _meta: { terminal_output: { data: 5 } } }),
  ]);
  assert.equal(tools(state)[0]?.metaOutput, "one\ntwo\n");
  assert.deepEqual(tools(state)[0]?.metaExit, { exitCode: 3, signal: null });
});

Deno.test("reduceSession() keeps the end of endless shell output", () => {
  const line = `${"x".repeat(1023)}\n`;
  const events = Array.from(
    { length: 1000 },
    () => progress("c", { _meta: { terminal_output: { data: line } } }),
  );
  const state = play([...events, progress("c", { _meta: { terminal_output: { data: "last" } } })]);
  const output = tools(state)[0]?.metaOutput ?? "";
  assert.ok(output.length <= 513 * 1024 && output.length >= 255 * 1024, String(output.length));
  assert.ok(output.startsWith("xxx") && output.endsWith("\nlast"));
});

Deno.test("reduceSession() puts the lines of a client tool under its call", () => {
  const log = (tool: string, line: string) =>
    ({ type: "tool_logged", tool, kind: "log", text: line }) as const;
  const state = play([
    prompt("x"),
    call("a", { title: "client: word_count", status: "in_progress" }),
    call("b", { title: "T", name: "client_open_buffers", status: "in_progress" }),
    call("c", { title: "client: word_count_all", status: "in_progress" }),
    log("word_count", "1"),
    log("open buffers", "2"),
    log("unheard of", "3"),
    progress("c", { status: "completed" }),
    log("unheard of", "4"),
  ]);
  assert.deepEqual(tools(state).map((tool) => tool.log.map((line) => line.text)), [
    ["1"],
    ["2", "4"],
    ["3"],
  ]);
  assert.deepEqual(brief(play([log("x", "nobody")])), []);
});

Deno.test("reduceSession() keeps the newest lines of a client tool", () => {
  const lines = Array.from(
    { length: 300 },
    (_, index) =>
      ({ type: "tool_logged", tool: "t", kind: "progress", text: `line ${index}` }) as const,
  );
  const [tool] = tools(play([call("c"), ...lines]));
  assert.equal(tool?.log.length, 200);
  assert.equal(tool?.log.at(-1)?.text, "line 299");
});

Deno.test("reduceSession() shortens the oldest big calls when they weigh too much together", () => {
  const big = "y".repeat(1024 * 1024);
  const count = KEPT_CHARACTERS / big.length + 2;
  const events = Array.from(
    { length: count },
    (_, index) =>
      call(`c${index}`, { status: "completed", content: [text(big)], rawOutput: { stdout: "z" } }),
  );
  const sizes = tools(
    play([call("small", { status: "completed", content: [text("s")] }), ...events]),
  )
    .map((tool) => JSON.stringify(tool.content).length);
  assert.ok((sizes[0] ?? 0) < 100);
  assert.ok((sizes[1] ?? 0) < 10_000);
  assert.ok((sizes.at(-1) ?? 0) > big.length);
  assert.ok(sizes.reduce((sum, size) => sum + size) < KEPT_CHARACTERS + big.length);
});

const NO: PermissionOption = { optionId: "n", name: "No", kind: "reject_once" };

function refused(toolCallId: string) {
  const requestId = `r-${toolCallId}`;
  return [
    {
      type: "permission_asked" as const,
      requestId,
      toolCall: { toolCallId, title: toolCallId },
      options: [YES, NO],
    },
    {
      type: "permission_answered" as const,
      requestId,
      answer: { optionId: "n", by: "user" as const },
    },
  ];
}

Deno.test("reduceSession() closes a refused call when the agent goes on without it", () => {
  for (const goesOn of [chunk("then not"), chunk("hm", "agent_thought_chunk"), call("other")]) {
    const state = play([prompt("hi"), call("c"), ...refused("c"), goesOn]);
    assert.equal(tools(state)[0]?.status, "cancelled");
    assert.notEqual(tools(state)[0]?.endedAt, undefined);
  }
});

Deno.test("reduceSession() keeps a refused call open until then, and one that was allowed", () => {
  const still = play([prompt("hi"), call("c"), ...refused("c"), call("c", { kind: "edit" })]);
  assert.equal(tools(still)[0]?.endedAt, undefined);
  const allowed = play([
    prompt("hi"),
    asked("r", { toolCallId: "c" }),
    { type: "permission_answered", requestId: "r", answer: { optionId: "y", by: "user" } },
    chunk("meanwhile"),
  ]);
  assert.equal(tools(allowed)[0]?.endedAt, undefined);
});

Deno.test("reduceSession() lets the agent say how a refused call ended after going on", () => {
  const state = play([
    prompt("hi"),
    ...refused("c"),
    chunk("I see"),
    progress("c", { status: "failed" }),
  ]);
  assert.equal(tools(state)[0]?.status, "failed");
});
