/**
 * The running program: one agent, its sessions, and what a person enters.
 *
 * @module
 */

import type { Client } from "../api/contract.ts";
import { type Clock, within } from "../base/clock.ts";
import { MmError } from "../base/errors.ts";
import { Listeners, type Unsubscribe } from "../base/listeners.ts";
import { describeAgent, remoteHost } from "../model/agent_spec.ts";
import type { TurnOutcome } from "../model/session.ts";
import type { SessionStore } from "../model/session_store.ts";
import type { RunTrust } from "../toolbox/trust.ts";
import { AgentLife } from "./agent_life.ts";
import type { OpenClient } from "./agent_link.ts";
import { type AgentSetup, clientOptions, type OpenToolbox, sendOutside } from "./agent_setup.ts";
import type { CommandHost, Severity } from "./commands/command.ts";
import type { Conversation } from "./conversation.ts";
import { Elicitations } from "./elicitation.ts";
import { directoryHistory } from "./history.ts";
import { Intake } from "./intake.ts";
import { AgentMemory } from "./memory.ts";
import { type ManualToolCall, ManualToolCalls } from "./manual_tool_calls.ts";
import type { AppOptions, ThemeChoice, ThoughtsDisplay } from "./options.ts";
import { Permissions } from "./permissions.ts";
import { promptCapabilities } from "./prompt_blocks.ts";
import { readState } from "./program_state.ts";
import { ProjectFiles } from "./project_files.ts";
import { type NewQuestion, QuestionQueue } from "./questions.ts";
import { Sessions } from "./sessions.ts";
import { canReopen } from "./session_opening.ts";
import { SigningIn } from "./signing_in.ts";
import { Trace } from "./trace.ts";
import { UserCommands } from "./user_commands.ts";
import type {
  App,
  AppChange,
  AppState,
  Completions,
  InputHistory,
  LendTerminal,
  QuestionAnswer,
  SubmitOptions,
} from "./view.ts";

/** How long a cancelled turn may take to end before the agent is ended, in milliseconds. */
const CANCEL_MS = 1_000;

/** What a program is made of that tests replace. */
export interface ProgramParts {
  readonly openClient: OpenClient;
  readonly openToolbox: OpenToolbox;
  /** For the pauses before a lost connection is tried again. Default: the machine's. */
  readonly clock?: Clock;
}

/** See {@link App}, and {@link CommandHost} for what commands may do. */
export class Program implements App, CommandHost {
  readonly options: AppOptions;
  readonly interactive: boolean;
  readonly history: InputHistory;
  readonly memory: AgentMemory;
  readonly startError: Promise<MmError | undefined>;
  readonly permissions: Permissions;
  readonly trace: Trace;
  lendTerminal?: LendTerminal;
  copyText?: (text: string) => boolean;
  colourless = false;
  readonly #parts: ProgramParts;
  readonly #changes = new Listeners<AppChange>();
  readonly #done = Promise.withResolvers<number>();
  readonly #questions: QuestionQueue;
  readonly #elicitations: Elicitations;
  readonly #files = new ProjectFiles();
  readonly #commands = new UserCommands();
  readonly #toolCalls = new ManualToolCalls();
  readonly #trustOfRun: RunTrust = new Map();
  readonly #sessions: Sessions;
  #thoughts: ThoughtsDisplay;
  #theme: ThemeChoice;
  readonly #life: AgentLife;
  #keepsSessions = false;
  #state: AppState;
  #leaving: Promise<void> | undefined;
  /** The turn of which it was said that the agent does not end it. */
  #overdue = 0;
  readonly #signing: SigningIn;
  readonly #intake: Intake;
  readonly #ask = (question: NewQuestion) => this.ask(question);

