/**
 * What a slash command is, and what it may use.
 *
 * @module
 */

import type { Client } from "../../api/contract.ts";
import type { Conversation } from "../conversation.ts";
import type { AgentMemory } from "../memory.ts";
import type { ManualToolCall } from "../manual_tool_calls.ts";
import type { AppOptions, ThemeChoice, ThoughtsDisplay } from "../options.ts";
import type { Permissions } from "../permissions.ts";
import type { NewQuestion } from "../questions.ts";
import type { Trace } from "../trace.ts";
import type { AppState, Completion, QuestionAnswer } from "../view.ts";

/** Severity of a notice. */
export type Severity = "info" | "warning" | "error";

/** The program, as commands use it. */
export interface CommandHost {
  readonly options: AppOptions;
  readonly state: AppState;
  readonly memory: AgentMemory;
  /** Absent while the agent is away. */
  readonly client: Client | undefined;
  readonly active: Conversation;
  /** The one that prompts are for: where one is being opened that one, else the active one. */
  readonly destination: Conversation;
  readonly conversations: readonly Conversation[];
  readonly permissions: Permissions;
  readonly trace: Trace;
  /** How thoughts are shown. */
  thoughts: ThoughtsDisplay;
  /** Background that colours are made for. */
  theme: ThemeChoice;
  /** There are no colours that a theme could change. */
  readonly colourless: boolean;
  /** Shows Markdown. */
  output(markdown: string): void;
  /** Adds a notice to the active session. */
  notice(severity: Severity, text: string, detail?: string): void;
  /** Asks the person; dismissed at once when there is none. */
  ask(question: NewQuestion): Promise<QuestionAnswer>;
  /** Opens a new session and makes it the active one. Rejects when it cannot be opened. */
  newSession(cwd: string): Promise<void>;
  /** Opens a session that the agent has. Rejects when it cannot be opened. */
  openSession(sessionId: string, cwd: string, title?: string): Promise<void>;
  /** Opens a copy of an open session and makes it the active one. Rejects when it cannot be. */
  forkSession(conversation: Conversation): Promise<void>;
  /** Makes an open session the active one; opens it at the agent again if it was lost. */
  switchTo(conversation: Conversation): Promise<void>;
  /** Ends a session that is not the only one; another one becomes active. */
  closeSession(conversation: Conversation): Promise<void>;
  /** Lets the active session work in one more directory. Rejects when the agent cannot do that. */
  addDirectory(directory: string): Promise<void>;
  /** Puts text on the clipboard, and says by what; `undefined` when there is none. Never rejects. */
  copy(text: string): Promise<"tool" | "terminal" | undefined>;
  /** Reads the tool files again and lets the agent ask for the list again. */
  reloadTools(): Promise<void>;
  /** Calls a tool of the active session; settles when it has ended. Rejects when it cannot. */
  callTool(call: ManualToolCall): Promise<void>;
  /**
   * Signs in to the agent, by the way of this id or name or else by a question, and opens the session
   * that could not be opened before. Rejects when the agent does not accept it.
   */
  signIn(method: string): Promise<void>;
  /** Signs out of the agent. Rejects when it does not offer that. */
  signOut(): Promise<void>;
  /** Ends the agent and starts it again. Never rejects. */
  restart(): Promise<void>;
  /**
   * Opens the active session at the agent again where it was lost and the connection was not; false
   * when there is nothing to do. Rejects when it cannot be opened.
   */
  reopenSession(): Promise<boolean>;
  /** No further tries to reach a lost agent; false when there are none. */
  stopReconnecting(): boolean;
  /** Sends a prompt; settles when its turn has ended. */
  prompt(text: string): Promise<unknown>;
  leave(status: number): Promise<void>;
}

/** One slash command: a row of the table in mod.ts. */
export interface Command {
  /** Without the slash. */
  readonly name: string;
  /** Its arguments for people, e.g. `[dir]`; empty for none. */
  readonly args: string;
  /** One line. */
  readonly help: string;
  /** Proposals for the arguments typed so far; none for a command without arguments. */
  readonly complete: (host: CommandHost, typed: string) => readonly Completion[];
  /** Also while a session is being opened; else it waits for that one, which it may be meant for. */
  readonly atOnce?: boolean;
  /** Waits for a start of the agent that goes on: without it there is nothing to do. */
  readonly needsAgent?: boolean;
  /** What follows its name is overlooked where it takes no arguments; else that is refused. */
  readonly loose?: boolean;
  /** Carries it out. What it throws becomes a notice. */
  readonly run: (args: string, host: CommandHost) => Promise<void> | void;
}

/** Completion of a command that proposes nothing. */
export function noCompletions(): readonly Completion[] {
  return [];
}
