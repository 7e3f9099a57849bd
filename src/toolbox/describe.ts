/**
 * Describing tool files: each in a process of its own, without permissions, a few at a time.
 *
 * @module
 */

import { within } from "../base/clock.ts";
import { isObject, type JsonObject } from "../base/guards.ts";
import { join } from "node:path";
import { type FileDescription, readDescription } from "./description.ts";
import type { KnownDescription, KnownDescriptions } from "./directory_index.ts";
import type { HostStarter, ImportMap } from "./host_command.ts";
import type { HostStart, RawTool, WorkerPermissions } from "./host/protocol.ts";
import { prepareLoaderDirectory } from "./loader_directory.ts";
import { isEmpty, parsePermissions, workerPermissions } from "./permissions.ts";
import { readableBy } from "./readable.ts";
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
  /** Told once when it takes long, with the number of files. */
  readonly onLong?: (count: number) => void;
}

/** What is in the tool files of a directory. */
export interface DirectoryDescription {
  /** By path below the directory. */
  readonly files: ReadonlyMap<string, FileDescription>;
  readonly problems: readonly ToolProblem[];
  /** What may be kept: the raw tools of the files without a problem, and which files said nothing. */
  readonly known: KnownDescriptions;
  /** How many files had to be loaded. */
  readonly loaded: number;
}

/** A directory of which nothing is known yet. */
export const NOT_DESCRIBED: DirectoryDescription = {
  files: new Map(),
  problems: [],
  known: new Map(),
  loaded: 0,
};

/** Processes that run at the same time. */
const AT_A_TIME = Math.max(2, Math.min(8, navigator.hardwareConcurrency));

/** So many files may use up the whole limit; the others, and those of an earlier time, get less. */
const PATIENCE = 3;
const SHORT_MS = 1_000;

/** Describes every tool file of a directory; what is known of one that has not changed holds. */
export async function describeFiles(
  files: ToolFiles,
  known: KnownDescriptions,
  options: DescribeOptions,
): Promise<DirectoryDescription> {
  if (files.candidates.length === 0) return { ...NOT_DESCRIBED, problems: files.problems };
  const config = loadToolImports(files);
  const problems: ToolProblem[] = [...files.problems, ...config.problems];
  const raw = new Map<string, KnownDescription>();
  const queue: string[] = [];
  const suspects = new Set<string>();
  for (const name of files.candidates) {
    const before = known.get(name);
    const isKnown = before?.key === sourceKey(files, name);
    if (isKnown && before.isHung) suspects.add(name);
    if (isKnown && !before.isHung) raw.set(name, before);
    else queue.push(name);
  }
  const loaded = queue.length;
  const hung: string[] = [];
  if (loaded > 0) {
    const fresh = await describeAnew(files, queue, suspects, config.imports, options);
    problems.push(...fresh.problems);
    for (const [name, tools] of fresh.tools) raw.set(name, { key: sourceKey(files, name), tools });
    hung.push(...fresh.hung);
  }
  const inOrder = files.candidates.flatMap((name) => {
    const tools = raw.get(name)?.tools;
    return tools === undefined ? [] : [[name, readDescription(tools)] as const];
  });
  for (const [name, description] of inOrder) {
    if (description.problems.length > 0) raw.delete(name);
    const file = join(files.root, name);
    problems.push(
      ...description.problems.map((reason) => ({ file, reason })),
      ...description.warnings.map((reason) => ({ file, reason, harmless: true })),
    );
  }
  for (const name of hung) raw.set(name, { key: sourceKey(files, name), tools: [], isHung: true });
  problems.sort((a, b) => a.file < b.file ? -1 : a.file > b.file ? 1 : 0);
  return { files: new Map(inOrder), problems, known: raw, loaded };
}

/** What came of loading files. */
interface Loaded {
  readonly tools: ReadonlyMap<string, readonly RawTool[]>;
  readonly problems: readonly ToolProblem[];
  /** Files that said nothing in time. */
  readonly hung: readonly string[];
}

