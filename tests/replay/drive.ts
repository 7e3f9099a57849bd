/**
 * Plays one run of a trace to the library: does what the recorded client did, in the recorded order,
 * each thing once everything that the agent wrote before it has arrived.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { type Client, openClient, type Session } from "../../src/api/mod.ts";
import { within } from "../../src/base/clock.ts";
import { messageOf, MmError } from "../../src/base/errors.ts";
import { asArray, asString, type JsonObject } from "../../src/base/guards.ts";
import { RpcError } from "../../src/base/rpc.ts";
import {
  deleteSession,
  listSessions,
  setSessionMode,
  setSessionModel,
} from "../../src/client/sessions.ts";
import type { SessionState } from "../../src/model/session.ts";
import { SessionStore } from "../../src/model/session_store.ts";
import type { AgentReport } from "../support/replay_agent.ts";
import { filesOf } from "./for_person.ts";
import { Progress } from "./progress.ts";
import { RecordedAnswers } from "./recorded_answers.ts";
import { type RequestStep, type Run, sessionOf } from "./trace.ts";

/** How a request of the client went. */
export type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: number | undefined; readonly message: string };

/** What is left of a run that was played. */
export interface PlayedRun {
  /** By the id of the request in the trace. */
  readonly outcomes: ReadonlyMap<unknown, Outcome>;
  /** The sessions as they were before the connection was closed, in the order of opening. */
  readonly states: ReadonlyMap<string, SessionState>;
  /** What went wrong on the way. */
  readonly problems: readonly string[];
  /** Absent when the agent wrote none. */
  readonly report: AgentReport | undefined;
}

/** Where the run is played. */
export interface Stage {
  /** The trace, its paths being those of `cwd`. */
  readonly traceFile: string;
  /** Number of the run in it. */
  readonly number: number;
  /** The session's directory: absolute, and it exists. */
  readonly cwd: string;
  /** Where the agent is to put its report. */
  readonly reportFile: string;
}

const AGENT = fileURLToPath(new URL("../support/replay_agent.ts", import.meta.url));

/** How long one step is waited for; longer than the agent waits, who has more to tell. */
const WAIT_MS = 20_000;

/** Plays one run. Never rejects for what the client or the agent do. */
export async function playRun(run: Run, stage: Stage): Promise<PlayedRun> {
  return await new RunPlayer(run, stage).play();
}

class RunPlayer {
  readonly #run: Run;
  readonly #stage: Stage;
  readonly #progress: Progress;
  readonly #sessions = new Map<string, Session>();
  readonly #pending = new Map<unknown, Promise<Outcome>>();
  readonly #problems: string[] = [];
  readonly #answers: RecordedAnswers;
  #client: Client | undefined;

  constructor(run: Run, stage: Stage) {
    this.#run = run;
    this.#stage = stage;
    this.#progress = new Progress(run, WAIT_MS);
    this.#answers = new RecordedAnswers(run, this.#progress);
  }

