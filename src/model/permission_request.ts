/**
 * What a permission question is about, as rules look at it.
 *
 * @module
 */

import { asObject, isObject } from "../base/guards.ts";
import { optional } from "./content.ts";
import type { ToolContent } from "./content_part.ts";
import { absolutePath, type PathBase, resolvePath } from "./permission_path.ts";
import { type RawInput, readRawInput } from "./raw_input.ts";
import type { ToolEntry, ToolKind } from "./session.ts";
import { parseToolPatch } from "./tool_call.ts";
import { wordSet } from "./word_set.ts";

/** A permission question in the terms of rules. Its base is the session's directory. */
export interface PermissionRequest extends PathBase {
  readonly kind: ToolKind;
  /** Names of the tool: what the agent calls it, and a client tool's own name. */
  readonly tools: readonly string[];
  /** The client tool that the agent calls. Absent: it does something of its own. */
  readonly client?: string;
  readonly title?: string;
  /** The files that it touches, as the agent named them. */
  readonly paths: readonly string[];
  /** Text in it that may name a file: it counts for rules that restrict. */
  readonly mentions?: readonly string[];
  /** Whole shell lines, each of which may be what is run. Absent: none is known of. */
  readonly commands?: readonly string[];
  /** Why it may run something else than what is known. */
  readonly vague?: string;
  /** Directories, absolute, that commands may start in. Default: the session's. */
  readonly directories?: readonly string[];
  /** Name of the agent in the configuration. */
  readonly agent?: string;
}

/** What the question itself does not say. */
export interface PermissionContext {
  readonly cwd: string;
  readonly home?: string;
  readonly agent?: string;
  /**
   * Whether the title of a call that runs a command, and has no arguments, is that command. Default
   * false: it counts for rules that restrict only.
   */
  readonly commandTitles?: boolean;
  /** The call as the session knows it: questions often repeat only its id. */
  readonly known?: ToolEntry;
}

/** Kinds whose `command` may be the name of an operation on files, and those names. */
const OPERATIONS = wordSet(
  `append copy create delete edit insert move read rename replace str_replace undo_edit view
  write`,
);

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
  const named = [
    ...[patch, known].flatMap((call) => (call?.locations ?? []).map(({ path }) => path)),
    ...[patch, known].flatMap((call) => call?.content ?? [])
      .flatMap((item) => item.type === "diff" ? [item.path] : []),
  ];
  // Text or a list at the top is a command where one is expected, and nothing that is known elsewhere.
  const raw = readRawInput(kind === "execute" || isObject(input) ? input : undefined);
  const located = readRawInput({ paths: named });
  const base = { cwd: context.cwd, ...optional("home", context.home) };
  const silent = input === undefined || (isObject(input) && Object.keys(input).length === 0);
  const titled = context.commandTitles === true && kind === "execute" && silent
    ? titledCommand(title, patch.content ?? known?.content ?? [])
    : undefined;
  const tool = clientTool(title);
  return {
    kind,
    tools: [patch.name ?? known?.name, tool].flatMap((name) => name ?? []),
    // A title may be the model's own words: what runs a command or touches files is no mere tool.
    ...optional("client", kind === "other" ? tool : undefined),
    ...optional("title", title),
    paths: [...new Set([...located.paths, ...raw.paths])],
    ...(raw.mentions.length === 0 ? {} : { mentions: raw.mentions }),
    ...(raw.cut || located.cut ? { vague: "it names more than is looked at" } : {}),
    ...commandsOf(kind, titled ?? raw, title),
    ...directoriesOf((titled ?? raw).directories, base),
    ...optional("agent", context.agent),
    ...base,
  };
}

function commandsOf(
  kind: ToolKind,
  { lines, unknown }: Pick<RawInput, "lines" | "unknown">,
  title: string | undefined,
): Pick<PermissionRequest, "commands" | "vague"> {
  if (kind !== "execute") {
    const commands = lines.filter((line) => !OPERATIONS.has(line));
    return commands.length === 0 ? {} : { commands };
  }
  if (lines.length === 0) {
    // Some agents give the command only as the title of the call, and some shorten it there.
    const shown = title?.replace(/^`+|`+$/g, "").trim() ?? "";
    const whole = shown !== "" && !/(…|\.\.\.)$/.test(shown);
    return {
      ...(whole ? { commands: [shown] } : {}),
      vague: "only its title says what it runs",
    };
  }
  const [first] = unknown;
  return {
    commands: lines,
    ...(first === undefined ? {} : { vague: `what its argument "${first}" does is not known` }),
  };
}

/** A command whose call says nothing but its title and, as text, the directory it runs in. */
function titledCommand(
  title: string | undefined,
  content: readonly ToolContent[],
): Pick<RawInput, "lines" | "unknown" | "directories"> | undefined {
  const texts = content.flatMap((item) =>
    item.type === "content" && item.content.type === "text" ? [item.content.text] : []
  );
  if (title === undefined || /^\s*$|…$/.test(title) || texts.length < content.length) {
    return undefined;
  }
  if (texts.length === 0) return { lines: [title], unknown: [], directories: [] };
  // What else it says could be another directory for all that is known.
  const place =
    /^\[(?:in|current working directory) ([^[\]\n]+)\](?: \([^[\]]*\))?(?: \[background\])?$/
      .exec(texts.join("\n"))?.[1];
  return place === undefined ? undefined : { lines: [title], unknown: [], directories: [place] };
}

function directoriesOf(
  given: readonly string[],
  base: PathBase,
): Pick<PermissionRequest, "directories"> {
  const elsewhere = given.some((directory) =>
    resolvePath(directory, base) !== resolvePath(".", base)
  );
  return elsewhere ? { directories: given.map((directory) => absolutePath(directory, base)) } : {};
}

function clientTool(title: string | undefined): string | undefined {
  return title === undefined ? undefined : /^client: (.+)$/s.exec(title)?.[1];
}
