/**
 * Files that the agent writes through us: shown with the call that they belong to, or by themselves.
 *
 * @module
 */

import { isObject } from "../base/guards.ts";
import { openCalls } from "./calls.ts";
import type { ToolContent } from "./content_part.ts";
import { appendEntry, putCall } from "./entries.ts";
import type { SessionState } from "./session.ts";
import type { SessionEvent } from "./session_event.ts";
import { isRefused, newTool, settleTool } from "./tool_call.ts";
import type { ToolEntry, WrittenFile } from "./tool_entry.ts";

type Written = Extract<SessionEvent, { type: "file_written" }>;

/** Files that one call keeps. */
const MOST_FILES = 100;

/** What the ids of calls begin with that nobody has announced: files written by themselves. */
export const WRITE_ID = "mm-repl:write:";

/**
 * Takes a file that was written. The newest running call that names the file shows it, else the
 * newest that edits something, unless it says itself what it changes; a file that belongs to no
 * running call makes an entry of its own.
 */
export function addWrittenFile(state: SessionState, event: Written, at: number): SessionState {
  const file: WrittenFile = { path: event.path, content: contentOf(event) };
  const calls = openCalls(state);
  const call = calls.find((entry) => names(entry, event.path, state.cwd)) ??
    calls.find((entry) => entry.toolKind === "edit" && namesNoFile(entry));
  if (call === undefined) return addWrite(state, event, file, at);
  const others = (call.written ?? []).filter(({ path }) => path !== event.path);
  return putCall(state, { ...call, written: [...others, file].slice(-MOST_FILES) });
}

/**
 * What a call shows: its content, and the files it has written and the changes it was permitted that
 * the content does not show.
 */
export function shownContent(entry: ToolEntry, cwd: string): readonly ToolContent[] {
  const { content, written = [] } = entry;
  const permitted = permittedDiffs(entry);
  if (written.length === 0 && permitted.length === 0) return content;
  const shows = (items: readonly ToolContent[], path: string) =>
    items.some((item) => item.type === "diff" && samePath(item.path, path, cwd));
  const missing = written.filter(({ path }) => !shows(content, path)).map((file) => file.content);
  const shown = [...content, ...missing];
  const left = permitted.filter((item) => item.type === "diff" && !shows(shown, item.path));
  return [...shown, ...left];
}

/** What was asked about and then done, as far as is known. */
function permittedDiffs(entry: ToolEntry): readonly ToolContent[] {
  const { permission, status } = entry;
  if (permission?.diffs === undefined || permission.answer === undefined) return [];
  return status === "failed" || isRefused(entry) ? [] : permission.diffs;
}

function addWrite(
  state: SessionState,
  { path, change }: Written,
  { content }: WrittenFile,
  at: number,
): SessionState {
  const body = newTool(`${WRITE_ID}${state.entries.length}`, {
    title: `${change === "created" ? "Create" : "Write"} ${shortened(path, state.cwd)}`,
    toolKind: "edit",
    status: "completed",
    content: [content],
    locations: [{ path }],
  });
  const next = appendEntry(state, body, at, "call");
  const entry = next.entries.at(-1);
  return entry?.kind === "tool" ? putCall(next, settleTool(entry, at)) : next;
}

function contentOf({ path, change, oldText, newText, bytes }: Written): ToolContent {
  if (newText !== undefined && (change === "created" || oldText !== undefined)) {
    return { type: "diff", path, newText, ...(oldText === undefined ? {} : { oldText }) };
  }
  const text = `${path} was written, ${bytes} bytes; the change is not shown`;
  return { type: "content", content: { type: "text", text } };
}

function names(entry: ToolEntry, path: string, cwd: string): boolean {
  const input = isObject(entry.rawInput) ? Object.values(entry.rawInput) : [];
  return entry.locations.some((location) => samePath(location.path, path, cwd)) ||
    entry.content.some((item) => item.type === "diff" && samePath(item.path, path, cwd)) ||
    input.some((value) => typeof value === "string" && samePath(value, path, cwd));
}

function namesNoFile({ content, locations }: ToolEntry): boolean {
  return locations.length === 0 && !content.some((item) => item.type === "diff");
}

/** Whether two paths, which may start at the session's directory, are written alike. */
function samePath(one: string, other: string, cwd: string): boolean {
  return one === other || shortened(one, cwd) === shortened(other, cwd);
}

function shortened(path: string, cwd: string): string {
  const root = cwd.endsWith("/") ? cwd : `${cwd}/`;
  return (path.startsWith(root) ? path.slice(root.length) : path).replace(/^\.\//, "");
}