  async play(): Promise<PlayedRun> {
    const outcomes = new Map<unknown, Outcome>();
    try {
      for (const [index, step] of this.#run.steps.entries()) {
        if (step.by !== "client" || step.type === "answer") continue;
        await this.#reach(index);
        this.#progress.acted();
        if (step.type === "request") this.#pending.set(step.id, outcomeOf(this.#request(step)));
        else await this.#notify(step.method, step.params);
      }
      await this.#reach(this.#run.steps.length);
    } catch (error) {
      this.#problems.push(messageOf(error));
    }
    for (const [id, pending] of this.#pending) {
      const timed = await within(pending, this.#problems.length === 0 ? WAIT_MS : 100);
      if (timed.ok) outcomes.set(id, timed.value);
    }
    const states = new Map(
      [...this.#sessions].map(([id, { store }]) => [id, store.state] as const),
    );
    const closed = await within(this.#client?.close() ?? Promise.resolve(), WAIT_MS);
    if (!closed.ok) this.#problems.push("the client did not close");
    return { outcomes, states, problems: this.#problems, report: await this.#report() };
  }

  /** Waits until everything has arrived that the trace has before a step. */
  async #reach(index: number): Promise<void> {
    await this.#progress.reach(index);
    for (const step of this.#run.steps.slice(0, index)) {
      if (step.by !== "agent" || step.type !== "answer") continue;
      const pending = this.#pending.get(step.id);
      if (pending !== undefined && !(await within(pending, WAIT_MS)).ok) {
        throw new Error(`the client does not notice the answer to ${JSON.stringify(step.id)}`);
      }
    }
  }

  async #request(step: RequestStep): Promise<unknown> {
    if (step.method === "initialize") return await this.#open();
    const { method, params } = step;
    const client = this.#theClient();
    const id = sessionOf(params) ?? "";
    switch (method) {
      case "session/new":
      case "session/load":
      case "session/resume":
        return await this.#openSession(client, step);
      case "session/prompt":
        return await this.#prompt(this.#session(id), asArray(params.prompt));
      case "session/close":
        return await this.#session(id).close();
      case "session/delete":
        return await deleteSession(client.connection, id);
      case "session/list":
        return await listSessions(client.connection, params);
      case "session/set_mode":
        return await this.#setMode(this.#session(id), asString(params.modeId) ?? "");
      case "session/set_model":
        return await this.#setModel(this.#session(id), asString(params.modelId) ?? "");
      case "session/set_config_option": {
        const value = typeof params.value === "boolean"
          ? params.value
          : asString(params.value) ?? "";
        return await this.#session(id).setConfigOption(asString(params.configId) ?? "", value);
      }
      default:
        return await client.connection.request(method, params);
    }
  }

  async #notify(method: string, params: JsonObject): Promise<void> {
    if (method === "session/cancel") this.#session(sessionOf(params) ?? "").cancel();
    else await this.#theClient().connection.notify(method, params);
  }

  async #open(): Promise<unknown> {
    const { traceFile, number, reportFile, cwd } = this.#stage;
    this.#client = await openClient({
      spec: {
        kind: "process",
        command: Deno.execPath(),
        args: ["run", "-A", "--no-check", "--quiet", AGENT, traceFile, `${number}`, reportFile],
      },
      cwd,
      fs: filesOf(this.#run.steps),
      permissionPolicy: ({ sessionId, params }) => this.#answers.decide(sessionId, params),
      onElicitation: () => this.#answers.elicit(),
      onUpdate: () => this.#progress.updated(),
      tap: {
        frame: (direction) => direction === "in" && this.#progress.arrived(),
        note: () => {},
      },
    });
    return this.#client.initialized.raw;
  }

  async #openSession(client: Client, { method, params }: RequestStep): Promise<unknown> {
    const cwd = asString(params.cwd) ?? this.#stage.cwd;
    const store = new SessionStore(cwd);
    const options = { cwd, mcpServers: asArray(params.mcpServers), store };
    const id = sessionOf(params) ?? "";
    const session = method === "session/new"
      ? await client.newSession(options)
      : method === "session/load"
      ? await client.loadSession(id, options)
      : await client.resumeSession(id, options);
    this.#sessions.set(session.id, session);
    return { sessionId: session.id };
  }

  async #prompt(session: Session, blocks: readonly unknown[]): Promise<unknown> {
    const outcome = await session.prompt(blocks);
    const { turn, turns, entries } = session.store.state;
    const ended = turn.state === "running" ? turns - 1 : turns;
    for (const entry of entries) {
      const over = entry.turn !== null && entry.turn <= ended;
      if (entry.kind === "tool" && over && entry.endedAt === undefined) {
        this.#problems.push(
          `the tool call ${entry.toolCallId} is open although its turn has ended`,
        );
      }
    }
    if (outcome.ok) return outcome;
    const { rpc, message } = outcome.error;
    throw rpc === undefined ? new Error(message) : new RpcError(rpc.code, rpc.message, rpc.data);
  }

  /** The recorded agent may offer modes in several places; what is sent is what was recorded. */
  async #setMode(session: Session, modeId: string): Promise<void> {
    if (!session.store.state.configOptions.some(({ category }) => category === "mode")) {
      return await session.setMode(modeId);
    }
    await setSessionMode(this.#theClient().connection, session.id, modeId);
  }

  async #setModel(session: Session, modelId: string): Promise<void> {
    if (!session.store.state.configOptions.some(({ category }) => category === "model")) {
      return await session.setModel(modelId);
    }
    await setSessionModel(this.#theClient().connection, session.id, modelId);
  }

  #theClient(): Client {
    if (this.#client === undefined) throw new Error("the client is not open");
    return this.#client;
  }

  #session(id: string): Session {
    const session = this.#sessions.get(id);
    if (session === undefined) throw new Error(`the session ${id} is not open`);
    return session;
  }

  async #report(): Promise<AgentReport | undefined> {
    try {
      return JSON.parse(await Deno.readTextFile(this.#stage.reportFile));
    } catch {
      return undefined;
    }
  }
}

async function outcomeOf(request: Promise<unknown>): Promise<Outcome> {
  try {
    return { ok: true, value: await request };
  } catch (error) {
    const code = error instanceof MmError
      ? error.rpc?.code
      : error instanceof RpcError
      ? error.code
      : undefined;
    return { ok: false, code, message: messageOf(error) };
  }
}
