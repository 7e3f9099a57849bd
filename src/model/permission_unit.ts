/**
 * The parts of a permission request that rules are held against one by one.
 *
 * @module
 */

import { optional } from "./content.ts";
import type { PermissionRequest } from "./permission_request.ts";
import { literalOf, parseShell, readingsOf, type ShellCommand } from "./shell_commands.ts";

/** One thing that a request would do. */
export interface PermissionUnit {
  /** For people: the command, the file, or the kind. */
  readonly label: string;
  /** The kinds that it counts as: a redirection of a shell line is also an edit or a read. */
  readonly kinds: readonly string[];
  /** The command, where it is one and could be read. */
  readonly commands?: {
    readonly exact: string;
    readonly readings: readonly string[];
    readonly dynamic: boolean;
    /** The command with every word quoted where needed; absent where it may come to mean more. */
    readonly literal?: string;
  };
  /** The files that it touches. */
  readonly paths: readonly string[];
  /** Words of a command that may be files. */
  readonly mentioned: readonly string[];
  /** True when it works on files and nobody has said on which. */
  readonly touchesUnknownFiles: boolean;
  /** Why it cannot be read. */
  readonly unclear?: string;
}

const FILE_KINDS: ReadonlySet<string> = new Set(["read", "edit", "delete", "move"]);

/** Takes a request apart; there is always at least one part. */
export function unitsOf(request: PermissionRequest): readonly PermissionUnit[] {
  const { command, kind, paths } = request;
  const kinds = [kind];
  const plain = { kinds, mentioned: [], touchesUnknownFiles: false };
  if (command !== undefined) return shellUnits(request, command);
  if (kind === "execute") {
    return [{ ...plain, label: "a command that is not known", paths, unclear: "it is not known" }];
  }
  if (paths.length > 0) return paths.map((path) => ({ ...plain, label: path, paths: [path] }));
  const touchesUnknownFiles = FILE_KINDS.has(kind);
  return [{ ...plain, label: `a call of kind ${kind}`, paths, touchesUnknownFiles }];
}

function shellUnits(request: PermissionRequest, command: string): readonly PermissionUnit[] {
  const { kind, paths } = request;
  const line = parseShell(command);
  const plain = { mentioned: [], touchesUnknownFiles: false };
  if (!line.clear) {
    const label = `"${command}"`;
    return [{
      ...plain,
      label,
      kinds: [kind],
      paths,
      touchesUnknownFiles: true,
      unclear: line.reason,
    }];
  }
  const units = [
    ...line.commands.map((part) => commandUnit(part, kind, paths)),
    ...line.redirects.map(({ access, path }) => ({
      ...plain,
      label: `${access === "write" ? "writing" : "reading"} ${path}`,
      kinds: [kind, access === "write" ? "edit" : "read"],
      paths: [path],
    })),
  ];
  if (units.length > 0) return units;
  return [{ ...plain, label: "a line without a command", kinds: [kind], paths }];
}

function commandUnit(
  command: ShellCommand,
  kind: string,
  paths: readonly string[],
): PermissionUnit {
  return {
    label: `"${command.text}"`,
    kinds: [kind],
    commands: {
      exact: command.text,
      readings: [command.text, ...readingsOf(command)],
      dynamic: command.dynamic,
      ...optional("literal", literalOf(command)),
    },
    paths,
    mentioned: command.words.slice(1).flatMap(fileNames),
    touchesUnknownFiles: false,
  };
}

/** What of an argument may name a file: `x`, and `x` of `--out=x`. */
function fileNames(word: string): readonly string[] {
  if (!word.startsWith("-")) return [word];
  const value = word.indexOf("=");
  return value < 0 ? [] : [word.slice(value + 1)];
}
