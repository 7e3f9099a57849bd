/**
 * What a front end sees of the running program, and the few things it can do to it.
 *
 * Front ends draw {@link AppState} and the state of the active session, and pass on what the person
 * types. They know nothing of the wire, of processes or of the library underneath.
 *
 * @module
 */

import type { MmError } from "../base/errors.ts";
import type { Unsubscribe } from "../base/listeners.ts";
import type { TurnOutcome } from "../model/session.ts";
import type { SessionChange, SessionStore } from "../model/session_store.ts";
import type { ThemeChoice, ThoughtsDisplay } from "./options.ts";

/** Something that the program needs a person to decide. Asked one at a time, oldest first. */
export interface Question {
  readonly id: string;
  /**
   * `permission`: the options are the agent's, `toolCallId` names the entry that shows what is asked.
   * `choice`: one of the options. `text` and `secret`: a line of input.
   */
  readonly kind: "permission" | "choice" | "text" | "secret";
  /** Our own words: what is asked. */
  readonly title: string;
  /** What the person must see to decide, as plain unsanitised lines. */
  readonly body: readonly string[];
  readonly options: readonly QuestionOption[];
  readonly toolCallId?: string;
  /** Of a `permission`: that it comes from another machine, in a sentence; shown before the body. */
  readonly origin?: string;
  /** Of a `text`: what an empty line stands for, e.g. `keeps 2`; absent where it says nothing. */
  readonly empty?: string;
  /** Id of the option that Enter alone, or an empty line, takes; absent where that takes none. */
  readonly preset?: string;
  /** What becomes of it without an answer, e.g. `cancels the form`. Default: it is left unanswered. */
  readonly dismissing?: string;
  /** What is answered is told by a notice later: front ends leave no line about it. Default false. */
  readonly quiet?: boolean;
  /** The session it belongs to; absent for the program's own. */
  readonly store?: SessionStore;
}

/** One choice. */
export interface QuestionOption {
  readonly id: string;
  readonly label: string;
  /** A remark, e.g. the option's kind where it disagrees with its name. */
  readonly hint?: string;
}

/** An answer: an option, a line of text, or that the person would not say (Esc). */
export type QuestionAnswer =
  | { readonly type: "option"; readonly id: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "dismissed" };

/** What is true of the program as a whole. */
export interface AppState {
  readonly phase: "starting" | "ready" | "disconnected" | "closing";
  /** For people: `mm -acp`, `demo`, a URL. */
  readonly agent: string;
  /** The embedded agent stands in for a missing one, or was asked for. */
  readonly demo: boolean;
  /** The session that input goes to. Exists from the start, before the agent has opened it. */
  readonly active: SessionStore;
  readonly sessions: readonly SessionStore[];
  /** Prompts of the active session that wait for the turn to end, oldest first. */
  readonly queue: readonly string[];
  /** The agent is there, and the active session is not open with it. Default false. */
  readonly unopened?: boolean;
  /** What goes with the next prompt besides its text, oldest first; unsanitised. */
  readonly attached?: readonly string[];
  /** Open questions, oldest first; the first one is asked. */
  readonly questions: readonly Question[];
  /** Commands that are being carried out, as they were entered, oldest first. Default none. */
  readonly underway?: readonly string[];
  /** Number of client tools of the active session. */
  readonly tools: number;
  /** Sessions besides the active one in which something has happened, with the number of updates. */
  readonly missed?: readonly { readonly store: SessionStore; readonly updates: number }[];
  /** Number of the try to reach a lost agent that is made or waited for, from 1. */
  readonly reconnecting?: number;
  /** How thoughts are shown once they have ended. */
  readonly thoughts?: ThoughtsDisplay;
  /** Background that colours are made for. */
  readonly theme?: ThemeChoice;
}

/** What a front end is told. */
export type AppChange =
  | { readonly type: "session"; readonly store: SessionStore; readonly change: SessionChange }
  | { readonly type: "state"; readonly state: AppState }
  /** `text` of a local command (`/help`, `/tools`), Markdown, already safe to sanitise and print. */
  | { readonly type: "output"; readonly text: string };

