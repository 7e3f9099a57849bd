/**
 * Tool calls: what an update says of one, and how it changes the entry.
 *
 * @module
 */

import { asNumber, asString, isObject, type JsonObject } from "../base/guards.ts";
import { optional, parseLocations, parseToolContent } from "./content.ts";
import type { ToolContent, ToolEntry, ToolKind, ToolLocation, ToolStatus } from "./session.ts";

/** ACP's kinds of tool calls. */
export const TOOL_KINDS = [
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "think",
  "fetch",
  "switch_mode",
  "other",
] as const satisfies readonly ToolKind[];

const KINDS: ReadonlySet<string> = new Set(TOOL_KINDS);
const STATUSES: ReadonlySet<string> = new Set<ToolStatus>(
  ["pending", "in_progress", "completed", "failed", "cancelled"],
);

/** Characters of shell output that are kept of one call; twice as many before it is cut again. */
const OUTPUT_KEPT = 256 * 1024;

/** What a `tool_call`, a `tool_call_update` or a permission request says; absent means nothing. */
export interface ToolPatch {
  readonly title?: string;
  readonly name?: string;
  readonly toolKind?: ToolKind;
  readonly status?: ToolStatus;
  readonly content?: readonly ToolContent[];
  readonly locations?: readonly ToolLocation[];
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
  /** More shell output. */
  readonly output?: string;
  readonly exit?: ToolEntry["metaExit"];
}

/** The id of a tool call: anything that is not a string or number gives the empty one. */
export function parseToolCallId(call: JsonObject): string {
  const id = call.toolCallId;
  return typeof id === "number" ? String(id) : asString(id) ?? "";
}

/** Reads a raw tool call. Values of a wrong type, unknown kinds and statuses count as absent. */
export function parseToolPatch(call: JsonObject): ToolPatch {
  const meta = isObject(call._meta) ? call._meta : {};
  return {
    ...optional("title", nonEmpty(call.title)),
    ...optional("name", nonEmpty(call.name)),
    ...optional("toolKind", member<ToolKind>(KINDS, call.kind)),
    ...optional("status", member<ToolStatus>(STATUSES, call.status)),
    ...optional(
      "content",
      Array.isArray(call.content) ? parseToolContent(call.content) : undefined,
    ),
    ...optional(
      "locations",
      Array.isArray(call.locations) ? parseLocations(call.locations) : undefined,
    ),
    ...optional("rawInput", call.rawInput ?? undefined),
    ...optional("rawOutput", call.rawOutput ?? undefined),
    ...optional("output", parseOutput(meta)),
    ...optional("exit", parseExit(meta)),
  };
}

/** A tool entry's own members. */
export type ToolBody = Omit<ToolEntry, "index" | "turn" | "history" | "startedAt" | "endedAt">;

/** A call that is seen for the first time, by whatever kind of message. */
export function newTool(toolCallId: string, patch: ToolPatch): ToolBody {
  const toolKind = patch.toolKind ?? "other";
  return {
    kind: "tool",
    toolCallId,
    title: patch.title ?? fallbackTitle({ toolCallId, toolKind, name: patch.name }),
    ...optional("name", patch.name),
    toolKind,
    status: patch.status ?? "pending",
    content: patch.content ?? [],
    locations: patch.locations ?? [],
    ...optional("rawInput", patch.rawInput),
    ...optional("rawOutput", patch.rawOutput),
    log: [],
    ...optional("metaOutput", patch.output === undefined ? undefined : keepEnd(patch.output)),
    ...optional("metaExit", patch.exit),
  };
}

/**
 * The call after an update. What the update says replaces what was there; a status never goes back,
 * so a call that has ended stays ended.
 */
export function updateTool(entry: ToolEntry, patch: ToolPatch): ToolEntry {
  const named: ToolEntry = {
    ...entry,
    ...optional("name", patch.name),
    toolKind: patch.toolKind ?? entry.toolKind,
    status: nextStatus(entry.status, patch.status),
    content: patch.content ?? entry.content,
    locations: patch.locations ?? entry.locations,
    ...optional("rawInput", patch.rawInput),
    ...optional("rawOutput", patch.rawOutput),
    ...optional(
      "metaOutput",
      patch.output === undefined ? undefined : keepEnd((entry.metaOutput ?? "") + patch.output),
    ),
    ...optional("metaExit", patch.exit),
  };
  const untitled = entry.title === fallbackTitle(entry);
  return { ...named, title: patch.title ?? (untitled ? fallbackTitle(named) : entry.title) };
}

