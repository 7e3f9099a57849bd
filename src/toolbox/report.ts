/**
 * Tools as their author wants to see them, without an agent: what was written, what the model will
 * see, and what is wrong.
 *
 * @module
 */

import { MmError } from "../base/errors.ts";
import { sanitizeLine } from "../base/sanitize.ts";
import { describeForModel, type ModelTool, type ToolResult } from "../model/tool_manifest.ts";
import { openToolbox } from "./open_toolbox.ts";
import { isFullAccess, renderPermissions } from "./permissions.ts";
import type {
  LoadedTool,
  Toolbox,
  ToolboxOptions,
  ToolCallRequest,
  ToolProblem,
} from "./toolbox.ts";
import { parseTypedArguments } from "./typed_arguments.ts";

/** One good tool, beside what the model sees of it. */
export interface ReportedTool extends LoadedTool {
  readonly seen: ModelTool;
  /** True when its permissions let it do whatever the user can. */
  readonly fullAccess: boolean;
}

/** Every tool of some directories, trusted or not, and every problem. */
export interface ToolReport {
  /** Sorted by model name. */
  readonly tools: readonly ReportedTool[];
  readonly problems: readonly ToolProblem[];
}

/** A call made by hand. */
export interface ManualCall {
  /** The tool's own name, or the one that the model sees. */
  readonly name: string;
  /** The arguments as they were typed: one JSON object, or `key=value` words. */
  readonly words: readonly string[];
  readonly signal?: AbortSignal;
  readonly onLog?: ToolCallRequest["onLog"];
}

/** Describes all tools; no handler runs, so nobody is asked. */
export async function reportTools(options: ToolboxOptions): Promise<ToolReport> {
  const toolbox = await openToolbox({ ...options, trustAll: true });
  try {
    const tools = toolbox.tools.map((tool): ReportedTool => ({
      ...tool,
      seen: describeForModel(tool.description),
      fullAccess: isFullAccess(tool.permissions),
    }));
    return { tools, problems: toolbox.problems };
  } finally {
    await toolbox.close();
  }
}

/**
 * Calls one tool as an agent would: same trust, isolation, validation and limits.
 *
 * @throws {MmError} `tool` when there is no such tool, or its directory is not trusted; `usage` for
 * arguments that cannot be read.
 */
export async function callTool(options: ToolboxOptions, call: ManualCall): Promise<ToolResult> {
  const toolbox = await openToolbox(options);
  try {
    const { description } = findTool(toolbox, call.name);
    return await toolbox.call({
      method: description.method,
      params: parseTypedArguments(call.words, description.inputSchema),
      sessionId: "by-hand",
      signal: call.signal ?? new AbortController().signal,
      ...(call.onLog === undefined ? {} : { onLog: call.onLog }),
    });
  } finally {
    await toolbox.close();
  }
}

/**
 * The tool that a person means, by its own name or by the one that the model sees.
 *
 * @throws {MmError} `tool` when there is none.
 */
export function findTool(toolbox: Toolbox, name: string): LoadedTool {
  const tool = toolbox.tools.find((known) => known.name === name) ??
    toolbox.tools.find(({ modelName }) => modelName === name);
  if (tool === undefined) throw noSuchTool(name, toolbox);
  return tool;
}

/** The text of a result, ending in a newline; other blocks as JSON, one a line. */
export function renderResult({ content }: ToolResult): string {
  const parts = content.map((block) =>
    block.type === "text" && typeof block.text === "string" ? block.text : JSON.stringify(block)
  );
  const text = parts.join("\n");
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

/** One line a tool, then the problems. */
export function renderToolList({ tools, problems }: ToolReport): string[] {
  const width = Math.max(0, ...tools.map(({ name }) => sanitizeLine(name).length));
  const lines = tools.map((tool) =>
    `${sanitizeLine(tool.name).padEnd(width)}  ${firstLine(tool.description.description ?? "")}` +
    `  [${sanitizeLine(renderPermissions(tool.permissions))}]`
  );
  return [...(lines.length === 0 ? ["No tools."] : lines), ...renderProblems(problems)];
}

/** Every tool with what was written beside what the model sees, then the problems. */
export function renderToolCheck({ tools, problems }: ToolReport): string[] {
  const lines = tools.flatMap((tool) => [
    `${sanitizeLine(tool.name)}  ${sanitizeLine(tool.file)}`,
    `  may            ${sanitizeLine(renderPermissions(tool.permissions))}`,
    `  at most        ${tool.timeoutMs / 1000} s a call`,
    ...renderVersion(
      "you wrote",
      tool.name,
      tool.description.description,
      tool.description.inputSchema,
    ),
    ...renderVersion("the model sees", tool.seen.name, tool.seen.description, tool.seen.schema),
    "",
  ]);
  const count = (number: number, what: string) => `${number} ${what}${number === 1 ? "" : "s"}`;
  return [
    ...lines,
    ...renderProblems(problems),
    `${count(tools.length, "tool")}, ${count(problems.length, "problem")}`,
  ];
}

/** One line a problem: file, line and column where known, reason. */
export function renderProblems(problems: readonly ToolProblem[]): string[] {
  return problems.map(({ file, line, column, reason }) => {
    const place = line === undefined ? "" : `:${line}${column === undefined ? "" : `:${column}`}`;
    return sanitizeLine(`${file}${place}: ${reason}`);
  });
}

function renderVersion(
  label: string,
  name: string,
  description: string | undefined,
  schema: unknown,
): string[] {
  const indent = " ".repeat(17);
  return [
    `  ${label.padEnd(15)}${sanitizeLine(name)}`,
    ...(description ?? "").split("\n").map((line) => `${indent}${sanitizeLine(line)}`),
    ...(schema === undefined ? [] : [`${indent}${sanitizeLine(JSON.stringify(schema))}`]),
  ];
}

function firstLine(text: string): string {
  return sanitizeLine(text.trim().split("\n")[0] ?? "");
}

function noSuchTool(
  name: string,
  { tools, problems, untrusted }: Toolbox,
): MmError {
  const [problem] = renderProblems(problems.filter(({ file }) => file.endsWith(`/${name}.ts`)));
  if (problem !== undefined) return new MmError("tool", `Cannot call ${name}: ${problem}`);
  const [directory] = untrusted;
  if (directory !== undefined) {
    return new MmError("tool", `Cannot call ${name}: ${directory} is not trusted`, {
      hint: `Read its tools, then run "mm-repl tools trust ${directory}".`,
    });
  }
  const names = tools.map((tool) => tool.name).join(", ");
  return new MmError("tool", `Cannot call ${name}: there is no such tool`, {
    hint: names === "" ? 'Make one with "mm-repl tools new NAME".' : `There are: ${names}.`,
  });
}