  constructor(options: AppOptions, parts: ProgramParts) {
    this.options = options;
    this.interactive = options.interactive;
    this.#thoughts = options.settings?.thoughts ?? "folded";
    this.#theme = options.settings?.theme ?? "auto";
    this.#parts = parts;
    this.history = directoryHistory(
      options.paths.stateDir,
      options.cwd,
      options.settings?.historySize,
    );
    this.memory = new AgentMemory(options.paths.stateDir, describeAgent(options.spec));
    const changed = () => this.#changed();
    this.#questions = new QuestionQueue(changed);
    this.trace = new Trace(options.tap);
    this.permissions = new Permissions({
      app: options,
      store: (id) => this.#findStore(id),
      ask: (question, signal) => this.ask(question, signal),
      notice: (severity, text) => this.notice(severity, text),
    });
    this.#elicitations = new Elicitations({
      questions: this.#questions,
      host: remoteHost(options.spec),
      store: (id) => this.#findStore(id),
      notice: (severity, text, store, detail) =>
        (store ?? this.active.store).dispatch({
          type: "notice_added",
          severity,
          text,
          ...(detail === undefined ? {} : { detail }),
        }),
      openUrl: async (url) => await (await import("./open_url.ts")).openUrl(url),
    });
    this.#signing = new SigningIn({
      spec: options.spec,
      cwd: options.agentCwd ?? options.cwd,
      questions: this.#questions,
      interactive: options.interactive,
      lendTerminal: () => this.lendTerminal,
    });
    this.#sessions = new Sessions({
      app: options,
      questions: this.#questions,
      memory: this.memory,
      signing: this.#signing,
      permissions: this.permissions,
      client: () => this.#life.client,
      ready: () => this.#life.phase === "ready",
      closing: () => this.#life.phase === "closing",
      changed,
      event: (store, change) => this.#changes.emit({ type: "session", store, change }),
      allowOutside: (path) => sendOutside(this.#ask, path),
    });
    this.#life = new AgentLife({
      app: options,
      sessions: this.#sessions,
      signing: this.#signing,
      openClient: parts.openClient,
      clientOptions: () => clientOptions(this.#setup()),
      onClient: (client) => {
        this.#elicitations.register(client.connection.router, this.interactive);
        this.#keepsSessions = canReopen(client);
      },
      changed,
      notice: (severity, text, detail) => this.notice(severity, text, detail),
      clock: parts.clock,
    });
    this.#intake = new Intake({
      host: this,
      history: this.history,
      started: () => this.#life.started,
      opened: () => this.#sessions.opened,
      cancelTurn: () => this.cancelTurn(),
      changed,
      runCommand: (command, shared) => this.#commands.run(this.active, command, shared),
    });
    this.#state = this.#readState();
    this.#life.begin();
    this.startError = this.#life.started;
  }

  get state(): AppState {
    return this.#state;
  }

  get client(): Client | undefined {
    return this.#life.client;
  }

  get active(): Conversation {
    return this.#sessions.active;
  }

  get destination(): Conversation {
    return this.#sessions.destination;
  }

  get conversations(): readonly Conversation[] {
    return this.#sessions.all;
  }

  get thoughts(): ThoughtsDisplay {
    return this.#thoughts;
  }

  set thoughts(display: ThoughtsDisplay) {
    this.#thoughts = display;
    this.#changed();
  }

  get theme(): ThemeChoice {
    return this.#theme;
  }

  set theme(choice: ThemeChoice) {
    this.#theme = choice;
    this.#changed();
  }

  get done(): Promise<number> {
    return this.#done.promise;
  }

  get resumable(): string | undefined {
    const { sessionId, open } = this.active.store.state;
    // What nobody has said anything in is not worth going back to.
    return this.#keepsSessions && open.prompt !== undefined ? sessionId : undefined;
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
    const { session, busy, store } = this.active;
    if (session === undefined || !busy) return false;
    const { turn } = store.state;
    const again = turn.state === "running" && turn.cancelRequested;
    if (again && turn.number !== this.#overdue) {
      this.#overdue = turn.number;
      const advice = "/restart ends the agent and starts it again.";
      this.notice("info", "The agent has not ended the turn yet", advice);
    }
    session.cancel();
    return !again;
  }

  answer(questionId: string, answer: QuestionAnswer): void {
    this.#questions.answer(questionId, answer);
  }

  unqueue(): string | undefined {
    const prompt = this.destination.queue.takeNewest();
    this.active.attachments.add(...prompt?.attachments ?? []);
    return prompt?.text;
  }

  stopCommand(): boolean {
    return this.#commands.stop(this.active) || this.#toolCalls.stop(this.active);
  }

  async attachImage(): Promise<string | undefined> {
    const { client } = this;
    const takes = client === undefined || promptCapabilities(client.initialized.capabilities).image;
    if (takes !== true) return "the agent takes no pictures";
    const { readClipboardImage } = await import("./clipboard_image.ts");
    const image = await readClipboardImage();
    if (typeof image === "string") return image;
    this.active.attachments.add(image);
    return undefined;
  }

  dropAttachment(): boolean {
    return this.active.attachments.drop() !== undefined;
  }

  async complete(text: string, cursor: number): Promise<Completions> {
    const { complete } = await import("./completion.ts");
    return await complete(text, cursor, this, this.#files);
  }

  leave(status: number): Promise<void> {
    this.#leaving ??= this.#leave(status);
    return this.#leaving;
  }

  output(markdown: string): void {
    this.#changes.emit({ type: "output", text: markdown });
  }

  notice(severity: Severity, text: string, detail?: string): void {
    this.active.notice(severity, text, detail);
  }

  ask(question: NewQuestion, signal?: AbortSignal): Promise<QuestionAnswer> {
    if (!this.interactive) return Promise.resolve({ type: "dismissed" });
    return this.#questions.ask(question, signal);
  }

  newSession(cwd: string): Promise<void> {
    return this.#sessions.openNew(cwd);
  }

  openSession(sessionId: string, cwd: string): Promise<void> {
    return this.#sessions.openKnown(sessionId, cwd);
  }

  forkSession(conversation: Conversation): Promise<void> {
    return this.#sessions.fork(conversation);
  }

  switchTo(conversation: Conversation): Promise<void> {
    return this.#sessions.switchTo(conversation);
  }

  closeSession(conversation: Conversation): Promise<void> {
    return this.#sessions.close(conversation);
  }

  addDirectory(directory: string): Promise<void> {
    return this.#sessions.addDirectory(directory);
  }

  async copy(text: string): Promise<"tool" | "terminal" | undefined> {
    const { copyByTool } = await import("./clipboard.ts");
    if (await copyByTool(text)) return "tool";
    return this.copyText?.(text) === true ? "terminal" : undefined;
  }

  async callTool(call: ManualToolCall): Promise<void> {
    const toolbox = this.active.session?.toolbox;
    if (toolbox === undefined) {
      throw new MmError("tool", `Cannot call ${call.name}: this session has no tools`, {
        hint: "/tools says why.",
      });
    }
    await this.#toolCalls.run(this.active, toolbox, call);
  }

  reloadTools(): Promise<void> {
    // There the list is part of the handshake.
    if (this.client?.discovery === "meta") return this.restart();
    return this.#sessions.reloadTools();
  }

  async signIn(method: string): Promise<void> {
    const { client } = this;
    if (client === undefined) throw new MmError("agent_died", "The agent is not connected");
    if (!await this.#signing.signIn(client, method)) return;
    this.notice("info", "Signed in");
    if (this.active.session === undefined) await this.#sessions.openActive(client, false);
  }

  async signOut(): Promise<void> {
    const { client } = this;
    if (client === undefined) throw new MmError("agent_died", "The agent is not connected");
    await this.#signing.signOut(client);
    this.notice("info", "Signed out");
  }

  restart(): Promise<void> {
    return this.#life.restart();
  }

  async reopenSession(): Promise<boolean> {
    const { client, active } = this;
    const open = active.session !== undefined && !active.conflicted;
    if (client === undefined || open || active.busy) return false;
    await this.#sessions.openActive(client);
    return true;
  }

  stopReconnecting(): boolean {
    return this.#life.stopReconnecting();
  }

  #setup(): AgentSetup {
    const signIn = this.#signing.again ?? this.options.signIn;
    return {
      options: signIn === undefined ? this.options : { ...this.options, signIn },
      memory: this.memory,
      openToolbox: this.#parts.openToolbox,
      trustOfRun: this.#trustOfRun,
      permissions: this.permissions,
      trace: this.trace,
      ask: this.#ask,
      elicitations: this.#elicitations,
      notice: (severity, text) => this.notice(severity, text),
    };
  }

  #findStore(sessionId: string): SessionStore | undefined {
    return this.conversations.find(({ store }) => store.state.sessionId === sessionId)?.store;
  }

  async #leave(status: number): Promise<void> {
    this.#life.beginClosing();
    this.#questions.close();
    await within(Promise.all([this.#sessions.endTurns(), this.#commands.close()]), CANCEL_MS);
    await this.#life.close();
    const written = [
      this.#intake.remembered(),
      this.memory.written(),
      this.permissions.memory.written(),
    ];
    await within(Promise.all(written), CANCEL_MS);
    this.#done.resolve(status);
  }

  #changed(): void {
    this.#state = this.#readState();
    this.#changes.emit({ type: "state", state: this.#state });
  }

  #readState(): AppState {
    return readState({
      options: this.options,
      life: this.#life,
      sessions: this.#sessions,
      questions: this.#questions.questions,
      underway: this.#intake.underway,
      thoughts: this.#thoughts,
      theme: this.#theme,
    });
  }
}
