/**
 * What stands against something that an agent has us do.
 *
 * @module
 */

/**
 * Something within the agent's limits that it has us do: a file of the session's directories, or a
 * command in a terminal.
 *
 * ```ts
 * import type { AgentAct } from "@mm/repl";
 *
 * const objection = (act: AgentAct) =>
 *   Promise.resolve(act.type === "command" ? "no commands here" : undefined);
 * ```
 */
export type AgentAct =
  & {
    /** The session that asks. */
    readonly sessionId: string;
    /** Aborts when the agent takes its request back, and when the connection ends. */
    readonly signal: AbortSignal;
  }
  & (
    | {
      readonly type: "file";
      /** As the agent named it, absolute. */
      readonly named: string;
      /** Where it really leads, links followed. */
      readonly path: string;
      readonly access: "read" | "write";
    }
    | {
      readonly type: "command";
      readonly command: string;
      /** Without arguments the command is a line for the user's shell. */
      readonly args: readonly string[];
      /** Absolute. */
      readonly cwd: string;
      /** Added to our environment. */
      readonly env: Readonly<Record<string, string>>;
    }
  );

/**
 * Says why something is refused, or `undefined` when it may be done.
 *
 * ```ts
 * import type { Objection } from "@mm/repl";
 *
 * const noWriting: Objection = async (act) =>
 *   act.type === "file" && act.access === "write" ? "nothing is written here" : undefined;
 * ```
 */
export type Objection = (act: AgentAct) => Promise<string | undefined>;
