/**
 * One session as the program has it: its transcript, its session at the agent, its queue.
 *
 * @module
 */

import type { Session } from "../api/contract.ts";
import { isLoss } from "../base/acp_errors.ts";
import { within } from "../base/clock.ts";
import type { Unsubscribe } from "../base/listeners.ts";
import { Attachments, type Prompt } from "./attachments.ts";
import { PromptQueue, type PromptQueueOptions } from "./prompt_queue.ts";
import type { NoticeEntry, TurnOutcome } from "../model/session.ts";
import { SessionStore } from "../model/session_store.ts";

/** How soon after a session was opened an agent tells its commands, in milliseconds. */
const COMMANDS_MS = 1_000;

/** A session of the program; outlives the agent behind it. */
export class Conversation {
  readonly store: SessionStore;
  readonly queue: PromptQueue;
  /** The prompt that was sent last. */
  lastPrompt: Prompt | undefined;
  /** What goes with the next one. */
  readonly attachments: Attachments;
  /** Directories besides the session's own, absolute. */
  directories: readonly string[];
  /** Updates that came while another session was the active one. */
  missed = 0;
  /** Warnings about tools, servers and directories that were told already. */
  readonly told = new Set<string>();
  /** The session is being opened again. */
  reopening = false;
  /** The agent does not know the session any more. */
  gone = false;
  #session: Session | undefined;
  #openedAt = -Infinity;
  #unwatch: Unsubscribe | undefined;
  /** How the last turn before this session had ended. */
  #before: TurnOutcome | undefined;

  constructor(
    cwd: string,
    directories: readonly string[],
    queue: (conversation: Conversation) => PromptQueueOptions,
  ) {
    const options = queue(this);
    this.attachments = new Attachments(options.changed);
    this.directories = directories;
    this.store = new SessionStore(cwd);
    this.queue = new PromptQueue(options);
  }

  /** The session at the agent; absent before it is open and after the agent was lost. */
  get session(): Session | undefined {
    return this.#session;
  }

  /** Whether the server has given the session to another connection. */
  get conflicted(): boolean {
    return this.#session?.conflicted === true;
  }

  /** Whether the session has a turn that runs. */
  get busy(): boolean {
    return this.store.state.turn.state === "running";
  }

  /** Whether the agent behind the newest session ended in a turn, whose outcome then says why. */
  get lostInTurn(): boolean {
    const { lastOutcome } = this.store.state;
    return lastOutcome !== this.#before && lastOutcome?.ok === false && isLoss(lastOutcome.error);
  }

  /** Takes a session; `unwatch` is called when it is let go. */
  attach(session: Session, unwatch: Unsubscribe): void {
    this.detach();
    this.gone = false;
    this.#session = session;
    this.#before = this.store.state.lastOutcome;
    this.#openedAt = performance.now();
    this.#unwatch = unwatch;
  }

  /** Adds a notice to the transcript. */
  notice(severity: NoticeEntry["severity"], text: string, detail?: string): void {
    this.store.dispatch({
      type: "notice_added",
      severity,
      text,
      ...(detail === undefined || detail === "" ? {} : { detail }),
    });
  }

  /** Tells each warning once. */
  warn(warnings: readonly string[]): void {
    for (const text of warnings) {
      if (this.told.has(text)) continue;
      this.told.add(text);
      this.notice("warning", text);
    }
  }

  /** Settles when no turn runs. */
  idle(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const check = () => this.busy || resolve();
    const stop = this.store.subscribe(check);
    check();
    return promise.finally(stop);
  }

  /** Settles when the agent has told its commands, or has had a moment for that since it opened. */
  async commandsTold(): Promise<void> {
    const left = this.#openedAt + COMMANDS_MS - performance.now();
    if (this.store.state.commands.length > 0 || left <= 0) return;
    const told = Promise.withResolvers<void>();
    const stop = this.store.subscribe(({ state }) => {
      if (state.commands.length > 0) told.resolve();
    });
    await within(told.promise, left);
    stop();
  }

  /** Lets the session go; the transcript stays. */
  detach(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
    this.#session = undefined;
  }
}
