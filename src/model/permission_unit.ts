/**
 * The parts of a permission request that rules are held against one by one.
 *
 * @module
 */

import { optional } from "./content.ts";
import { absolutePath, resolvePath } from "./permission_path.ts";
import type { PermissionRequest } from "./permission_request.ts";
import {
  literalOf,
  parseShell,
  readingsOf,
  type ShellCommand,
  type ShellLine,
} from "./shell_commands.ts";
import {
  onlyFilters,
  onlyReads,
  onlySpeaks,
  opensNoFiles,
  readsArguments,
} from "./shell_programs.ts";
import { baseName, programsOf } from "./shell_wrappers.ts";
import { pathsWithin } from "./word_paths.ts";

/** One thing that a request would do. */
export interface PermissionUnit {
  /** For people: the command, the file, or the kind. */
  readonly label: string;
  /**
   * The kinds that it counts as. What a shell line does counts as `execute`, whatever the agent calls
   * it; what surely only reads also as what it is called, and a redirection as an edit or a read.
   */
  readonly kinds: readonly string[];
  /** The kind that the agent names, for rules that restrict and for those about one command. */
  readonly called: string;
  /** The command, where it is one and could be read. */
  readonly commands?: {
    /** The command as it is, and without what changes nothing about it. */
    readonly exact: readonly string[];
    readonly readings: readonly string[];
    /** The words of every program that it surely runs, without directories before the name. */
    readonly programs: readonly (readonly string[])[];
    readonly dynamic: boolean;
    /** Text among its arguments that some program may run; empty where none does. */
    readonly hidden: string;
    /** The command with every word quoted where needed; absent where it may come to mean more. */
    readonly literal?: string;
  };
  /** The files that it touches, absolute. All of them must be allowed. */
  readonly paths: readonly string[];
  /** Words of a command that may be files, absolute. */
  readonly mentioned: readonly string[];
  /** The same of parts of words, where that is less sure. */
  readonly suspected: readonly string[];
  /** Words that stand for the files that match them, absolute. */
  readonly globs: readonly string[];
  /** Why it may touch files that nobody has named. */
  readonly unnamedFiles?: string;
  /** True when it is known only in part what it does with its files. */
  readonly usesFilesSomehow: boolean;
  /** True when it does nothing worth a rule, beside other parts that are allowed. */
  readonly incidental: boolean;
  /** Why it cannot be read. */
  readonly unclear?: string;
}

const FILE_KINDS: ReadonlySet<string> = new Set(["read", "edit", "delete", "move"]);

/** Takes a request apart; there is always at least one part. */
export function unitsOf(request: PermissionRequest): readonly PermissionUnit[] {
  const { commands, kind } = request;
  const runs = kind === "execute" && commands === undefined;
  const vague = request.vague ?? (runs ? "it is not known" : undefined);
  // What is not known may be a command, and may be a file.
  const unclear = { ...optional("unclear", vague), ...optional("unnamedFiles", vague) };
  const paths = request.paths.map((path) => absolutePath(path, request));
  const suspected = (request.mentions ?? []).map((path) => absolutePath(path, request));
  const plain = {
    kinds: [kind],
    called: kind,
    mentioned: request.directories ?? [],
    suspected,
    globs: [],
    usesFilesSomehow: false,
    incidental: false,
    ...unclear,
  };
  if (commands !== undefined) {
    return commands.flatMap((command) => shellUnits(request, command, { ...plain, paths }));
  }
  if (vague !== undefined) {
    const label = runs ? "a command that is not known" : `a call of kind ${kind}`;
    return [{ ...plain, label, paths }];
  }
  if (paths.length > 0) {
    return request.paths.map((path, index) => ({
      ...plain,
      label: path,
      paths: paths.slice(index, index + 1),
    }));
  }
  const unnamed = FILE_KINDS.has(kind) ? "it does not say which files" : undefined;
  return [{
    ...plain,
    label: `a call of kind ${kind}`,
    paths,
    ...optional("unnamedFiles", unnamed),
  }];
}

type Basis = Omit<PermissionUnit, "label">;

