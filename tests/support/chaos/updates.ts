/**
 * Updates of a session as an honest agent sends them, with texts that no honest agent writes.
 *
 * @module
 */

import { hostileText } from "./hostile_values.ts";
import type { Random } from "./random.ts";
import type { Message } from "./wire.ts";

const CALLS = ["c1", "c2", "c3", "\x1b[31mc4", ""] as const;

/** The params of a `session/update` of any kind. */
export function updateOf(random: Random, sessionId: string): Message {
  return { method: "session/update", params: { sessionId, update: random.pick(KINDS)(random) } };
}

/** A piece of the agent's message. */
export function chunk(text: string, sessionId: string): Message {
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
  return { method: "session/update", params: { sessionId, update } };
}

type Kind = (random: Random) => Message;

const KINDS: readonly Kind[] = [
  (random) => ({ sessionUpdate: "agent_message_chunk", content: block(random) }),
  (random) => ({ sessionUpdate: "agent_message_chunk", content: textBlock(random) }),
  (random) => ({
    sessionUpdate: random.pick(["agent_thought_chunk", "user_message_chunk"]),
    content: block(random),
    messageId: random.pick(["m1", "m2", null]),
  }),
  (random) => ({ sessionUpdate: "tool_call", ...call(random) }),
  (random) => ({ sessionUpdate: "tool_call_update", ...call(random) }),
  (random) => ({
    sessionUpdate: "plan",
    entries: random.list(random.int(0, 8), () => ({
      content: hostileText(random),
      priority: random.pick(["high", "medium", "low", "?"]),
      status: random.pick(["pending", "in_progress", "completed", "?"]),
    })),
  }),
  (random) => ({
    sessionUpdate: "available_commands_update",
    availableCommands: random.list(random.int(0, 5), () => ({
      name: random.pick(["plan", "exit", "/x", hostileText(random)]),
      description: hostileText(random),
      input: random.pick([null, { hint: hostileText(random) }]),
    })),
  }),
  (random) => ({
    sessionUpdate: "current_mode_update",
    currentModeId: random.pick(["code", "nowhere", hostileText(random)]),
  }),
  (random) => ({
    sessionUpdate: "config_option_update",
    configOptions: [{
      id: "model",
      name: hostileText(random),
      category: random.pick(["model", "mode", "else"]),
      type: random.pick(["select", "boolean", "hologram"]),
      currentValue: random.pick(["a", true, "nowhere"]),
      options: [{ value: "a", name: hostileText(random) }, { group: "g", options: [] }],
    }],
  }),
  (random) => ({
    sessionUpdate: "session_info_update",
    title: hostileText(random),
    updatedAt: random.pick(["2026-01-01T00:00:00Z", "never", null]),
  }),
  (random) => ({
    sessionUpdate: "usage_update",
    used: random.pick([0, 12_345, -1, 1e18]),
    size: random.pick([0, 200_000, 1]),
    cost: { amount: random.pick([0, 0.01, 1e9]), currency: random.pick(["USD", "\x1b[5mX"]) },
  }),
  (random) => ({
    sessionUpdate: random.pick(["compaction_update", "compaction_summary_chunk"]),
    compactionId: "x",
    status: random.pick(["in_progress", "completed", "failed"]),
    content: block(random),
  }),
  (random) => ({
    sessionUpdate: "notice",
    severity: random.pick(["info", "warning", "error", "?"]),
    title: hostileText(random),
    description: hostileText(random),
  }),
  (random) => ({ sessionUpdate: hostileText(random), anything: hostileText(random) }),
];

function call(random: Random): Message {
  return {
    toolCallId: random.pick(CALLS),
    title: random.pick([null, hostileText(random)]),
    kind: random.pick(["read", "edit", "execute", "fetch", "think", "teleport"]),
    status: random.pick(["pending", "in_progress", "completed", "failed", "queued"]),
    content: random.list(random.int(0, 3), () => callContent(random)),
    locations: [{ path: hostileText(random), line: random.pick([1, -1, null]) }],
    rawInput: random.pick([null, "ls", { command: ["ls", hostileText(random)] }]),
    rawOutput: random.pick([null, hostileText(random), { stdout: hostileText(random) }]),
  };
}

function callContent(random: Random): Message {
  switch (random.int(0, 3)) {
    case 0:
      return {
        type: "diff",
        path: hostileText(random),
        oldText: random.pick([null, "", lines(random)]),
        newText: lines(random),
      };
    case 1:
      return { type: "terminal", terminalId: random.pick(["gone", hostileText(random)]) };
    default:
      return { type: "content", content: block(random) };
  }
}

function lines(random: Random): string {
  return random.list(random.int(0, 40), () => hostileText(random)).join("\n");
}

function textBlock(random: Random): Message {
  return { type: "text", text: hostileText(random) };
}

/** A content block of any type. */
export function block(random: Random): Message {
  switch (random.int(0, 6)) {
    case 0:
      return { type: "image", mimeType: "image/png", data: random.pick(["AAAA", "%%", ""]) };
    case 1:
      return { type: "resource_link", uri: hostileText(random), name: hostileText(random) };
    case 2:
      return {
        type: "resource",
        resource: { uri: "file:///x", text: hostileText(random), mimeType: hostileText(random) },
      };
    case 3:
      return { type: "hologram", text: hostileText(random) };
    default:
      return textBlock(random);
  }
}
