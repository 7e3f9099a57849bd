/**
 * The parts of a running program, joined: who asks the person, who opens sessions, who starts the
 * agent.
 *
 * @module
 */

import type { ClientOptions } from "../api/contract.ts";
import type { Clock } from "../base/clock.ts";
import { describeAgent, remoteHost } from "../model/agent_spec.ts";
import type { SessionChange, SessionStore } from "../model/session_store.ts";
import type { RunTrust } from "../toolbox/trust.ts";
import { AgentLife } from "./agent_life.ts";
import type { OpenClient } from "./agent_link.ts";
import { clientOptions, type OpenToolbox, sendOutside } from "./agent_setup.ts";
import type { Severity } from "./commands/command.ts";
import { Elicitations } from "./elicitation.ts";
import { AgentMemory } from "./memory.ts";
import type { AppOptions } from "./options.ts";
import { Permissions } from "./permissions.ts";
import { type NewQuestion, QuestionQueue } from "./questions.ts";
import { canReopen } from "./session_opening.ts";
import { Sessions } from "./sessions.ts";
import { SigningIn } from "./signing_in.ts";
import { Trace } from "./trace.ts";
import type { LendTerminal, QuestionAnswer } from "./view.ts";

/** What a program is made of that tests replace. */
export interface ProgramParts {
  readonly openClient: OpenClient;
  readonly openToolbox: OpenToolbox;
  /** For the pauses before a lost connection is tried again. Default: the machine's. */
  readonly clock?: Clock;
}

/** Where the parts work. */
export interface WorkingsOptions {
  readonly app: AppOptions;
  readonly parts: ProgramParts;
  /** Called when there may be something else to show. */
  readonly changed: () => void;
  /** Called with what happens in any session. */
  readonly event: (store: SessionStore, change: SessionChange) => void;
  /** The front end's way to hand its terminal over; absent while it has none. */
  readonly lendTerminal: () => LendTerminal | undefined;
}

/** The parts; nothing is started before `life` begins. */
export class Workings {
  readonly memory: AgentMemory;
  readonly permissions: Permissions;
  readonly trace: Trace;
  readonly questions: QuestionQueue;
  readonly signing: SigningIn;
  readonly sessions: Sessions;
  readonly life: AgentLife;
  readonly #app: AppOptions;
  readonly #openToolbox: OpenToolbox;
  readonly #elicitations: Elicitations;
  readonly #trustOfRun: RunTrust = new Map();
  #keepsSessions = false;

  constructor({ app, parts, changed, event, lendTerminal }: WorkingsOptions) {
    this.#app = app;
    this.#openToolbox = parts.openToolbox;
    this.memory = new AgentMemory(app.paths.stateDir, describeAgent(app.spec));
    this.trace = new Trace(app.tap);
    this.questions = new QuestionQueue(changed);
    this.permissions = new Permissions({
      app,
      store: (id) => this.#findStore(id),
      ask: (question, signal) => this.ask(question, signal),
      notice: (severity, text) => this.notice(severity, text),
    });
    this.#elicitations = new Elicitations({
      questions: this.questions,
      host: remoteHost(app.spec),
      store: (id) => this.#findStore(id),
      notice: (severity, text, store, detail) =>
        (store ?? this.sessions.active.store).dispatch({
          type: "notice_added",
          severity,
          text,
          ...(detail === undefined ? {} : { detail }),
        }),
      openUrl: async (url) => await (await import("./open_url.ts")).openUrl(url),
    });
    this.signing = new SigningIn({
      spec: app.spec,
      cwd: app.agentCwd ?? app.cwd,
      questions: this.questions,
      interactive: app.interactive,
      lendTerminal,
    });
    this.sessions = new Sessions({
      app,
      questions: this.questions,
      memory: this.memory,
      signing: this.signing,
      permissions: this.permissions,
      client: () => this.life.client,
      starting: () => this.life.phase === "starting" ? this.life.started : undefined,
      ready: () => this.life.phase === "ready",
      closing: () => this.life.phase === "closing",
      changed,
      event,
      allowOutside: (path) => sendOutside((question) => this.ask(question), path),
    });
    this.life = new AgentLife({
      app,
      sessions: this.sessions,
      signing: this.signing,
      openClient: parts.openClient,
      clientOptions: () => this.#clientOptions(),
      onClient: (client) => {
        this.#elicitations.register(client.connection.router, app.interactive);
        // The embedded agent keeps its sessions in this process.
        this.#keepsSessions = canReopen(client) && app.spec.kind !== "demo";
      },
      changed,
      notice: (severity, text, detail) => this.notice(severity, text, detail),
      clock: parts.clock,
    });
  }

  /** Whether the agent, or the one before, can go on with a session in a later run. */
  get keepsSessions(): boolean {
    return this.#keepsSessions;
  }

  /** Adds a notice to the active session. */
  notice(severity: Severity, text: string, detail?: string): void {
    this.sessions.active.notice(severity, text, detail);
  }

  /** Asks the person; dismissed at once when there is none. */
  ask(question: NewQuestion, signal?: AbortSignal): Promise<QuestionAnswer> {
    if (!this.#app.interactive) return Promise.resolve({ type: "dismissed" });
    return this.questions.ask(question, signal);
  }

  /** Settles when everything that is remembered has been written. */
  async written(): Promise<void> {
    await Promise.all([this.memory.written(), this.permissions.memory.written()]);
  }

  #clientOptions(): Promise<ClientOptions> {
    const signIn = this.signing.again ?? this.#app.signIn;
    return clientOptions({
      options: signIn === undefined ? this.#app : { ...this.#app, signIn },
      memory: this.memory,
      openToolbox: this.#openToolbox,
      trustOfRun: this.#trustOfRun,
      permissions: this.permissions,
      trace: this.trace,
      ask: (question) => this.ask(question),
      elicitations: this.#elicitations,
      notice: (severity, text) => this.notice(severity, text),
    });
  }

  #findStore(sessionId: string): SessionStore | undefined {
    return this.sessions.all.find(({ store }) => store.state.sessionId === sessionId)?.store;
  }
}
