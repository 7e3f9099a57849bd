/**
 * What commands may do to the running program.
 *
 * @module
 */

import type { Client } from "../api/contract.ts";
import { MmError } from "../base/errors.ts";
import type { TurnOutcome } from "../model/session.ts";
import type { CommandHost, Severity } from "./commands/command.ts";
import type { Conversation } from "./conversation.ts";
import type { ManualToolCall, ManualToolCalls } from "./manual_tool_calls.ts";
import type { AgentMemory } from "./memory.ts";
import type { AppOptions, ThemeChoice, ThoughtsDisplay } from "./options.ts";
import type { Permissions } from "./permissions.ts";
import type { NewQuestion } from "./questions.ts";
import { notConnected } from "./session_connector.ts";
import type { Trace } from "./trace.ts";
import type { App, AppState, QuestionAnswer } from "./view.ts";
import type { Workings } from "./workings.ts";

/** What the host works on. */
export interface ProgramHostOptions {
  readonly options: AppOptions;
  readonly app: App;
  readonly workings: Workings;
  readonly toolCalls: ManualToolCalls;
  /** Called when something else is to be shown, or shown otherwise. */
  readonly changed: () => void;
  /** Shows Markdown. */
  readonly output: (markdown: string) => void;
}

/** See {@link CommandHost}. */
export class ProgramHost implements CommandHost {
  readonly options: AppOptions;
  readonly memory: AgentMemory;
  readonly permissions: Permissions;
  readonly trace: Trace;
  #thoughts: ThoughtsDisplay;
  #theme: ThemeChoice;
  readonly #app: App;
  readonly #workings: Workings;
  readonly #toolCalls: ManualToolCalls;
  readonly #changed: () => void;
  readonly #output: (markdown: string) => void;

  constructor({ options, app, workings, toolCalls, changed, output }: ProgramHostOptions) {
    this.options = options;
    this.memory = workings.memory;
    this.permissions = workings.permissions;
    this.trace = workings.trace;
    this.#thoughts = options.settings?.thoughts ?? "folded";
    this.#theme = options.settings?.theme ?? "auto";
    this.#app = app;
    this.#workings = workings;
    this.#toolCalls = toolCalls;
    this.#changed = changed;
    this.#output = output;
  }

  get state(): AppState {
    return this.#app.state;
  }

  get client(): Client | undefined {
    return this.#workings.life.client;
  }

  get active(): Conversation {
    return this.#workings.sessions.active;
  }

  get destination(): Conversation {
    return this.#workings.sessions.destination;
  }

  get conversations(): readonly Conversation[] {
    return this.#workings.sessions.all;
  }

  get colourless(): boolean {
    return this.#app.colourless === true;
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

  output(markdown: string): void {
    this.#output(markdown);
  }

  notice(severity: Severity, text: string, detail?: string): void {
    this.#workings.notice(severity, text, detail);
  }

  ask(question: NewQuestion): Promise<QuestionAnswer> {
    return this.#workings.ask(question);
  }

  newSession(cwd: string): Promise<void> {
    return this.#workings.sessions.openNew(cwd);
  }

  openSession(sessionId: string, cwd: string, title?: string): Promise<void> {
    return this.#workings.sessions.openKnown(sessionId, cwd, title);
  }

  forkSession(conversation: Conversation): Promise<void> {
    return this.#workings.sessions.fork(conversation);
  }

  switchTo(conversation: Conversation): Promise<void> {
    return this.#workings.sessions.switchTo(conversation);
  }

  closeSession(conversation: Conversation): Promise<void> {
    return this.#workings.sessions.close(conversation);
  }

  addDirectory(directory: string): Promise<void> {
    return this.#workings.sessions.addDirectory(directory);
  }

  async copy(text: string): Promise<"tool" | "terminal" | undefined> {
    const { copyByTool } = await import("./clipboard.ts");
    if (await copyByTool(text)) return "tool";
    return this.#app.copyText?.(text) === true ? "terminal" : undefined;
  }

  reloadTools(): Promise<void> {
    // There the list is part of the handshake.
    if (this.client?.discovery === "meta") return this.restart();
    return this.#workings.sessions.reloadTools();
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

  async signIn(method: string): Promise<void> {
    const { sessions, signing } = this.#workings;
    const client = this.#connected();
    if (!await signing.signIn(client, method)) return;
    this.notice("info", "Signed in");
    if (this.active.session === undefined) await sessions.openActive(client, false);
  }

  async signOut(): Promise<void> {
    await this.#workings.signing.signOut(this.#connected());
    this.notice("info", "Signed out");
  }

  restart(): Promise<void> {
    return this.#workings.life.restart();
  }

  async reopenSession(): Promise<boolean> {
    const { client, active } = this;
    const open = active.session !== undefined && !active.conflicted;
    if (client === undefined || open || active.busy) return false;
    await this.#workings.sessions.openActive(client);
    return true;
  }

  stopReconnecting(): boolean {
    return this.#workings.life.stopReconnecting();
  }

  prompt(text: string): Promise<TurnOutcome | undefined> {
    return this.#app.prompt(text);
  }

  leave(status: number): Promise<void> {
    return this.#app.leave(status);
  }

  #connected(): Client {
    const { client } = this;
    if (client === undefined) throw notConnected(this.state.phase === "starting");
    return client;
  }
}
