/**
 * The running program: one agent, its sessions, and what a person enters.
 *
 * @module
 */

import type { Client, ClientOptions } from "../api/contract.ts";
import { within } from "../base/clock.ts";
import { MmError, toMmError } from "../base/errors.ts";
import { Listeners, type Unsubscribe } from "../base/listeners.ts";
import { describeAgent } from "../model/agent_spec.ts";
import type { SessionState, TurnOutcome } from "../model/session.ts";
import type { Toolbox, ToolboxOptions } from "../toolbox/toolbox.ts";
import type { TransportEnd } from "../transport/transport.ts";
import { AgentLink, type OpenClient } from "./agent_link.ts";
import type { CommandHost, Severity } from "./commands/command.ts";
import { COMMANDS, findCommand } from "./commands/mod.ts";
import { complete } from "./completion.ts";
import type { Conversation } from "./conversation.ts";
import { directoryHistory } from "./history.ts";
import { parseInput } from "./input.ts";
import { AgentMemory } from "./memory.ts";
import type { AppOptions, PermissionDefault, ThoughtsDisplay } from "./options.ts";
import { permissionPolicy } from "./permission_policy.ts";
import { ProjectFiles } from "./project_files.ts";
import { type NewQuestion, QuestionQueue } from "./questions.ts";
import { Sessions } from "./sessions.ts";
import { trustAnswer, trustQuestion } from "./trust_question.ts";
import type {
  App,
  AppChange,
  AppState,
  Completions,
  InputHistory,
  QuestionAnswer,
  SubmitOptions,
} from "./view.ts";
import { join } from "node:path";

/** How long a cancelled turn may take to end before the agent is ended, in milliseconds. */
const CANCEL_MS = 1_000;

/** What a program is made of that tests replace. */
export interface ProgramParts {
  readonly openClient: OpenClient;
  readonly openToolbox: (options: ToolboxOptions) => Promise<Toolbox>;
}

/** See {@link App}, and {@link CommandHost} for what commands may do. */
export class Program implements App, CommandHost {
  readonly options: AppOptions;
  readonly interactive: boolean;
  readonly history: InputHistory;
  readonly memory: AgentMemory;
  readonly startError: Promise<MmError | undefined>;
  permissions: PermissionDefault;
  readonly #parts: ProgramParts;
  readonly #changes = new Listeners<AppChange>();
  readonly #done = Promise.withResolvers<number>();
  readonly #questions: QuestionQueue;
  readonly #files = new ProjectFiles();
  readonly #link: AgentLink;
  readonly #sessions: Sessions;
  #thoughts: ThoughtsDisplay;
  #phase: AppState["phase"] = "starting";
  #state: AppState;
  #starting: Promise<MmError | undefined>;
  #leaving: Promise<void> | undefined;
  #remembering: Promise<unknown> = Promise.resolve();

