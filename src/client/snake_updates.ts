/**
 * Streaming notifications in snake case, with `type` and `data`, turned into standard updates.
 *
 * This is the only place that knows that shape: what leaves it is `{sessionId, update}`.
 *
 * @module
 */

import { asString, isObject, type JsonObject } from "../base/guards.ts";

/** Sessions and tools whose last call is remembered, to name calls that come without an id. */
const MAX_NAMED_CALLS = 1_000;

/** Their words for the statuses of tool calls and plan entries, where they are not the standard's. */
const STATUSES: ReadonlyMap<string, string> = new Map([
  ["running", "in_progress"],
  ["started", "in_progress"],
  ["executing", "in_progress"],
  ["success", "completed"],
  ["succeeded", "completed"],
  ["done", "completed"],
  ["ok", "completed"],
  ["error", "failed"],
  ["failure", "failed"],
]);

/** Reads the params of `session/update` of one connection. */
export class SnakeUpdates {
  /** The id of the last call by session and tool. */
  readonly #calls = new Map<string, string>();
  #count = 0;

  /**
   * The params as the protocol has them, in order: none where there is nothing in them, several
   * where they hold a list. What is in that shape already comes back as it is.
   */
  standard(params: unknown): readonly unknown[] {
    if (!isObject(params) || "update" in params && "sessionId" in params) return [params];
    const sessionId = idIn(params, ["session_id", "sessionId"]);
    if (sessionId === undefined) return [params];
    if (isObject(params.update)) return [{ sessionId, update: params.update }];
    const type = asString(params.type);
    if (type === undefined) return [params];
    return this.#updates(sessionId, type, params.data).map((update) => ({ sessionId, update }));
  }

  #updates(sessionId: string, type: string, raw: unknown): readonly JsonObject[] {
    const data = isObject(raw) ? raw : { content: raw };
    switch (type) {
      case "agent_message_chunk":
      case "agent_thought_chunk":
      case "user_message_chunk":
        return contentOf(data).map((content) => ({
          ...camelCase(data),
          sessionUpdate: type,
          content,
        }));
      case "plan": {
        const entries = Array.isArray(raw) ? raw : data.entries;
        // Without a list it is no plan, and does not end the one that there is.
        return Array.isArray(entries)
          ? [{ sessionUpdate: "plan", entries: entries.map(planEntry) }]
          : [];
      }
      case "tool_call":
        return [this.#call(sessionId, data)];
      case "tool_call_update":
        return [this.#callUpdate(sessionId, data)];
      case "mode_change": {
        const currentModeId = modeOf(data);
        return currentModeId === undefined
          ? [{ ...camelCase(data), sessionUpdate: type }]
          : [{ sessionUpdate: "current_mode_update", currentModeId }];
      }
      default:
        return [{ ...camelCase(data), sessionUpdate: type }];
    }
  }

  #call(sessionId: string, data: JsonObject): JsonObject {
    const tool = toolOf(data);
    const toolCallId = idOf(data) ?? `${tool || "call"}#${++this.#count}`;
    this.#remember(`${sessionId} ${tool}`, toolCallId);
    return {
      ...standardFields(data),
      sessionUpdate: "tool_call",
      toolCallId,
      title: asString(data.title) ?? (tool || toolCallId),
      status: statusOf(data.status) ?? "in_progress",
    };
  }

  #callUpdate(sessionId: string, data: JsonObject): JsonObject {
    const tool = toolOf(data);
    const toolCallId = idOf(data) ?? this.#calls.get(`${sessionId} ${tool}`) ?? (tool || "call");
    const output = data.result ?? data.output ?? data.error;
    const ended = data.error !== undefined && data.error !== null
      ? "failed"
      : data.result !== undefined
      ? "completed"
      : undefined;
    const status = statusOf(data.status) ?? ended;
    return {
      ...standardFields(data),
      sessionUpdate: "tool_call_update",
      toolCallId,
      ...(status === undefined ? {} : { status }),
      ...(output === undefined ? {} : { rawOutput: output }),
      ...textContent(data, output),
    };
  }

  #remember(key: string, toolCallId: string): void {
    this.#calls.delete(key);
    this.#calls.set(key, toolCallId);
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > MAX_NAMED_CALLS && oldest !== undefined) this.#calls.delete(oldest);
  }
}

function toolOf(data: JsonObject): string {
  return asString(data.tool_name) ?? asString(data.tool) ?? asString(data.name) ?? "";
}

function idOf(data: JsonObject): string | undefined {
  return idIn(data, ["tool_call_id", "call_id", "id"]);
}

/** The first of the members that is an id: text, or a number, which the standard has as text. */
function idIn(data: JsonObject, keys: readonly string[]): string | undefined {
  const id = keys.map((key) => data[key])
    .find((value) => typeof value === "string" || typeof value === "number");
  return id === undefined ? undefined : String(id);
}

const MODE_KEYS = [
  "mode_id",
  "mode",
  "current_mode_id",
  "new_mode",
  "automation_profile",
  "profile",
  "to",
  "id",
  "name",
  "content",
];

/** The mode, under one of the names that it may have, or as the only text that there is. */
function modeOf(data: JsonObject): string | undefined {
  for (const key of MODE_KEYS) {
    const value = data[key];
    const mode = asString(value) ?? (isObject(value) ? modeOf(value) : undefined);
    if (mode !== undefined) return mode;
  }
  const [only, ...others] = Object.values(data).filter((value) => typeof value === "string");
  return others.length === 0 ? only : undefined;
}

/** The content blocks of a chunk, each of which may be its text alone. */
function contentOf(data: JsonObject): readonly unknown[] {
  const content = data.content ?? data.text ?? data.chunk ?? data.delta ?? "";
  return (Array.isArray(content) ? content : [content])
    .map((block) => typeof block === "string" ? { type: "text", text: block } : block);
}

function planEntry(raw: unknown): unknown {
  if (!isObject(raw)) return raw;
  const status = statusOf(raw.status);
  return { ...raw, ...(status === undefined ? {} : { status }) };
}

function statusOf(raw: unknown): string | undefined {
  const status = asString(raw);
  return status === undefined ? undefined : STATUSES.get(status) ?? status;
}

/** What a tool call has beside its id, title and status. */
function standardFields(data: JsonObject): JsonObject {
  const { kind, locations } = data;
  const input = data.arguments ?? data.raw_input ?? data.input;
  const title = asString(data.title);
  return {
    ...(title === undefined ? {} : { title }),
    ...(kind === undefined ? {} : { kind }),
    ...(locations === undefined ? {} : { locations }),
    ...(input === undefined ? {} : { rawInput: input }),
    ...(Array.isArray(data.content) ? { content: data.content } : {}),
  };
}

/** Text that a call has put out, as content, where it brings no content of its own. */
function textContent(data: JsonObject, output: unknown): JsonObject {
  if (Array.isArray(data.content)) return {};
  const text = asString(data.content) ?? asString(data.progress) ?? asString(output) ??
    asString(data.message);
  if (text === undefined) return {};
  return { content: [{ type: "content", content: { type: "text", text } }] };
}

/** The object with its own keys in camel case; what the keys hold stays. */
function camelCase(data: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [
      key.startsWith("_") ? key : key.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase()),
      value,
    ]),
  );
}