/**
 * The call after it was announced once more. While it runs that is an update, except that empty
 * lists erase nothing; once it has ended, only what is missing is filled in.
 */
export function announceAgain(entry: ToolEntry, patch: ToolPatch): ToolEntry {
  const full: ToolPatch = {
    ...patch,
    content: patch.content?.length ? patch.content : undefined,
    locations: patch.locations?.length ? patch.locations : undefined,
  };
  if (!hasEnded(entry.status)) return updateTool(entry, full);
  return updateTool(entry, {
    title: entry.title === fallbackTitle(entry) ? full.title : undefined,
    name: entry.name === undefined ? full.name : undefined,
    toolKind: entry.toolKind === "other" ? full.toolKind : undefined,
    content: entry.content.length === 0 ? full.content : undefined,
    locations: entry.locations.length === 0 ? full.locations : undefined,
    rawInput: entry.rawInput === undefined ? full.rawInput : undefined,
    rawOutput: entry.rawOutput === undefined ? full.rawOutput : undefined,
  });
}

/** The call with `endedAt` exactly when nothing is expected of it any more. */
export function settleTool(entry: ToolEntry, at: number): ToolEntry {
  const waiting = entry.permission !== undefined && entry.permission.answer === undefined;
  if (hasEnded(entry.status) && !waiting) return { ...entry, endedAt: entry.endedAt ?? at };
  const { endedAt: _, ...open } = entry;
  return open;
}

/**
 * The call closed on our side, because its turn (or the connection) ended while it was open. It is
 * `cancelled` whatever its status was: nobody has told us that it succeeded.
 */
export function abandonTool(entry: ToolEntry, at: number): ToolEntry {
  const { permission } = entry;
  const answered = permission === undefined || permission.answer !== undefined
    ? permission
    : { ...permission, answer: { optionId: null, by: "cancel" as const }, answeredAt: at };
  return settleTool({
    ...entry,
    ...optional("permission", answered),
    status: hasEnded(entry.status) ? entry.status : "cancelled",
  }, at);
}

/** How long a call has run until `until`, in milliseconds: without the time that an answer took. */
export function runTime({ startedAt, permission }: ToolEntry, until: number): number {
  // The clock may have been put back.
  return Math.max(0, until - Math.max(startedAt, permission?.answeredAt ?? startedAt));
}

/** Whether the permission that a call needs was refused, by whomever. */
export function isRefused({ permission }: ToolEntry): boolean {
  if (permission?.answer === undefined) return false;
  const { optionId } = permission.answer;
  const chosen = permission.options.find((option) => option.optionId === optionId);
  return chosen === undefined || chosen.kind.startsWith("reject");
}

/** True for the statuses that nothing follows. */
function hasEnded(status: ToolStatus): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

function nextStatus(old: ToolStatus, next: ToolStatus | undefined): ToolStatus {
  if (next === undefined) return old;
  if (hasEnded(old)) return hasEnded(next) ? next : old;
  return old === "in_progress" && next === "pending" ? old : next;
}

function fallbackTitle(call: Pick<ToolEntry, "name" | "toolCallId" | "toolKind">): string {
  return call.name ?? (call.toolCallId || call.toolKind);
}

/** Shell output with its beginning cut off, at a line where possible, once it is much too long. */
function keepEnd(output: string): string {
  if (output.length <= 2 * OUTPUT_KEPT) return output;
  const end = output.slice(-OUTPUT_KEPT);
  const line = end.indexOf("\n");
  return line >= 0 && line < 4096 ? end.slice(line + 1) : end.toWellFormed();
}

function parseOutput(meta: JsonObject): string | undefined {
  const chunks = [meta.terminal_output, meta.terminal_output_delta]
    .flatMap((value) => isObject(value) ? asString(value.data) ?? [] : []);
  return chunks.length === 0 ? undefined : chunks.join("");
}

function parseExit(meta: JsonObject): ToolEntry["metaExit"] {
  if (!isObject(meta.terminal_exit)) return undefined;
  const { exit_code, signal } = meta.terminal_exit;
  return { exitCode: asNumber(exit_code) ?? null, signal: asString(signal) ?? null };
}

function nonEmpty(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function member<T extends string>(set: ReadonlySet<string>, value: unknown): T | undefined {
  return typeof value === "string" && set.has(value) ? value as T : undefined;
}
