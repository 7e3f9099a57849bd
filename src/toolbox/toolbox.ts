/**
 * The client tools of one session directory.
 *
 * @module
 */

import type { ToolDescription, ToolPermissions, ToolResult } from "../model/tool_manifest.ts";
import type { HostStarter } from "./host_command.ts";
import type { RunTrust } from "./trust.ts";

/**
 * A directory of tool files, and whose it is.
 *
 * ```ts
 * import type { ToolDirectory } from "@mm/repl";
 *
 * const directory: ToolDirectory = { path: "/home/user/tools", origin: "user" };
 * ```
 */
export interface ToolDirectory {
  /** Absolute. */
  readonly path: string;
  /**
   * `project` comes with the session's directory and needs trust; `user` is the user's own; `flag`
   * was named on the command line; `program` is no directory of files but the session's, for tools
   * that a program defines itself.
   */
  readonly origin: "project" | "user" | "flag" | "program";
}

/**
 * A tool that can be offered.
 *
 * ```ts
 * import type { LoadedTool } from "@mm/repl";
 *
 * const line = ({ modelName, description }: LoadedTool) => `${modelName}: ${description.description}`;
 * ```
 */
export interface LoadedTool {
  /** What its author calls it. */
  readonly name: string;
  /** What the model sees: `client_…`. */
  readonly modelName: string;
  /** What goes to the agent. */
  readonly description: ToolDescription;
  /** What it asked for, and has. */
  readonly permissions: ToolPermissions;
  /** Absolute path of the file; empty for a tool that a program defines itself. */
  readonly file: string;
  /** Where it comes from. */
  readonly directory: ToolDirectory;
  /** Milliseconds; bound of one call. */
  readonly timeoutMs: number;
}

/**
 * What is wrong with a file, or with one tool of it; unless it is harmless, that cannot be offered.
 *
 * ```ts
 * import type { ToolProblem } from "@mm/repl";
 *
 * const problem: ToolProblem = { file: "/tools/a.ts", line: 3, reason: "has no description" };
 * ```
 */
export interface ToolProblem {
  /** Absolute. */
  readonly file: string;
  /** Counted from 1, when it is known. */
  readonly line?: number;
  /** Counted from 1, when it is known. */
  readonly column?: number;
  /** Why, in one line. */
  readonly reason: string;
  /** True for what does nothing, such as a field that no tool has: the tool is offered all the same. */
  readonly harmless?: boolean;
}

/** What the trust question shows. */
export interface TrustRequest {
  readonly directory: string;
  readonly tools: readonly {
    readonly name: string;
    readonly file: string;
    readonly permissions: ToolPermissions;
    /** True when `run` or `ffi` is granted: such a tool can do whatever the user can. */
    readonly fullAccess?: boolean;
  }[];
  /** Absent the first time; else what changed since the last answer, one line each. */
  readonly changes?: readonly string[];
}

/**
 * `once`: for this run; `always`: remembered with the digest; `session_edits`: remembered, and
 * edits of this session are covered until a permission widens; `no`: left out.
 */
export type TrustAnswer = "no" | "once" | "always" | "session_edits";

/** How to open a toolbox. */
export interface ToolboxOptions {
  /** The session's directory, absolute. */
  readonly cwd: string;
  readonly directories: readonly ToolDirectory[];
  /** Asks about a directory that is not trusted (or has changed); absent: untrusted ones are left out. */
  readonly askTrust?: (request: TrustRequest) => Promise<TrustAnswer>;
  /** True loads every directory without asking (`--trust-tools`). */
  readonly trustAll?: boolean;
  /** Where descriptions are cached, absolute. */
  readonly cacheDir: string;
  /** Where trust answers are stored, absolute. */
  readonly trustFile: string;
  readonly signal?: AbortSignal;
  /** Answers that hold for this run of the program, shared by its toolboxes; absent: not shared. */
  readonly trustOfRun?: RunTrust;
  /** Told when finding out what tool files offer takes long: how many there are. */
  readonly onLong?: (files: number) => void;
  readonly limits?: Partial<ToolLimits>;
  /** How tool processes are started. Default: as the program itself was. */
  readonly startHost?: HostStarter;
}

/** Bounds of tool processes. */
export interface ToolLimits {
  /** Of describing one file, in milliseconds. Default 5,000. */
  readonly describeMs: number;
  /** When describing files takes long enough to be mentioned. Default 5,000. */
  readonly longMs: number;
  /** From the abort of a call to the end of a process that does not heed it. Default 500. */
  readonly graceMs: number;
  /** Resident memory of one tool process, in bytes. Default 1 GiB. */
  readonly memoryBytes: number;
}

/**
 * One call of the agent.
 *
 * ```ts
 * import type { ToolCallRequest } from "@mm/repl";
 *
 * const request: ToolCallRequest = {
 *   method: "_org.mini-me.repl/tools/greet",
 *   params: { name: "you" },
 *   sessionId: "s1",
 *   signal: AbortSignal.timeout(1_000),
 * };
 * ```
 */
export interface ToolCallRequest {
  /** Names the tool. */
  readonly method: string;
  /** The raw params: the model's arguments and `_meta`. */
  readonly params: unknown;
  /** The session that it belongs to. */
  readonly sessionId: string;
  /** Aborts when the agent takes the call back. */
  readonly signal: AbortSignal;
  /** Receives what the tool logs and says about its progress. */
  readonly onLog?: (line: { readonly kind: "log" | "progress"; readonly text: string }) => void;
}

/**
 * The tools of one session directory, open until {@link Toolbox.close}.
 *
 * ```ts
 * import { connect } from "@mm/repl";
 *
 * await using client = await connect({ kind: "demo" }, {
 *   tools: [{ name: "greet", description: "Greets.", handler: ({ name }) => `Hello, ${name}.` }],
 * });
 * console.assert(client.session.toolbox?.tools[0]?.modelName === "client_greet");
 * ```
 */
export interface Toolbox {
  /** Sorted by model name. */
  readonly tools: readonly LoadedTool[];
  /** What is left out, and why. */
  readonly problems: readonly ToolProblem[];
  /**
   * Directories that are left out for want of trust, or have changed since the user agreed to them;
   * {@link Toolbox.reload} asks about them. Looks at the files.
   */
  readonly untrusted: readonly string[];
  /**
   * Why a tool that is offered would not be run now: the user has to agree to changes first. Looks at
   * the files. Absent where nobody has to agree.
   */
  refusal?(tool: LoadedTool): string | undefined;
  /** What goes to the agent, sorted by model name. */
  descriptions(): ToolDescription[];
  /** The tool that was last offered under a method, whatever has become of its file since. */
  offered(method: string): LoadedTool | undefined;
  /**
   * Runs a tool. Rejects with `RpcError` only for an unknown method (-32601), malformed params
   * (-32602) and cancellation (-32800); everything else is a result with `isError`.
   */
  call(request: ToolCallRequest): Promise<ToolResult>;
  /** Reads all files again; the next `descriptions()` are the new ones. */
  reload(): Promise<void>;
  /** Ends every tool process. Idempotent. */
  close(): Promise<void>;
}