/** Loads files, a few at a time, and checks what they say. Suspects have said nothing before. */
async function describeAnew(
  files: ToolFiles,
  names: readonly string[],
  suspects: ReadonlySet<string>,
  imports: ImportMap,
  options: DescribeOptions,
): Promise<Loaded> {
  const queue = [...names];
  const fresh = new Map<string, readonly RawTool[]>();
  const problems: ToolProblem[] = [];
  const hung: string[] = [];
  const work = async (): Promise<void> => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
      options.signal?.throwIfAborted();
      const { describeMs } = options.limits;
      const isPatient = hung.length < PATIENCE && !suspects.has(name);
      const limitMs = isPatient ? describeMs : Math.min(describeMs, SHORT_MS);
      const opening = await openForDescription(files, name, imports, limitMs, options);
      if (opening === undefined) hung.push(name);
      if (opening?.kind === "described") fresh.set(name, opening.tools);
      else problems.push(problemOf(join(files.root, name), opening ?? tooLong(limitMs)));
    }
  };
  const long = setTimeout(() => options.onLong?.(names.length), options.limits.longMs);
  try {
    await Promise.all(Array.from({ length: AT_A_TIME }, work));
    return { tools: await checkDefinitions(fresh, files, options), problems, hung };
  } finally {
    clearTimeout(long);
  }
}

type Described = { readonly kind: "described"; readonly tools: readonly RawTool[] };
type Broken = Extract<Opening, { kind: "broken" }>;

/** What a file says of itself; `undefined` when it says nothing in time. */
async function openForDescription(
  files: ToolFiles,
  name: string,
  imports: ImportMap,
  limitMs: number,
  options: DescribeOptions,
): Promise<Described | Broken | undefined> {
  const task = { task: "describe", file: join(files.root, name), schemas: {}, grants: {} } as const;
  const opening = await openBlind(files, imports, task, limitMs, options);
  return opening?.kind === "described" || opening?.kind === "broken" ? opening : undefined;
}

function tooLong(limitMs: number): Broken {
  const reason = `was not loaded within ${limitMs / 1000} s: its top level does not end` +
    ", or what it imports cannot be had so soon";
  return { kind: "broken", reason, place: {} };
}

/**
 * Marks the tools whose schemas or permissions are not valid, of all files in one process: the
 * validator takes longer to load than a tool file. A process that does not end its work leaves the
 * rest unmarked, for the first call to find out.
 */
async function checkDefinitions(
  fresh: ReadonlyMap<string, readonly RawTool[]>,
  files: ToolFiles,
  options: DescribeOptions,
): Promise<ReadonlyMap<string, readonly RawTool[]>> {
  const schemas: { [key: string]: JsonObject } = {};
  const grants: { [key: string]: WorkerPermissions } = {};
  for (const [name, tools] of fresh) {
    for (const [index, { inputSchema, permissions }] of tools.entries()) {
      const key = `${name} ${index}`;
      if (isObject(inputSchema)) schemas[key] = inputSchema;
      const { permissions: asked } = parsePermissions(permissions);
      if (!isEmpty(asked)) grants[key] = workerPermissions(asked, []);
    }
  }
  if (Object.keys({ ...schemas, ...grants }).length === 0) return fresh;
  const task = { task: "check", file: "", schemas, grants } as const;
  const opening = await openBlind(files, {}, task, options.limits.describeMs, options);
  if (opening?.kind !== "checked") return fresh;
  const mark = (name: string) => (tool: RawTool, index: number): RawTool => {
    const problems = opening.problems[`${name} ${index}`];
    return problems === undefined ? tool : { ...tool, problems };
  };
  return new Map([...fresh].map(([name, tools]) => [name, tools.map(mark(name))]));
}

/** What a process without permissions says of its task; `undefined` when it takes too long. */
async function openBlind(
  files: ToolFiles,
  imports: ImportMap,
  task: Pick<HostStart, "task" | "file" | "schemas" | "grants">,
  limitMs: number,
  { limits, startHost, cacheDir }: DescribeOptions,
): Promise<Opening | undefined> {
  const cwd = files.root;
  const loaderDir = prepareLoaderDirectory(cacheDir);
  const spec = startHost({ cwd, root: cwd, permissions: {}, imports, loaderDir, blind: true });
  const permissions = { ...workerPermissions({}, readableBy(files)), env: "inherit" } as const;
  const process = new ToolProcess(spec, { ...task, cwd, permissions }, limits);
  const opening = await within(process.opening, limitMs);
  await process.stop("it has done its task");
  return opening.ok ? opening.value : undefined;
}

function problemOf(file: string, { reason, place }: Broken): ToolProblem {
  const where = place.line === undefined ? {} : { line: place.line };
  const column = place.column === undefined ? {} : { column: place.column };
  if (place.file === undefined || place.file === file) return { file, ...where, ...column, reason };
  return { file, reason: `${reason} (${place.file}:${place.line})` };
}
