/**
 * What a permission question is about, as rules look at it.
 *
 * @module
 */

import { asArray, asObject, asString, isObject, type JsonObject } from "../base/guards.ts";
import { optional } from "./content.ts";
import { quoteWord } from "./shell_commands.ts";
import type { ToolEntry, ToolKind } from "./session.ts";
import { parseToolPatch } from "./tool_call.ts";

/** A permission question in the terms of rules. */
export interface PermissionRequest {
  readonly kind: ToolKind;
  /** Names of the tool: what the agent calls it, and a client tool's own name. */
  readonly tools: readonly string[];
  readonly title?: string;
  /** The files that it touches, as the agent named them. */
  readonly paths: readonly string[];
  /** The whole shell command. */
  readonly command?: string;
  /** Name of the agent in the configuration. */
  readonly agent?: string;
  /** Directory that relative paths are relative to, absolute. */
  readonly cwd: string;
  /** The home directory, absolute; without it `~` in rules matches nothing. */
  readonly home?: string;
}

/** What the question itself does not say. */
export interface PermissionContext {
  readonly cwd: string;
  readonly home?: string;
  readonly agent?: string;
  /** The call as the session knows it: questions often repeat only its id. */
  readonly known?: ToolEntry;
}

const COMMAND_KEYS = ["command", "cmd", "script"];
const PATH_KEYS = [
  "path",
  "paths",
  "file",
  "files",
  "filepath",
  "filename",
  "file_path",
  "file_paths",
  "filePath",
  "abs_path",
  "absolute_path",
  "absolutePath",
  "notebook_path",
  "old_path",
  "new_path",
  "source",
  "source_path",
  "destination",
  "destination_path",
  "directory",
  "dir_path",
];
/** Kinds whose `command` argument is not a shell command. */
const NEVER_SHELL: ReadonlySet<ToolKind> = new Set<ToolKind>(["edit", "delete", "move", "think"]);

/** Reads the raw `toolCall` of a `session/request_permission`. Never throws. */
export function permissionRequestOf(
  toolCall: unknown,
  context: PermissionContext,
): PermissionRequest {
  const { known } = context;
  const patch = parseToolPatch(asObject(toolCall));
  const kind = patch.toolKind ?? known?.toolKind ?? "other";
  const title = patch.title ?? known?.title;
  const input = patch.rawInput ?? known?.rawInput;
  const paths = [
    ...[patch, known].flatMap((call) => (call?.locations ?? []).map(({ path }) => path)),
    ...[patch, known].flatMap((call) => call?.content ?? [])
      .flatMap((item) => item.type === "diff" ? [item.path] : []),
    ...pathsOf(asObject(input)),
  ].map(pathOf);
  return {
    kind,
    tools: toolNames(patch.name ?? known?.name, title),
    ...optional("title", title),
    paths: [...new Set(paths)],
    ...optional("command", NEVER_SHELL.has(kind) ? undefined : commandOf(kind, input, title)),
    ...optional("agent", context.agent),
    cwd: context.cwd,
    ...optional("home", context.home),
  };
}

/** Some agents give the command only as the title of the call; one that is cut short is none. */
function commandOf(kind: ToolKind, input: unknown, title: string | undefined): string | undefined {
  if (isObject(input)) {
    const values = COMMAND_KEYS.map((key) => commandText(input[key]));
    const given = values.find((value) => value !== undefined);
    if (given !== undefined) return given;
  }
  if (kind !== "execute") return undefined;
  return commandText(input) ??
    (title !== undefined && /(…|\.\.\.)$/.test(title) ? undefined : title);
}

/** A command line; a list of words is quoted so that it reads the same. */
function commandText(value: unknown): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const words = value.flatMap((word) => asString(word) ?? []);
  return words.length === value.length ? words.map(quoteWord).join(" ") : undefined;
}

function pathsOf(input: JsonObject): readonly string[] {
  return PATH_KEYS.flatMap((key) => {
    const value = input[key];
    return asArray(Array.isArray(value) ? value : [value]).flatMap((item) => asString(item) || []);
  });
}

function pathOf(path: string): string {
  if (!path.startsWith("file://")) return path;
  try {
    return decodeURIComponent(new URL(path).pathname);
  } catch {
    return path;
  }
}

function toolNames(name: string | undefined, title: string | undefined): readonly string[] {
  const client = title === undefined ? undefined : /^client: (.+)$/s.exec(title)?.[1];
  return [name, client].flatMap((value) => value ?? []);
}
