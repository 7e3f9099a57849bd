/**
 * A program that plays the agent's side of one run of a trace, as a real process on stdio.
 *
 * `deno run -A replay_agent.ts TRACE RUN REPORT [--steady]`: the trace's file (its paths already those of the
 * session's real directory), the run's number counted from 0, and the file that the report is
 * written to when the client closes its side.
 *
 * It writes what the agent wrote, in that order and as fast as it can, and waits where the client
 * wrote something: for the next request or notification of that method and session, and for the
 * answer to a request of its own. With a fourth argument, `--steady`, it says in REPORT.at where it
 * waits, as the number of the step in queued order, counted from 0, but only when the client has
 * dealt with everything before it: that is known from the answer to a request that no trace has.
 * Before it asks for a file it makes the file what it was when the
 * trace was recorded, as an agent that works on files itself would have.
 *
 * @module
 */

import { dirname } from "node:path";
import { within } from "../../src/base/clock.ts";
import { asObject, asString, type JsonObject } from "../../src/base/guards.ts";
import {
  type Answer,
  type AnswerStep,
  type NotificationStep,
  parseTrace,
  queued,
  type RequestStep,
  type Run,
  sessionOf,
  type Step,
} from "../replay/trace.ts";

/** A request of the agent and what came back for it. */
export interface AskedRequest {
  readonly id: unknown;
  readonly method: string;
  readonly params: JsonObject;
  /** Exactly one, if all is well. */
  readonly answers: Answer[];
}

/** What the agent has to say at its end. */
export interface AgentReport {
  readonly asked: readonly AskedRequest[];
  /** Methods of requests that the trace does not have, in order. */
  readonly extra: readonly string[];
  /** What went wrong: a wait that was given up, an answer to nothing, a file that was not written. */
  readonly problems: readonly string[];
  /** Number of steps that were not reached. */
  readonly left: number;
}

/** How long one message of the client is waited for. */
const WAIT_MS = 15_000;

/** How long an agent stays that does not end with its input. */
const LINGER_MS = 30_000;

/** A method that no client knows, and therefore answers at once. */
const BARRIER = "_replay/barrier";

type Message = JsonObject;

class ReplayAgent {
  readonly #steps: readonly Step[];
  readonly #asked: AskedRequest[] = [];
  readonly #extra: string[] = [];
  readonly #problems: string[] = [];
  /** Requests and notifications that no step has taken yet. */
  readonly #inbox: Message[] = [];
  /** The client's id of each of its requests, by the id in the trace. */
  readonly #ids = new Map<unknown, unknown>();
  #next = 0;
  #over = false;
  /** Id of the barrier that is open. */
  #barrier: string | undefined;
  #wake = () => {};

  /** @param steadyFile where it says how far it has come; absent: it does not */
  constructor({ steps }: Run, readonly steadyFile: string | undefined) {
    this.#steps = queued(steps);
  }

  get report(): AgentReport {
    return {
      asked: this.#asked,
      extra: this.#extra,
      problems: this.#problems,
      left: this.#steps.length - this.#next,
    };
  }

