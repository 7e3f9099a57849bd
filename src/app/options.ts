/**
 * What the command line and the configuration come down to before a program starts.
 *
 * @module
 */

import type { SignIn } from "../api/mod.ts";
import type { Settings } from "../config/settings.ts";
import type { AgentSpec } from "../model/agent_spec.ts";
import type { ProcessStarter } from "../process/early_start.ts";
import type { ToolDirectory } from "../toolbox/toolbox.ts";
import type { TraceTap } from "../transport/transport.ts";

/** Default answer to permission requests. */
export type PermissionDefault = "ask" | "allow" | "deny" | "reads";

/** How thoughts are shown once they have ended. */
export type ThoughtsDisplay = "full" | "folded" | "hidden";

/** Background that colours are made for; `auto` asks the terminal. */
export type ThemeChoice = "auto" | "dark" | "light";

/** What a check of the installation found. */
export interface Finding {
  readonly state: "ok" | "warn" | "fail";
  /** What was checked. */
  readonly what: string;
  readonly found: string;
  /** What to do about it; for everything but `ok`. */
  readonly mend?: string;
}

/** Directories of our own, absolute. */
export interface AppPaths {
  readonly configDir: string;
  readonly stateDir: string;
  readonly cacheDir: string;
}

/** Which session to open first. */
export type OpenFirst =
  | { readonly how: "new" }
  | { readonly how: "continue" }
  | { readonly how: "resume"; readonly sessionId: string };

/** Everything that a program needs to start. */
export interface AppOptions {
  readonly spec: AgentSpec;
  /** The embedded agent, asked for or in place of a missing one. */
  readonly demo: boolean;
  /** The session's directory, absolute. */
  readonly cwd: string;
  /** Somebody is there to answer questions. */
  readonly interactive: boolean;
  /** Lines to show before anything else, e.g. that mm was not found. */
  readonly startNotices: readonly string[];
  /** Tool directories for a session directory; empty with `--no-tools`. */
  readonly toolDirectories: (cwd: string) => readonly ToolDirectory[];
  readonly trustTools: boolean;
  readonly discovery: "auto" | "request" | "meta";
  readonly permissions: PermissionDefault;
  readonly mode?: string;
  readonly model?: string;
  /** Config options to set after the session opens, in order. */
  readonly set: readonly (readonly [string, string])[];
  readonly open: OpenFirst;
  readonly mcpServers: readonly unknown[];
  /** Directories that sessions may work in besides their own, absolute. Default none. */
  readonly additionalDirectories?: readonly string[];
  readonly paths: AppPaths;
  /** Bound of each step of the setup, in milliseconds. */
  readonly timeoutMs: number;
  /** Name that the agent goes by in the configuration and in permission rules. */
  readonly agentName?: string;
  /** Directory that the agent starts in where it is not the session's, absolute. */
  readonly agentCwd?: string;
  /** Starts the agent's process; it may have been started already. */
  readonly startAgent?: ProcessStarter;
  /** Which file requests are offered to the agent. Default `all`, for a remote agent `none`. */
  readonly fs?: "all" | "read" | "write" | "none";
  /** Whether terminals are offered to the agent. Default true, for a remote agent false. */
  readonly terminal?: boolean;
  /** Whether titles of calls count as their commands, for permission rules. Default false. */
  readonly commandTitles?: boolean;
  /** How to sign in right after the start. */
  readonly signIn?: SignIn;
  /** The settings, flags included, for what has no member here (rules, keys, colour, history …). */
  readonly settings?: Settings;
  /** Checks the installation. Never rejects. */
  readonly examine?: () => Promise<readonly Finding[]>;
  readonly tap?: TraceTap;
}
