import assert from "node:assert/strict";
import { SnakeUpdates } from "../../src/client/snake_updates.ts";

function all(type: string, data: unknown, updates = new SnakeUpdates()): unknown[] {
  return updates.standard({ session_id: "s1", type, data }).map((params) => {
    const { sessionId, update } = params as { sessionId: string; update: unknown };
    assert.equal(sessionId, "s1");
    return update;
  });
}

function update(type: string, data: unknown, updates = new SnakeUpdates()): unknown {
  const [only, ...others] = all(type, data, updates);
  assert.deepEqual(others, []);
  return only;
}

Deno.test("SnakeUpdates leaves standard updates and what is none alone", () => {
  const updates = new SnakeUpdates();
  const standard = { sessionId: "s1", update: { sessionUpdate: "plan", entries: [] } };
  for (const other of [standard, null, "x", [], {}, { session_id: [] }, { session_id: "s" }]) {
    assert.deepEqual(updates.standard(other), [other]);
  }
});

Deno.test("SnakeUpdates turns chunks into content, whatever holds the text", () => {
  const content = { type: "text", text: "hi " };
  for (const data of [{ text: "hi " }, { content: "hi " }, { content }, "hi ", { delta: "hi " }]) {
    const { content: found, sessionUpdate } = update("agent_message_chunk", data) as {
      content: unknown;
      sessionUpdate: unknown;
    };
    assert.deepEqual(found, content);
    assert.equal(sessionUpdate, "agent_message_chunk");
  }
  assert.deepEqual(
    (update("agent_thought_chunk", { text: "", message_id: "m1" }) as { messageId: string })
      .messageId,
    "m1",
  );
});

Deno.test("SnakeUpdates gives a tool call without an id one, and its updates the same", () => {
  const updates = new SnakeUpdates();
  const data = { tool_name: "local/git-diff", arguments: { resource: "local/repo" } };
  assert.deepEqual(update("tool_call", data, updates), {
    sessionUpdate: "tool_call",
    toolCallId: "local/git-diff#1",
    title: "local/git-diff",
    status: "in_progress",
    rawInput: { resource: "local/repo" },
  });
  assert.deepEqual(update("tool_call_update", { ...data, progress: "half" }, updates), {
    sessionUpdate: "tool_call_update",
    toolCallId: "local/git-diff#1",
    rawInput: { resource: "local/repo" },
    content: [{ type: "content", content: { type: "text", text: "half" } }],
  });
  update("tool_call", { ...data, tool_call_id: "c7", status: "pending" }, updates);
  const ended = { tool_name: "local/git-diff", result: { files: 3 } };
  assert.deepEqual(update("tool_call_update", ended, updates), {
    sessionUpdate: "tool_call_update",
    toolCallId: "c7",
    status: "completed",
    rawOutput: { files: 3 },
  });
  assert.deepEqual(update("tool_call_update", { tool_call_id: "c7", error: "no" }, updates), {
    sessionUpdate: "tool_call_update",
    toolCallId: "c7",
    status: "failed",
    rawOutput: "no",
    content: [{ type: "content", content: { type: "text", text: "no" } }],
  });
});

Deno.test("SnakeUpdates keeps the calls of sessions apart", () => {
  const updates = new SnakeUpdates();
  const of = (session_id: string, type: string) =>
    (updates.standard({ session_id, type, data: { tool_name: "t" } })[0] as {
      update: { toolCallId: string };
    }).update.toolCallId;
  assert.equal(of("a", "tool_call"), "t#1");
  assert.equal(of("b", "tool_call"), "t#2");
  assert.equal(of("a", "tool_call_update"), "t#1");
});

Deno.test("SnakeUpdates turns plans, modes and other kinds", () => {
  const entries = [{ content: "look", priority: "high", status: "running" }, "odd"];
  const plan = {
    sessionUpdate: "plan",
    entries: [{ content: "look", priority: "high", status: "in_progress" }, "odd"],
  };
  assert.deepEqual(update("plan", { entries }), plan);
  assert.deepEqual(update("plan", entries), plan);
  for (const data of [{ mode: "trusted" }, { automation_profile: "trusted" }, "trusted"]) {
    assert.deepEqual(update("mode_change", data), {
      sessionUpdate: "current_mode_update",
      currentModeId: "trusted",
    });
  }
  assert.deepEqual(update("available_commands_update", { available_commands: [1], _meta: {} }), {
    sessionUpdate: "available_commands_update",
    availableCommands: [1],
    _meta: {},
  });
  assert.deepEqual(update("brand_new", null), { sessionUpdate: "brand_new", content: null });
});

Deno.test("SnakeUpdates takes ids that are numbers", () => {
  const updates = new SnakeUpdates();
  const id = (type: string, data: unknown) =>
    (update(type, data, updates) as { toolCallId: string }).toolCallId;
  assert.equal(id("tool_call", { tool_call_id: 7, tool_name: "t" }), "7");
  assert.equal(id("tool_call", { call_id: 0, tool_name: "t" }), "0");
  assert.equal(id("tool_call_update", { id: 7, result: 1 }), "7");
  assert.equal(id("tool_call_update", { tool_name: "t", result: 1 }), "0");
  const [params] = updates.standard({ session_id: 12, type: "plan", data: [] });
  assert.equal((params as { sessionId: string }).sessionId, "12");
});

Deno.test("SnakeUpdates makes an update of each block of a list", () => {
  const image = { type: "image", data: "AA==", mimeType: "image/png" };
  for (const data of [{ content: ["a", image] }, ["a", image]]) {
    assert.deepEqual(
      all("agent_message_chunk", data).map((one) => (one as { content: unknown }).content),
      [{ type: "text", text: "a" }, image],
    );
  }
  assert.deepEqual(all("agent_message_chunk", []), []);
});

Deno.test("SnakeUpdates finds the mode under any name, and shows what it cannot read", () => {
  const modes = [
    { mode: { id: "x", name: "The X" } },
    { from: "a", to: "x" },
    { something_new: "x" },
    { current: "x", at: 7 },
  ];
  for (const data of modes) {
    assert.deepEqual(update("mode_change", data), {
      sessionUpdate: "current_mode_update",
      currentModeId: "x",
    });
  }
  assert.deepEqual(update("mode_change", { old_one: "a", other_one: "b" }), {
    sessionUpdate: "mode_change",
    oldOne: "a",
    otherOne: "b",
  });
});

Deno.test("SnakeUpdates does not take a plan without a list for an empty one", () => {
  assert.deepEqual(all("plan", null), []);
  assert.deepEqual(all("plan", { entries: null }), []);
  assert.deepEqual(all("plan", []), [{ sessionUpdate: "plan", entries: [] }]);
});
