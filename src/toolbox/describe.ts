/**
 * Describing tool files: each in a process of its own, without permissions, a few at a time.
 *
 * @module
 */

import { within } from "../base/clock.ts";
import { isObject, type JsonObject } from "../base/guards.ts";
import { join } from "node:path";
import { DescriptionCache } from "./description_cache.ts";
import { type FileDescription, readDescription } from "./description.ts";
import type { HostStarter, ImportMap } from "./host_command.ts";
import type { HostStart, RawTool } from "./host/protocol.ts";
import { readableBy } from "./readable.ts";
import { workerPermissions } from "./permissions.ts";
import { loadToolImports } from "./tool_config.ts";
import { sourceKey, type ToolFiles } from "./tool_files.ts";
import { type Opening, ToolProcess } from "./tool_process.ts";
import type { ToolLimits, ToolProblem } from "./toolbox.ts";

/** How to describe. */
export interface DescribeOptions {
  readonly cacheDir: string;
  readonly limits: ToolLimits;
  readonly startHost: HostStarter;
  readonly signal?: AbortSignal;
}

/** What is in the tool files of a directory. */
export interface DirectoryDescription {
  /** By path below the directory. */
  readonly files: ReadonlyMap<string, FileDescription>;
  readonly problems: readonly ToolProblem[];
}

/** Processes that run at the same time. */
const AT_A_TIME = Math.max(2, Math.min(8, navigator.hardwareConcurrency));

/** Describes every tool file of a directory, from the cache where it has not changed. */
export async function describeFiles(
  files: ToolFiles,
  options: DescribeOptions,
): Promise<DirectoryDescription> {
  const cache = new DescriptionCache(options.cacheDir, files.root);
  const described = new Map<string, FileDescription>();
  if (files.candidates.length === 0) return { files: new Map(), problems: files.problems };
  const config = loadToolImports(files.root);
  const problems: ToolProblem[] = [...files.problems, ...config.problems];
  const queue = files.candidates.filter((name) => {
    const raw = cache.get(name, sourceKey(files, name));
    if (raw !== undefined) described.set(name, readDescription(raw));
    return raw === undefined;
  });
  const fresh = new Map<string, readonly RawTool[]>();
  const work = async (): Promise<void> => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
      options.signal?.throwIfAborted();
      const opening = await openForDescription(files, name, config.imports, options);
      if (opening.kind === "described") fresh.set(name, opening.tools);
      else problems.push(problemOf(join(files.root, name), opening));
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  for (const [name, raw] of await checkSchemas(fresh, files, options)) {
    const description = readDescription(raw);
    described.set(name, description);
    if (description.problems.length === 0) cache.set(name, sourceKey(files, name), raw);
  }
  await cache.save(files.candidates);
  for (const [name, { problems: reasons }] of described) {
    for (const reason of reasons) problems.push({ file: join(files.root, name), reason });
  }
  const inOrder = files.candidates.flatMap((name) => {
    const description = described.get(name);
    return description === undefined ? [] : [[name, description] as const];
  });
  problems.sort((a, b) => a.file < b.file ? -1 : a.file > b.file ? 1 : 0);
  return { files: new Map(inOrder), problems };
}

type Described = { readonly kind: "described"; readonly tools: readonly RawTool[] };
type Broken = Extract<Opening, { kind: "broken" }>;

async function openForDescription(
  files: ToolFiles,
  name: string,
  imports: ImportMap,
  options: DescribeOptions,
): Promise<Described | Broken> {
  const file = join(files.root, name);
  const opening = await openBlind(files, imports, { task: "describe", file, schemas: {} }, options);
  if (opening?.kind === "described" || opening?.kind === "broken") return opening;
  const seconds = options.limits.describeMs / 1000;
  const reason = `was not loaded within ${seconds} s: its top level does not end`;
  return { kind: "broken", reason, place: {} };
}

/**
 * Marks the tools whose schemas are not valid, of all files in one process: the validator takes
 * longer to load than a tool file. A process that does not end its work leaves the rest unmarked,
 * for the first call to find out.
 */
async function checkSchemas(
  fresh: ReadonlyMap<string, readonly RawTool[]>,
  files: ToolFiles,
  options: DescribeOptions,
): Promise<ReadonlyMap<string, readonly RawTool[]>> {
  const schemas: { [key: string]: JsonObject } = {};
  for (const [name, tools] of fresh) {
    for (const [index, { inputSchema }] of tools.entries()) {
      if (isObject(inputSchema)) schemas[`${name} ${index}`] = inputSchema;
    }
  }
  if (Object.keys(schemas).length === 0) return fresh;
  const noImports = { imports: {}, scopes: {} };
  const opening = await openBlind(files, noImports, { task: "check", file: "", schemas }, options);
  if (opening?.kind !== "checked") return fresh;
  const mark = (name: string) => (tool: RawTool, index: number): RawTool => {
    const problem = opening.problems[`${name} ${index}`];
    return problem === undefined ? tool : { ...tool, problem };
  };
  return new Map([...fresh].map(([name, tools]) => [name, tools.map(mark(name))]));
}

/** What a process without permissions says of its task; `undefined` when it takes too long. */
async function openBlind(
  files: ToolFiles,
  imports: ImportMap,
  task: Pick<HostStart, "task" | "file" | "schemas">,
  { limits, startHost }: DescribeOptions,
): Promise<Opening | undefined> {
  const readable = readableBy(files);
  const cwd = files.root;
  const spec = startHost({ cwd, readable, permissions: {}, imports, blind: true });
  const permissions = { ...workerPermissions({}, readable), env: "inherit" } as const;
  const process = new ToolProcess(spec, { ...task, cwd, permissions }, limits);
  const opening = await within(process.opening, limits.describeMs);
  await process.stop("it has done its task");
  return opening.ok ? opening.value : undefined;
}

function problemOf(file: string, { reason, place }: Broken): ToolProblem {
  const where = place.line === undefined ? {} : { line: place.line };
  const column = place.column === undefined ? {} : { column: place.column };
  if (place.file === undefined || place.file === file) return { file, ...where, ...column, reason };
  return { file, reason: `${reason} (${place.file}:${place.line})` };
}
