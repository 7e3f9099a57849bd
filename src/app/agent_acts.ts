/**
 * What an agent has us do within its limits, as permission rules look at it.
 *
 * @module
 */

import { describeCommand } from "../client/command_request.ts";
import type { AgentAct } from "../client/objection.ts";
import { type PermissionRequest, permissionRequestOf } from "../model/permission_request.ts";
import { resolvePath } from "../model/permission_path.ts";
import type { SessionState, ToolEntry } from "../model/session.ts";

/** Where an act takes place. */
export interface ActPlace {
  /** The session's directory, absolute. */
  readonly cwd: string;
  readonly home: string | undefined;
  /** The agent's name in rules. */
  readonly agent: string | undefined;
}

/** The question that an agent would ask about an act. */
export function requestOfAct(act: AgentAct, place: ActPlace): PermissionRequest {
  const { cwd, home, agent } = place;
  const input = act.type === "file"
    ? { paths: [...new Set([act.named, act.path])] }
    : { command: describeCommand(act), cwd: act.cwd, env: act.env };
  const kind = act.type === "command" ? "execute" : act.access === "read" ? "read" : "edit";
  return permissionRequestOf({ kind, rawInput: input }, {
    cwd,
    ...(home === undefined ? {} : { home }),
    ...(agent === undefined ? {} : { agent }),
  });
}

/** Whether a person has just allowed the call, still open, that the act belongs to. */
export function isGranted(act: AgentAct, state: SessionState | undefined): boolean {
  return state?.open.calls.some((index) => {
    const entry = state.entries.at(index);
    return entry?.kind === "tool" && wasAllowed(entry) && covers(entry, act, state.cwd);
  }) ?? false;
}

/** An act in one line, for people. */
export function describeAct(act: AgentAct): string {
  return act.type === "command" ? `run ${describeCommand(act)}` : `${act.access} ${act.named}`;
}

/** An act with everything that belongs to it, for a question. */
export function actLines(act: AgentAct): readonly string[] {
  const more = act.type === "command"
    ? [
      `in ${act.cwd}`,
      ...Object.entries(act.env).map(([name, value]) => `with ${name}=${value}`),
    ]
    : act.path === act.named
    ? []
    : [`which leads to ${act.path}`];
  return [describeAct(act), ...more];
}

function wasAllowed({ permission }: ToolEntry): boolean {
  const { answer, options } = permission ?? {};
  if (answer?.by !== "user") return false;
  const chosen = options?.find(({ optionId }) => optionId === answer.optionId);
  return chosen?.kind === "allow_once" || chosen?.kind === "allow_always";
}

function covers(entry: ToolEntry, act: AgentAct, cwd: string): boolean {
  const granted = permissionRequestOf({}, { cwd, known: entry });
  const { kind, paths, commands = [], directories = [cwd] } = granted;
  if (act.type === "command") {
    // Another environment or directory may make another command of it.
    const wanted = requestOfAct(act, { cwd, home: undefined, agent: undefined });
    return (wanted.commands ?? []).every((line) => commands.includes(line)) &&
      (wanted.directories ?? [cwd]).every((directory) => directories.includes(directory));
  }
  if (act.access === "write" && (kind === "read" || kind === "search")) return false;
  return paths.some((path) => resolvePath(path, { cwd }) === act.named);
}