  constructor(options: AppOptions, parts: ProgramParts) {
    this.options = options;
    this.interactive = options.interactive;
    this.permissions = options.permissions;
    this.#thoughts = options.settings?.thoughts ?? "folded";
    this.#parts = parts;
    this.history = directoryHistory(
      options.paths.stateDir,
      options.cwd,
      options.settings?.historySize,
    );
    this.memory = new AgentMemory(options.paths.stateDir, describeAgent(options.spec));
    const changed = () => this.#changed();
    this.#questions = new QuestionQueue(changed);
    this.#link = new AgentLink(parts.openClient, (end, client) => this.#lost(end, client));
    this.#sessions = new Sessions({
      app: options,
      questions: this.#questions,
      memory: this.memory,
      client: () => this.#link.client,
      ready: () => this.#phase === "ready",
      changed,
      event: (store, change) => this.#changes.emit({ type: "session", store, change }),
      allowOutside: (path) => this.#allowOutside(path, "send"),
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

  get done(): Promise<number> {
    return this.#done.promise;
  }

  subscribe(listener: (change: AppChange) => void): Unsubscribe {
    return this.#changes.add(listener);
  }

  async submit(text: string, options: SubmitOptions = {}): Promise<void> {
    if (text.trim() !== "") {
      this.#remembering = Promise.all([this.#remembering, this.history.add(text)]);
    }
    let input = this.#parse(text);
    if (input.type === "unknown" && this.#phase === "starting") {
      // The agent may yet say that the command is its own.
      await this.#starting;
      input = this.#parse(text);
    }
    switch (input.type) {
      case "empty":
        return await this.#enter();
      case "prompt":
        await this.#enqueue(input.text, options.now ?? false);
        return;
      case "command":
        return await this.#run(input.name, input.args);
      case "unknown":
        this.notice(
          "error",
          `There is no command /${input.name}: it was not sent`,
          input.suggestion === undefined
            ? "/help lists the commands; a space before the slash sends it as text."
            : `Did you mean /${input.suggestion}? A space before the slash sends it as text.`,
        );
    }
  }

  prompt(text: string): Promise<TurnOutcome | undefined> {
    return this.#enqueue(text, false);
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
    return this.active.queue.takeNewest();
  }

  complete(text: string, cursor: number): Promise<Completions> {
    return complete(text, cursor, this, this.#files);
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

  ask(question: NewQuestion): Promise<QuestionAnswer> {
    if (!this.interactive) return Promise.resolve({ type: "dismissed" });
    return this.#questions.ask(question);
  }

  newSession(cwd: string): Promise<void> {
    return this.#sessions.openNew(cwd);
  }

  openSession(sessionId: string, cwd: string): Promise<void> {
    return this.#sessions.openKnown(sessionId, cwd);
  }

  switchTo(conversation: Conversation): Promise<void> {
    return this.#sessions.switchTo(conversation);
  }

  closeSession(conversation: Conversation): Promise<void> {
    return this.#sessions.close(conversation);
  }

  reloadTools(): Promise<void> {
    // There the list is part of the handshake.
    if (this.client?.discovery === "meta") return this.restart();
    return this.#sessions.reloadTools();
  }

  async restart(): Promise<void> {
    if (this.#phase === "starting" || this.#phase === "closing") return;
    this.#setPhase("starting");
    this.#starting = this.#start(true);
    await this.#starting;
  }

  async #start(again: boolean): Promise<MmError | undefined> {
    // Whoever subscribes right after creating the program misses nothing.
    await null;
    if (again) this.#sessions.detachAll("The agent is started again");
    else for (const line of this.options.startNotices) this.notice("info", line);
    try {
      const client = await this.#link.open(await this.#clientOptions());
      if (again) await this.#sessions.reopenActive(client);
      else await this.#sessions.openFirst(client);
      this.#setPhase("ready");
      return undefined;
    } catch (error) {
      return this.#startFailed(toMmError(error));
    } finally {
      this.#sessions.pump();
    }
  }

  #startFailed(error: MmError): MmError {
    if (this.#phase === "closing") return error;
    this.#setPhase(this.client === undefined ? "disconnected" : "ready");
    const advice = this.client === undefined && this.interactive
      ? "Enter or /restart tries again."
      : undefined;
    this.notice("error", error.message, joinLines(error.hint, error.stderr, advice));
    if (!this.interactive) this.#dropQueues();
    return error;
  }

  async #clientOptions(): Promise<ClientOptions> {
    const { options } = this;
    const remembered = await this.memory.discovery();
    return {
      spec: options.spec,
      cwd: options.cwd,
      ...(options.agentCwd === undefined ? {} : { agentCwd: options.agentCwd }),
      ...(options.fs === undefined ? {} : { fs: options.fs }),
      discovery: options.discovery,
      ...(remembered === undefined ? {} : { rememberedDiscovery: remembered }),
      timeoutMs: options.timeoutMs,
      permissionPolicy: permissionPolicy({
        rules: (options.settings?.permissionRules ?? []).flatMap(({ action, ...conditions }) =>
          action === undefined ? [] : [{ ...conditions, action }]
        ),
        permissions: () => this.permissions,
        ...(options.agentName === undefined ? {} : { agent: options.agentName }),
        session: (id) => this.#findSession(id),
        interactive: this.interactive,
        notice: (text) => this.notice("warning", text),
      }),
      openToolbox: (cwd) => this.#openToolbox(cwd),
      onOutsideFile: ({ path, access }) => this.#allowOutside(path, access),
      onDiscovery: (mode) => void this.memory.rememberDiscovery(mode),
      onAdvice: (text) => this.notice("info", text),
      ...(options.tap === undefined ? {} : { tap: options.tap }),
    };
  }

  #findSession(sessionId: string): SessionState | undefined {
    return this.conversations.find(({ store }) => store.state.sessionId === sessionId)?.store.state;
  }

  #openToolbox(cwd: string): Promise<Toolbox> {
    const { paths, toolDirectories, trustTools } = this.options;
    return this.#parts.openToolbox({
      cwd,
      directories: toolDirectories(cwd),
      trustAll: trustTools,
      cacheDir: paths.cacheDir,
      trustFile: join(paths.stateDir, "trust.json"),
      ...(this.interactive
        ? { askTrust: async (request) => trustAnswer(await this.ask(trustQuestion(request))) }
        : {}),
    });
  }

  async #allowOutside(path: string, access: "read" | "write" | "send"): Promise<boolean> {
    const answer = await this.ask({
      kind: "choice",
      title: access === "send"
        ? "Send a file from outside the session's directory?"
        : `Let the agent ${access} a file outside the session's directory?`,
      body: [path],
      options: [{ id: "yes", label: "Yes, this time" }, { id: "no", label: "No" }],
    });
    return answer.type === "option" && answer.id === "yes";
  }

  #lost(end: TransportEnd, client: Client): void {
    if (this.#phase === "closing") return;
    // In a turn its outcome shows what the agent had to say.
    const inTurn = this.conversations.some((conversation) => conversation.busy);
    this.#setPhase("disconnected");
    this.#sessions.detachAll(end.reason);
    const stderr = inTurn ? "" : client.stderr().trimEnd();
    if (this.interactive) {
      this.notice("info", "Enter or /restart starts the agent again", stderr);
    } else if (stderr !== "") {
      this.notice("error", "The agent's last words", stderr);
    }
    if (!this.interactive) this.#dropQueues();
  }

  async #enter(): Promise<void> {
    if (this.#phase === "disconnected") return await this.restart();
    this.active.queue.release();
  }

  #enqueue(text: string, now: boolean): Promise<TurnOutcome | undefined> {
    if (this.#phase === "closing") return Promise.resolve(undefined);
    const open = this.#phase === "starting" || this.active.session !== undefined;
    if (!open && !this.interactive) return Promise.resolve(undefined);
    const sent = this.active.queue.add(text, now);
    if (now) this.cancelTurn();
    if (!open) {
      this.notice(
        "warning",
        "The prompt is kept: there is no session to send it to",
        this.#phase === "disconnected"
          ? "Enter or /restart starts the agent again."
          : "/new opens a session.",
      );
    }
    return sent;
  }

  async #run(name: string, args: string): Promise<void> {
    try {
      await findCommand(name)?.run(args, this);
    } catch (error) {
      const { message, hint, stderr } = toMmError(error);
      this.notice("error", message, joinLines(hint, stderr));
    }
  }

  #parse(text: string) {
    return parseInput(
      text,
      COMMANDS.map((command) => command.name),
      this.active.store.state.commands.map((command) => command.name),
    );
  }

  async #leave(status: number): Promise<void> {
    this.#setPhase("closing");
    this.#questions.close();
    this.#dropQueues();
    for (const { session, busy } of this.conversations) if (busy) session?.cancel();
    await within(this.#idle(), CANCEL_MS);
    await this.#link.close();
    await within(this.#starting, CANCEL_MS);
    await within(Promise.all([this.#remembering, this.memory.written()]), CANCEL_MS);
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
      questions: this.#questions.questions,
      tools: active.session?.toolbox?.tools.length ?? 0,
      thoughts: this.#thoughts,
    };
  }
}

function joinLines(...lines: readonly (string | undefined)[]): string {
  return lines.map((line) => line?.trimEnd()).filter((line) => line).join("\n");
}
