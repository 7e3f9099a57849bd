/**
 * The running program: one agent, its sessions, and what a person enters.
 *
 * @module
 */

import type { Client } from "../api/contract.ts";
import { type Clock, within } from "../base/clock.ts";
import { MmError, toMmError } from "../base/errors.ts";
import { Listeners, type Unsubscribe } from "../base/listeners.ts";
import { describeAgent } from "../model/agent_spec.ts";
import type { TurnOutcome } from "../model/session.ts";
import type { SessionStore } from "../model/session_store.ts";
import type { RunTrust } from "../toolbox/trust.ts";
import type { TransportEnd } from "../transport/transport.ts";
import { AgentLink, type OpenClient } from "./agent_link.ts";
import { type AgentSetup, clientOptions, type OpenToolbox, sendOutside } from "./agent_setup.ts";
import { copyByTool } from "./clipboard.ts";
import type { CommandHost, Severity } from "./commands/command.ts";
import type { Conversation } from "./conversation.ts";
import { Elicitations } from "./elicitation.ts";
import { directoryHistory } from "./history.ts";
import { Intake } from "./intake.ts";
import { AgentMemory } from "./memory.ts";
import { joinLines } from "./notice_text.ts";
import { openUrl } from "./open_url.ts";
import { type ManualToolCall, ManualToolCalls } from "./manual_tool_calls.ts";
import type { AppOptions, ThemeChoice, ThoughtsDisplay } from "./options.ts";
import { Permissions } from "./permissions.ts";
import { promptCapabilities } from "./prompt_blocks.ts";
import { ProjectFiles } from "./project_files.ts";
import { type NewQuestion, QuestionQueue } from "./questions.ts";
import { mayPass, Reconnect } from "./reconnect.ts";
import { Sessions } from "./sessions.ts";
import { sessionName } from "./session_name.ts";
import { canReopen } from "./session_opening.ts";
import { describeMethods, SigningIn } from "./signing_in.ts";
import { Trace } from "./trace.ts";
import { UserCommands } from "./user_commands.ts";
import type {
  App,
  AppChange,
  AppState,
  Completions,
  InputHistory,
  LendTerminal,
  Question,
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
  readonly #parts: ProgramParts;
  readonly #changes = new Listeners<AppChange>();
  readonly #done = Promise.withResolvers<number>();
  readonly #questions: QuestionQueue;
  readonly #elicitations: Elicitations;
  readonly #files = new ProjectFiles();
  readonly #commands = new UserCommands();
  readonly #toolCalls = new ManualToolCalls();
  readonly #trustOfRun: RunTrust = new Map();
  readonly #link: AgentLink;
  readonly #sessions: Sessions;
  #thoughts: ThoughtsDisplay;
  #theme: ThemeChoice;
  #phase: AppState["phase"] = "starting";
  #keepsSessions = false;
  #state: AppState;
  #starting: Promise<MmError | undefined>;
  #leaving: Promise<void> | undefined;
  readonly #signing: SigningIn;
  readonly #reconnect: Reconnect;
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
      store: (id) => this.#findStore(id),
      notice: (severity, text, store, detail) =>
        (store ?? this.active.store).dispatch({
          type: "notice_added",
          severity,
          text,
          ...(detail === undefined ? {} : { detail }),
        }),
      openUrl,
    });
    this.#signing = new SigningIn({
      spec: options.spec,
      cwd: options.agentCwd ?? options.cwd,
      questions: this.#questions,
      interactive: options.interactive,
      lendTerminal: () => this.lendTerminal,
    });
    this.#reconnect = new Reconnect(() => void this.restart(), parts.clock);
    this.#link = new AgentLink(parts.openClient, (end, client) => this.#lost(end, client));
    this.#sessions = new Sessions({
      app: options,
      questions: this.#questions,
      memory: this.memory,
      signing: this.#signing,
      permissions: this.permissions,
      client: () => this.#link.client,
      ready: () => this.#phase === "ready",
      changed,
      event: (store, change) => this.#changes.emit({ type: "session", store, change }),
      allowOutside: (path) => sendOutside(this.#ask, path),
    });
    this.#intake = new Intake({
      host: this,
      history: this.history,
      started: () => this.#starting,
      cancelTurn: () => this.cancelTurn(),
      runCommand: (command, shared) => this.#commands.run(this.active, command, shared),
    });
    this.#state = this.#readState();
    this.#starting = this.#start(false);
    this.startError = this.#starting;
  }

  get state(): AppState {
    return this.#state;
  }

  get client(): Client | undefined {
    return this.#link.client;
  }

  get active(): Conversation {
    return this.#sessions.active;
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
    const { session, busy } = this.active;
    if (session === undefined || !busy) return false;
    session.cancel();
    return true;
  }

  answer(questionId: string, answer: QuestionAnswer): void {
    this.#questions.answer(questionId, answer);
  }

  unqueue(): string | undefined {
    const prompt = this.active.queue.takeNewest();
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
    this.#sessions.notice(severity, text, detail);
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

  async restart(): Promise<void> {
    if (this.#phase === "starting" || this.#phase === "closing") return;
    this.#reconnect.now();
    this.#setPhase("starting");
    this.#starting = this.#start(true);
    await this.#starting;
  }

  stopReconnecting(): boolean {
    const { active } = this.#reconnect;
    this.#reconnect.stop();
    this.#changed();
    return active;
  }

  async #start(again: boolean): Promise<MmError | undefined> {
    // Whoever subscribes right after creating the program misses nothing.
    await null;
    if (again) this.#sessions.detachAll("The agent is started again");
    else for (const line of this.options.startNotices) this.notice("info", line);
    try {
      const client = await this.#link.open(await clientOptions(this.#setup()));
      this.#elicitations.register(client.connection.router, this.interactive);
      // The embedded agent forgets them with its process: this one.
      this.#keepsSessions = canReopen(client) && this.options.spec.kind !== "demo";
      await this.#sessions.openActive(client);
      this.#setPhase("ready");
      if (this.#reconnect.active) this.#reconnected();
      return undefined;
    } catch (error) {
      return this.#startFailed(toMmError(error));
    } finally {
      this.#sessions.pump();
    }
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

  #startFailed(error: MmError): MmError {
    if (this.#phase === "closing") return error;
    if (error.code === "auth") this.#signing.forget();
    const later = this.client === undefined && this.#tryLater(error);
    if (!later) this.#reconnect.stop();
    this.#setPhase(this.client === undefined ? "disconnected" : "ready");
    if (later) return error;
    this.notice("error", error.message, joinLines(error.hint, error.stderr, this.#advice(error)));
    if (!this.interactive) this.#dropQueues();
    return error;
  }

  /** What can be done about a failed start. */
  #advice({ code }: MmError): string | undefined {
    const methods = this.client?.initialized.authMethods ?? [];
    if (code === "auth" && methods.length > 0) {
      return `The agent offers: ${describeMethods(methods)}${
        this.interactive ? ". /login signs in." : ""
      }`;
    }
    return this.client === undefined && this.interactive
      ? "Enter or /restart tries again."
      : undefined;
  }

  /** Whether the connection will be tried again by itself after a try has failed; says so. */
  #tryLater(error: MmError): boolean {
    if (!this.#reconnect.active || !mayPass(error.code)) return false;
    const pause = this.#reconnect.next();
    if (pause === undefined) return false;
    this.notice("info", error.message, this.#nextTry(pause));
    return true;
  }

  #nextTry(pauseMs: number): string {
    this.#changed();
    return `Try ${this.#reconnect.tries} in ${pauseMs / 1_000} s. ` +
      "Enter tries now, /reconnect stop stops trying.";
  }

  #reconnected(): void {
    this.#reconnect.connected();
    this.#changed();
    const { lastOutcome } = this.active.store.state;
    const interrupted = lastOutcome?.ok === false
      ? "The last turn was interrupted. It is not sent again by itself: /retry does that."
      : undefined;
    this.notice("info", "Connected again", interrupted);
  }

  #lost(end: TransportEnd, client: Client): void {
    // While it starts, the start itself fails and says why.
    if (this.#phase === "closing" || this.#phase === "starting") return;
    // In a turn its outcome shows what the agent had to say.
    const inTurn = this.conversations.some((conversation) => conversation.busy);
    this.#setPhase("disconnected");
    this.#sessions.detachAll(end.reason);
    const stderr = inTurn ? "" : client.stderr().trimEnd();
    if (this.#goesOn(end)) return;
    if (this.interactive) {
      this.notice("info", "Enter or /restart starts the agent again", stderr);
    } else if (stderr !== "") {
      this.notice("error", "The agent's last words", stderr);
    }
    if (!this.interactive) this.#dropQueues();
  }

  /** Whether a lost connection to a remote agent will be opened again by itself; says so. */
  #goesOn({ error }: TransportEnd): boolean {
    if (!this.interactive || this.options.spec.kind !== "remote") return false;
    if (error !== undefined && !mayPass(error.code)) return false;
    const pause = this.#reconnect.next();
    if (pause === undefined) return false;
    this.notice("info", "The connection will be opened again", this.#nextTry(pause));
    return true;
  }

  async #leave(status: number): Promise<void> {
    this.#reconnect.stop();
    this.#setPhase("closing");
    this.#questions.close();
    this.#dropQueues();
    for (const { session, busy } of this.conversations) if (busy) session?.cancel();
    await within(Promise.all([this.#idle(), this.#commands.close()]), CANCEL_MS);
    await this.#link.close();
    await within(this.#starting, CANCEL_MS);
    const written = [
      this.#intake.remembered(),
      this.memory.written(),
      this.permissions.memory.written(),
    ];
    await within(Promise.all(written), CANCEL_MS);
    this.#done.resolve(status);
  }

  /** Settles when no turn runs. */
  #idle(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const check = () => {
      if (this.conversations.every((conversation) => !conversation.busy)) resolve();
    };
    const stop = this.subscribe(check);
    check();
    return promise.finally(stop);
  }

  #dropQueues(): void {
    for (const conversation of this.conversations) conversation.queue.clear();
  }

  /** A question of another session than the active one says whose it is. */
  #named(question: Question): Question {
    const { store } = question;
    if (store === undefined || store === this.active.store) return question;
    return { ...question, title: `[session ${sessionName(store.state)}] ${question.title}` };
  }

  #setPhase(phase: AppState["phase"]): void {
    if (this.#phase === "closing") return;
    this.#phase = phase;
    this.#changed();
  }

  #changed(): void {
    this.#state = this.#readState();
    this.#changes.emit({ type: "state", state: this.#state });
  }

  #readState(): AppState {
    const { active } = this;
    return {
      phase: this.#phase,
      agent: describeAgent(this.options.spec),
      demo: this.options.demo,
      active: active.store,
      sessions: this.conversations.map((conversation) => conversation.store),
      queue: active.queue.texts,
      attached: active.attachments.waiting.map((one) => one.label()),
      questions: this.#questions.questions.map((question) => this.#named(question)),
      tools: active.session?.toolbox?.tools.length ?? 0,
      thoughts: this.#thoughts,
      theme: this.#theme,
      missed: this.conversations
        .filter(({ missed }) => missed > 0)
        .map(({ store, missed }) => ({ store, updates: missed })),
      ...(this.#reconnect.active ? { reconnecting: this.#reconnect.tries } : {}),
    };
  }
}