  /** Reads what the client writes, until it closes its side. */
  async read(): Promise<void> {
    let rest = "";
    for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line !== "") this.#receive(asObject(JSON.parse(line)));
      this.#refuseStrangers();
      this.#wake();
    }
  }

  /** Walks through the run, until the client does not do its part. */
  async play(): Promise<void> {
    for (const step of this.#steps) {
      if (step.by === "client") await this.#tellPlace();
      if (!await (step.by === "client" ? this.#awaitStep(step) : this.#write(step))) break;
      this.#next++;
    }
    await this.#tellPlace();
    this.#over = true;
    this.#refuseStrangers();
  }

  async #tellPlace(): Promise<void> {
    if (this.steadyFile === undefined) return;
    if (this.#next > 0) await this.#passBarrier(`barrier ${this.#next}`);
    writeWhole(this.steadyFile, `${this.#next}`);
  }

  async #passBarrier(id: string): Promise<void> {
    this.#barrier = id;
    send({ id, method: BARRIER, params: {} });
    await this.#await("the answer to the barrier", () => this.#barrier === id ? undefined : true);
  }

  async #awaitStep(step: Step): Promise<boolean> {
    switch (step.type) {
      case "request": {
        const message = await this.#await(`the request ${step.method}`, () => this.#take(step));
        this.#ids.set(step.id, message?.id);
        this.#checkRequest(step, asObject(message?.params));
        return message !== undefined;
      }
      case "notification":
        return await this.#await(step.method, () => this.#take(step)) !== undefined;
      case "answer":
        return await this.#answered(step);
      case "line":
        return true;
    }
  }

  async #write(step: Step): Promise<boolean> {
    switch (step.type) {
      case "request":
        await this.#prepareFile(step);
        this.#asked.push({ id: step.id, method: step.method, params: step.params, answers: [] });
        send({ id: step.id, method: step.method, params: step.params });
        break;
      case "notification":
        send({ method: step.method, params: step.params });
        break;
      case "answer":
        send({ id: this.#ids.get(step.id), ...step.answer });
        break;
      case "line":
        write(step.line + "\n");
    }
    return true;
  }

  #receive(message: Message): void {
    if ("method" in message) this.#inbox.push(message);
    else if (message.id === this.#barrier) this.#barrier = undefined;
    else {
      const asked = this.#asked.findLast(({ id }) => id === message.id);
      if (asked === undefined) {
        this.#problems.push(`an answer to nothing: ${JSON.stringify(message)}`);
      } else {asked.answers.push(
          "error" in message ? { error: asObject(message.error) } : { result: message.result },
        );}
    }
  }

  /** Answers the requests that no later step takes, so that nobody waits for them. */
  #refuseStrangers(): void {
    const expected = this.#over ? [] : this.#steps.slice(this.#next);
    for (const message of [...this.#inbox]) {
      if (expected.some((step) => matches(step, message))) continue;
      this.#inbox.splice(this.#inbox.indexOf(message), 1);
      const method = asString(message.method) ?? "";
      if (!("id" in message)) continue;
      this.#extra.push(method);
      const answer = method === "session/close"
        ? { result: {} }
        : { error: { code: -32601, message: `"Method not found": ${method}` } };
      send({ id: message.id, ...answer });
    }
  }

  #take(step: RequestStep | NotificationStep): Message | undefined {
    const index = this.#inbox.findIndex((message) => matches(step, message));
    return index < 0 ? undefined : this.#inbox.splice(index, 1)[0];
  }

  async #answered({ id }: AnswerStep): Promise<boolean> {
    const asked = this.#asked.findLast((request) => request.id === id);
    if (asked === undefined) throw new Error(`the trace answers ${JSON.stringify(id)} unasked`);
    const what = `the answer to ${asked.method} ${JSON.stringify(id)}`;
    const answered = await this.#await(what, () => asked.answers.length > 0 || undefined);
    if (asked.method === "fs/write_text_file") await this.#checkFile(asked);
    return answered === true;
  }

  /** The first value that is there, now or within the bound; notes it when there is none. */
  async #await<T>(what: string, find: () => T | undefined): Promise<T | undefined> {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      const woken = new Promise<void>((resolve) => this.#wake = resolve);
      if (!(await within(woken, WAIT_MS)).ok) {
        this.#problems.push(`gave up waiting for ${what}`);
        return undefined;
      }
    }
  }

  /** Makes a file what the recorded answer says that it was. */
  async #prepareFile({ id, method, params }: RequestStep): Promise<void> {
    const path = asString(params.path);
    if (method !== "fs/read_text_file" || path === undefined) return;
    const step = this.#steps.slice(this.#next)
      .find((later) => later.by === "client" && later.type === "answer" && later.id === id);
    if (step?.type !== "answer") return;
    if ("error" in step.answer) return await Deno.remove(path).catch(() => {});
    const before = typeof params.line === "number" ? "\n".repeat(params.line - 1) : "";
    const content = before + (asString(asObject(step.answer.result).content) ?? "");
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, content);
  }

  /** What decides how the agent goes on must be as it was: the files offered, and the prompt. */
  #checkRequest({ method, params: then }: RequestStep, now: JsonObject): void {
    const decisive = (params: JsonObject) =>
      method === "initialize"
        ? JSON.stringify(asObject(params.clientCapabilities).fs)
        // A person types a space before a slash that is meant as text.
        : JSON.stringify(params.prompt)?.replaceAll('"text":" /', '"text":"/');
    if (decisive(now) === decisive(then)) return;
    this.#problems.push(`${method} with ${decisive(now)} instead of ${decisive(then)}`);
  }

  async #checkFile({ params, answers }: AskedRequest): Promise<void> {
    if (answers.some((answer) => "error" in answer)) return;
    const path = asString(params.path) ?? "";
    const text = await Deno.readTextFile(path).catch(() => undefined);
    if (text !== params.content) this.#problems.push(`${path} does not hold what was written`);
  }
}

/** True when the client's message is what the step waits for. */
function matches(step: Step, message: Message): boolean {
  if (step.by !== "client" || (step.type !== "request" && step.type !== "notification")) {
    return false;
  }
  return step.method === message.method && ("id" in message) === (step.type === "request") &&
    sessionOf(step.params) === sessionOf(asObject(message.params));
}

function writeWhole(file: string, text: string): void {
  Deno.writeTextFileSync(`${file}.new`, text);
  Deno.renameSync(`${file}.new`, file);
}

function send(message: JsonObject): void {
  write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
}

function write(text: string): void {
  let bytes = new TextEncoder().encode(text);
  while (bytes.length > 0) bytes = bytes.subarray(Deno.stdout.writeSync(bytes));
}

if (import.meta.main) {
  const [trace = "", number = "0", reportFile = "", steady] = Deno.args;
  const run = parseTrace(Deno.readTextFileSync(trace))[Number(number)];
  if (run === undefined) throw new Error(`${trace} has no run ${number}`);
  const agent = new ReplayAgent(run, steady === "--steady" ? `${reportFile}.at` : undefined);
  Deno.addSignalListener("SIGTERM", () => Deno.exit(143));
  void agent.play();
  await agent.read();
  writeWhole(reportFile, JSON.stringify(agent.report));
  if (run.endsWithInput) Deno.exit(0);
  // It has to be ended, though not even a client that was killed is to leave it behind for ever.
  setTimeout(() => Deno.exit(1), LINGER_MS);
}