function shellUnits(
  request: PermissionRequest,
  command: string,
  plain: Basis,
): readonly PermissionUnit[] {
  const line = parseShell(command);
  const shell: Basis = { ...plain, kinds: ["execute"] };
  if (!line.clear) {
    const unnamedFiles = line.reason;
    return [{ ...shell, label: `"${command}"`, unclear: line.reason, unnamedFiles }];
  }
  const directories = directoriesOf(request, line);
  const units = [
    ...line.commands.map((part) => commandUnit(part, request, shell, directories)),
    ...line.redirects.map(({ access, path }): PermissionUnit => ({
      ...shell,
      label: `${access === "write" ? "writing" : "reading"} ${path}`,
      kinds: ["execute", access === "write" ? "edit" : "read"],
      paths: from(directories.known, path, request),
      ...(directories.lost === undefined
        ? {}
        : { unclear: directories.lost, unnamedFiles: directories.lost }),
    })),
  ];
  return units.length > 0 ? units : [{ ...shell, label: "a line without a command" }];
}

interface Directories {
  /** Every directory in which a part of the line may run. */
  readonly known: readonly string[];
  /** Why there may be others. */
  readonly lost?: string;
}

function directoriesOf(
  request: PermissionRequest,
  { moves }: ShellLine & { readonly clear: true },
): Directories {
  const starts = request.directories ?? [request.cwd];
  if (moves === undefined) {
    return { known: starts, lost: "the directory that it changes to is not known" };
  }
  const known = moves.reduce(
    (reached, move) => [...reached, ...from(reached, move, request)],
    starts,
  );
  return { known: [...new Set(known)] };
}

/** A path as seen from each of the directories, absolute. */
function from(
  directories: readonly string[],
  path: string,
  request: PermissionRequest,
): readonly string[] {
  return [...new Set(directories.map((cwd) => absolutePath(path, { ...request, cwd })))];
}

function commandUnit(
  command: ShellCommand,
  request: PermissionRequest,
  shell: Basis,
  { known, lost }: Directories,
): PermissionUnit {
  const { text, bare = text, words, args, dynamic, input, plain } = command;
  const assigned = [...command.assigned, ...command.looped];
  const absolute = (paths: readonly string[]) =>
    paths.flatMap((path) => from(known, path, request));
  const named = pathsWithin(
    [...words.slice(1), ...assigned],
    plain && !readsArguments(words) ? [] : input,
  );
  const fileless = opensNoFiles(words);
  const computed = args.some((word) => word.expands === "anything") && !fileless;
  const reads = command.assigned.length === 0 && onlyReads(words);
  const unnamed = computed ? "the shell computes what stands in it" : lost ?? shell.unnamedFiles;
  return {
    ...shell,
    label: `"${text}"`,
    kinds: reads && shell.called !== "execute" ? ["execute", shell.called] : ["execute"],
    commands: {
      exact: [text, bare],
      readings: [text, ...readingsOf(command)],
      programs: programsOf(words).map(([name = "", ...rest]) => [baseName(name), ...rest]),
      dynamic,
      hidden: plain ? assigned.join(" ") : [...assigned, ...words.slice(1), ...input].join(" "),
      ...optional("literal", request.directories === undefined ? literalOf(command) : undefined),
    },
    mentioned: [...shell.mentioned, ...absolute(named.sure)],
    suspected: [
      ...shell.suspected,
      ...absolute(plain && !readsArguments(words) ? named.parts : named.all),
    ],
    globs: fileless ? [] : absolute(
      args.flatMap((word) => word.expands === "files" ? [word.text] : []),
    ),
    ...optional("unnamedFiles", unnamed),
    usesFilesSomehow: !reads,
    incidental: lost === undefined && shell.unclear === undefined &&
      isIncidental(command, request, known),
  };
}

/** Whether a command but leads within the session's directory, says something, or filters what is said. */
function isIncidental(
  { words, args, assigned, input, feeds }: ShellCommand,
  request: PermissionRequest,
  directories: readonly string[],
): boolean {
  if (assigned.length > 0 || input.length > 0) return false;
  if (words[0] === "cd") return directories.every((directory) => isWithin(directory, request));
  if (onlySpeaks(words, args)) return !feeds;
  return args.every((word) => word.expands === undefined) && onlyFilters(words);
}

function isWithin(directory: string, request: PermissionRequest): boolean {
  const root = resolvePath(".", request);
  return `${resolvePath(directory, request)}/`.startsWith(root === "/" ? root : `${root}/`);
}
