/**
 * The running program: one agent, its sessions, and what a person enters.
 *
 * @module
 */

import { within } from "../base/clock.ts";
import type { MmError } from "../base/errors.ts";
import { Listeners, type Unsubscribe } from "../base/listeners.ts";
import type { TurnOutcome } from "../model/session.ts";
import { ProgramHost } from "./command_host.ts";
import { directoryHistory } from "./history.ts";
import { Intake } from "./intake.ts";
import { ManualToolCalls } from "./manual_tool_calls.ts";
import type { AppOptions } from "./options.ts";
import { readState } from "./program_state.ts";
import { ProjectFiles } from "./project_files.ts";
import { promptCapabilities } from "./prompt_blocks.ts";
import { UserCommands } from "./user_commands.ts";
import type {
  App,
  AppChange,
  AppState,
  Completions,
  InputHistory,
  LendTerminal,
  QuestionAnswer,
  Refusal,
  SubmitOptions,
} from "./view.ts";
import { type ProgramParts, Workings } from "./workings.ts";

/** How long a cancelled turn may take to end before the agent is ended, in milliseconds. */
const CANCEL_MS = 1_000;

/** See {@link App}. */
export class Program implements App {
  readonly interactive: boolean;
  readonly history: InputHistory;
  readonly startError: Promise<MmError | undefined>;
  lendTerminal?: LendTerminal;
  copyText?: (text: string) => boolean;
  colourless = false;
  readonly #options: AppOptions;
  readonly #workings: Workings;
  readonly #host: ProgramHost;
  readonly #intake: Intake;
  readonly #changes = new Listeners<AppChange>();
  readonly #done = Promise.withResolvers<number>();
  readonly #files = new ProjectFiles();
  readonly #commands = new UserCommands();
  readonly #toolCalls = new ManualToolCalls();
  #state: AppState;
  #leaving: Promise<void> | undefined;
  #unsent: readonly string[] = [];
  /** The turn of which it was said that the agent does not end it. */
  #overdue = 0;

  constructor(options: AppOptions, parts: ProgramParts) {
    this.#options = options;
    this.interactive = options.interactive;
    this.history = directoryHistory(
      options.paths.stateDir,
      options.cwd,
      options.settings?.historySize,
    );
    const changed = () => this.#changed();
    this.#workings = new Workings({
      app: options,
      parts,
      changed,
      event: (store, change) => this.#changes.emit({ type: "session", store, change }),
      lendTerminal: () => this.lendTerminal,
    });
    this.#host = new ProgramHost({
      options,
      app: this,
      workings: this.#workings,
      toolCalls: this.#toolCalls,
      changed,
      output: (text) => this.#changes.emit({ type: "output", text }),
    });
    const { life, sessions } = this.#workings;
    this.#intake = new Intake({
      host: this.#host,
      history: this.history,
      started: () => life.started,
      wantsSignIn: () => life.wantsSignIn,
      opened: () => sessions.opened,
      cancelTurn: () => this.cancelTurn(),
      changed,
      runCommand: (command, shared) => this.#commands.run(sessions.active, command, shared),
    });
    this.#state = this.#readState();
    life.begin();
    this.startError = life.started;
  }

  get state(): AppState {
    return this.#state;
  }

  get done(): Promise<number> {
    return this.#done.promise;
  }

  get unanswered(): Refusal | undefined {
    return this.#workings.permissions.unanswered;
  }

  get unsent(): readonly string[] {
    return this.#unsent;
  }

  get resumable(): string | undefined {
    const { gone, store: { state: { sessionId, open } } } = this.#host.active;
    if (gone || !this.#workings.keepsSessions) return undefined;
    // What nobody has said anything in is not worth going back to.
    return open.prompt === undefined ? undefined : sessionId;
  }

  subscribe(listener: (change: AppChange) => void): Unsubscribe {
    return this.#changes.add(listener);
  }

  submit(text: string, options?: SubmitOptions): Promise<void> {
    return this.#intake.submit(text, options);
  }

  prompt(text: string): Promise<TurnOutcome | undefined> {
    return this.#intake.prompt(text);
  }

  cancelTurn(): boolean {
    const { session, busy, store } = this.#host.active;
    if (session === undefined || !busy) return false;
    const { turn } = store.state;
    const again = turn.state === "running" && turn.cancelRequested;
    if (again && turn.number !== this.#overdue) {
      this.#overdue = turn.number;
      const advice = "/restart ends the agent and starts it again.";
      this.#workings.notice("info", "The agent has not ended the turn yet", advice);
    }
    session.cancel();
    return !again;
  }

  answer(questionId: string, answer: QuestionAnswer): void {
    this.#workings.questions.answer(questionId, answer);
  }

  unqueue(): string | undefined {
    const { active, destination } = this.#host;
    const prompt = destination.queue.takeNewest();
    active.attachments.add(...prompt?.attachments ?? []);
    return prompt?.text;
  }

  stopCommand(): boolean {
    const { active } = this.#host;
    return this.#commands.stop(active) || this.#toolCalls.stop(active);
  }

  async attachImage(): Promise<string | undefined> {
    const { client } = this.#host;
    const takes = client === undefined || promptCapabilities(client.initialized.capabilities).image;
    if (takes !== true) return "the agent takes no pictures";
    const { readClipboardImage } = await import("./clipboard_image.ts");
    const image = await readClipboardImage();
    if (typeof image === "string") return image;
    this.#host.active.attachments.add(image);
    return undefined;
  }

  dropAttachment(): boolean {
    return this.#host.active.attachments.drop() !== undefined;
  }

  async complete(text: string, cursor: number): Promise<Completions> {
    const { complete } = await import("./completion.ts");
    return await complete(text, cursor, this.#host, this.#files);
  }

  leave(status: number): Promise<void> {
    this.#leaving ??= this.#leave(status);
    return this.#leaving;
  }

  async #leave(status: number): Promise<void> {
    const { life, questions, sessions } = this.#workings;
    life.beginClosing();
    questions.close();
    this.#unsent = sessions.waiting;
    await within(Promise.all([sessions.endTurns(), this.#commands.close()]), CANCEL_MS);
    await life.close();
    const written = [this.#intake.remembered(), this.#workings.written()];
    await within(Promise.all(written), CANCEL_MS);
    this.#done.resolve(status);
  }

  #changed(): void {
    this.#state = this.#readState();
    this.#changes.emit({ type: "state", state: this.#state });
  }

  #readState(): AppState {
    const { life, sessions, questions } = this.#workings;
    return readState({
      options: this.#options,
      life,
      sessions,
      questions: questions.questions,
      underway: this.#intake.underway,
      thoughts: this.#host.thoughts,
      theme: this.#host.theme,
    });
  }
}