/** One proposal of a completion. */
export interface Completion {
  /** What replaces the text between `start` and the cursor. */
  readonly insert: string;
  readonly label: string;
  readonly description?: string;
}

/** Proposals, and where the text that they replace begins. */
export interface Completions {
  readonly start: number;
  readonly items: readonly Completion[];
}

/** Remembered input of one directory. */
export interface InputHistory {
  /** Reads what earlier runs have left; oldest first, bounded. Never rejects. */
  load(): Promise<readonly string[]>;
  /** Remembers one more. Submitting does this by itself. */
  add(text: string): Promise<void>;
}

/**
 * Lets `work` have the terminal to itself; the front end takes it back when that has ended. Gives
 * `undefined` without calling it when the terminal cannot be had.
 */
export type LendTerminal = <T>(work: () => Promise<T>) => Promise<T | undefined>;

/** How a line of input is to be taken. */
export interface SubmitOptions {
  /** Cancels the running turn and sends this before what is queued. Default false. */
  readonly now?: boolean;
  /** Whether it becomes part of the input history. Default true. */
  readonly remembered?: boolean;
}

/** Something that the agent may not do, because of the default or because nobody can be asked. */
export interface Refusal {
  /** What, and why: one line without full stop. */
  readonly message: string;
  /** What would permit it, without full stop. */
  readonly hint: string;
}

/** The running program, as front ends know it. */
export interface App {
  readonly state: AppState;
  /**
   * Settles when the first start has succeeded (`undefined`) or failed. In a terminal the failure is
   * a notice as well and the program stays usable; a run without a person ends with its `exit`.
   */
  readonly startError: Promise<MmError | undefined>;
  /** Whether somebody is there to answer questions. */
  readonly interactive: boolean;
  /** The first thing that was refused without a person, and without a rule that says so. */
  readonly unanswered?: Refusal;
  /** Prompts that still waited when the program was left, oldest first, as they were entered. */
  readonly unsent?: readonly string[];
  /** Id of the active session where a later run can go on with it, also after the end. */
  readonly resumable?: string;
  /** Set by a front end that can hand its terminal to another program. */
  lendTerminal?: LendTerminal;
  /** Set by a front end whose terminal can be asked to fill the clipboard; false when it cannot. */
  copyText?: (text: string) => boolean;
  /** Set by a front end without colours that a choice of theme could change. Default false. */
  colourless?: boolean;
  subscribe(listener: (change: AppChange) => void): Unsubscribe;
  /**
   * Takes what a person entered: a slash command, a command for the shell (`!ls`), or a prompt
   * (queued while a turn runs). Empty text (a bare Enter) starts a lost agent again, or sends a queue
   * that a cancel has held back. Settles when it was carried out: for a prompt, when its turn has
   * ended. Never rejects; failures become notices.
   */
  submit(text: string, options?: SubmitOptions): Promise<void>;
  /**
   * Sends `text` as a prompt of the active session whatever it looks like, once the session is open
   * and the prompts before it are through. Never rejects; `undefined` when it was never sent.
   */
  prompt(text: string): Promise<TurnOutcome | undefined>;
  /**
   * Cancels the running turn of the active session. False when there is none, and when that was done
   * before: then it says what else can be done.
   */
  cancelTurn(): boolean;
  /** Answers a question; unknown ids are ignored. */
  answer(questionId: string, answer: QuestionAnswer): void;
  /** Takes the newest queued prompt back, for editing, and what was to go with it. */
  unqueue(): string | undefined;
  /** Ends the newest command of the person that still runs; false when there is none. */
  stopCommand(): boolean;
  /** Lets the picture on the clipboard go with the next prompt; gives why not. Never rejects. */
  attachImage(): Promise<string | undefined>;
  /** Leaves out what was attached last; false when there is nothing. */
  dropAttachment(): boolean;
  /** Proposals for the text before `cursor` (an offset in UTF-16 units). */
  complete(text: string, cursor: number): Promise<Completions>;
  /** What was entered in this directory, in this run and earlier ones, oldest first. */
  readonly history: InputHistory;
  /** Ends everything that was started, then settles {@link App.done}. Idempotent. */
  leave(status: number): Promise<void>;
  /** Settles with the exit status when the program has ended. */
  readonly done: Promise<number>;
}
