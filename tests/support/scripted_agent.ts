/**
 * An agent that plays a script: a real process whose every byte is decided by a list of steps.
 *
 * A test builds the list, {@link scriptedAgent} gives the command that plays it and the messages
 * that the client sent to it. The steps run one after the other; messages that come in meanwhile
 * wait until an `expect` asks for them. After the last step the agent stays until its stdin closes.
 *
 * ```ts
 * const agent = await scriptedAgent([
 *   ...HANDSHAKE,
 *   { expect: "session/prompt" },
 *   { line: "some noise" },
 *   say("hello"),
 *   { respond: { stopReason: "end_turn" } },
 * ]);
 * const client = await openClient({ spec: agent.spec, cwd: agent.directory });
 * ```
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { asObject, isObject } from "../../src/base/guards.ts";
import type { ProcessAgentSpec } from "../../src/model/agent_spec.ts";
import type { WireMessage } from "../../src/transport/transport.ts";

/** One step of a script. */
export type Step =
  /** Waits for a request or notification with this method; `respond` and `fail` answer it. */
  | { readonly expect: string }
  /**
   * Waits for the answer to the agent's own request with this id. When it made a terminal, `$created`
   * stands for its id from then on.
   */
  | { readonly expectAnswer: unknown }
  /** Answers the request last expected (or the one expected before it with that method). */
  | { readonly respond: unknown; readonly to?: string }
  /** Answers it with an error. */
  | {
    readonly fail: { readonly code: number; readonly message: string; readonly data?: unknown };
    readonly to?: string;
  }
  /** Sends a message; `jsonrpc` is added. */
  | { readonly send: Readonly<Record<string, unknown>> }
  /** Sends several messages in one write. */
  | { readonly sendTogether: readonly Readonly<Record<string, unknown>>[] }
  /** Answers the request last expected and sends messages before that, all in one write. */
  | {
    readonly respondAfter: readonly Readonly<Record<string, unknown>>[];
    readonly respond: unknown;
  }
  /** Answers the request last expected and sends messages after that, all in one write. */
  | {
    readonly respondBefore: readonly Readonly<Record<string, unknown>>[];
    readonly respond: unknown;
  }
  /** Writes a line as it is to stdout. */
  | { readonly line: string }
  /** Writes text as it is to stdout, without a newline. */
  | { readonly write: string }
  /** Writes bytes as they are to stdout, each on its own, 2 ms apart. */
  | { readonly trickle: readonly number[] }
  /** Writes this many bytes of the letter x to stdout, in pieces of 16 KiB. */
  | { readonly fill: number }
  /** Writes text as it is to stderr. */
  | { readonly stderr: string }
  /** Waits until this file exists. */
  | { readonly untilFile: string }
  /** Creates an empty file, for a test that waits for it. */
  | { readonly touch: string }
  | { readonly exit: number }
  /** Ends itself by a signal. */
  | { readonly die: Deno.Signal }
  | { readonly closeStdout: true }
  /** Does nothing any more, even when stdin closes. */
  | { readonly hang: true }
  /** Ignores a signal from here on. */
  | { readonly ignore: Deno.Signal }
  /** Plays these steps this many times. */
  | { readonly repeat: readonly Step[]; readonly times: number };

/** A script that is ready to be started. */
export interface ScriptedAgent {
  readonly spec: ProcessAgentSpec;
  /** A directory of its own, absolute; also where the script is kept. */
  readonly directory: string;
  /** What the client has sent so far, in order, over all runs of the script. */
  received(): Promise<WireMessage[]>;
  /** Those of them that answer the agent's request with this id. */
  answersTo(id: unknown): Promise<WireMessage[]>;
  /** Process ids of all runs of the script so far. */
  pids(): Promise<number[]>;
  /** Removes the directory. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** How {@link scriptedAgent} differs from its defaults. */
export interface ScriptedAgentOptions {
  /** Scripts for the second and later starts; the last one serves all that follow. */
  readonly laterRuns?: readonly (readonly Step[])[];
}

/** The session id that {@link HANDSHAKE} and the shorthands use. */
export const SESSION = "s1";

/** Answers `initialize`. */
export const INITIALIZE: readonly Step[] = [
  { expect: "initialize" },
  { respond: { protocolVersion: 1, agentCapabilities: {} } },
];

/** Answers `initialize` and `session/new` (with the session {@link SESSION}). */
export const HANDSHAKE: readonly Step[] = [
  ...INITIALIZE,
  { expect: "session/new" },
  { respond: { sessionId: SESSION } },
];

/** A `session/update` of the session {@link SESSION}, as a message. */
export function update(value: Readonly<Record<string, unknown>>, sessionId: string = SESSION) {
  return { method: "session/update", params: { sessionId, update: value } };
}

/** A chunk of the agent's message. */
export function say(text: string, sessionId: string = SESSION): Step {
  return {
    send: update({
      sessionUpdate: "agent_message_chunk",
      content: { type: "text", text },
    }, sessionId),
  };
}

/** A request of the agent in the session {@link SESSION}. */
export function ask(id: unknown, method: string, params: Readonly<Record<string, unknown>>): Step {
  return { send: { id, method, params: { sessionId: SESSION, ...params } } };
}

/** A permission request with an `allow_once` option `y` and a `reject_once` option `n`. */
export function askPermission(id: unknown, toolCallId: string): Step {
  return ask(id, "session/request_permission", {
    toolCall: { toolCallId },
    options: [
      { optionId: "y", name: "Yes", kind: "allow_once" },
      { optionId: "n", name: "No", kind: "reject_once" },
    ],
  });
}

/** Waits for a prompt. */
export const PROMPT: Step = { expect: "session/prompt" };

/** Ends the turn whose `session/prompt` was expected. */
export const END_TURN: Step = { respond: { stopReason: "end_turn" }, to: "session/prompt" };

/** Prepares an agent that plays `steps`, in which `$DIR` stands for its directory. */
export async function scriptedAgent(
  steps: readonly Step[],
  options: ScriptedAgentOptions = {},
): Promise<ScriptedAgent> {
  const directory = await Deno.realPath(await Deno.makeTempDir({ prefix: "scripted_agent_" }));
  const script = `${directory}/.script.json`;
  const log = `${directory}/.received.ndjson`;
  const runs = JSON.stringify([steps, ...options.laterRuns ?? []]).replaceAll("$DIR", directory);
  await Deno.writeTextFile(script, runs);
  await Deno.writeTextFile(log, "");
  const entries = async () =>
    (await Deno.readTextFile(log)).split("\n").filter((line) => line !== "")
      .map((line): WireMessage => JSON.parse(line));
  const received = async () => (await entries()).filter((entry) => !("started" in entry));
  return {
    spec: {
      kind: "process",
      command: Deno.execPath(),
      args: ["run", "-A", "--no-lock", "--quiet", fileURLToPath(import.meta.url), script, log],
    },
    directory,
    received,
    answersTo: async (id) =>
      (await received()).filter((message) => !("method" in message) && message.id === id),
    pids: async () =>
      (await entries()).flatMap((entry) => typeof entry.started === "number" ? entry.started : []),
    [Symbol.asyncDispose]: () => Deno.remove(directory, { recursive: true }),
  };
}

/** The agent as a command line for `--agent`. */
export function commandLine({ spec }: ScriptedAgent): string {
  return [spec.command, ...spec.args].map((word) => `'${word}'`).join(" ");
}

/** Waits until `condition` holds, at most `ms` milliseconds; fails with `what` after that. */
export async function eventually(
  what: string,
  condition: () => boolean | Promise<boolean>,
  ms = 10_000,
): Promise<void> {
  const end = Date.now() + ms;
  while (!await condition()) {
    if (Date.now() > end) throw new Error(`gave up waiting: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** True while a process with this id lives (a zombie does not). */
export async function isAlive(pid: number): Promise<boolean> {
  const { stdout } = await new Deno.Command("ps", { args: ["-o", "stat=", "-p", String(pid)] })
    .output();
  const state = new TextDecoder().decode(stdout).trim();
  return state !== "" && !state.startsWith("Z");
}

// --- The process itself -------------------------------------------------------------------------

/** Messages of the client that no step has taken yet. */
class Inbox {
  readonly #waiting: WireMessage[] = [];
  #wake = () => {};

  constructor(readonly log: string) {}

  async fill(): Promise<void> {
    let rest = "";
    for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        Deno.writeTextFileSync(this.log, line + "\n", { append: true });
        this.#waiting.push(asObject(JSON.parse(line)));
      }
      this.#wake();
    }
  }

  async take(matches: (message: WireMessage) => boolean): Promise<WireMessage> {
    for (;;) {
      const index = this.#waiting.findIndex(matches);
      const [message] = index < 0 ? [] : this.#waiting.splice(index, 1);
      if (message !== undefined) return message;
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }
}

class Player {
  readonly #expected: WireMessage[] = [];
  /** Id of the terminal that was made last. */
  #created = "$created";

  constructor(readonly inbox: Inbox) {}

  async play(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      await this.#step(JSON.parse(JSON.stringify(step).replaceAll("$created", this.#created)));
    }
  }

  async #step(step: Step): Promise<void> {
    if ("expect" in step) {
      this.#expected.push(await this.inbox.take((message) => message.method === step.expect));
    } else if ("expectAnswer" in step) {
      const answer = await this.inbox.take((m) => !("method" in m) && m.id === step.expectAnswer);
      const { terminalId } = asObject(answer.result);
      if (typeof terminalId === "string") this.#created = terminalId;
    } else if ("respondAfter" in step) {
      send(...step.respondAfter, { id: this.#request()?.id, result: step.respond });
    } else if ("respondBefore" in step) {
      send({ id: this.#request()?.id, result: step.respond }, ...step.respondBefore);
    } else if ("respond" in step) {
      send({ id: this.#request(step.to)?.id, result: step.respond });
    } else if ("fail" in step) {
      send({ id: this.#request(step.to)?.id, error: step.fail });
    } else if ("send" in step) send(step.send);
    else if ("sendTogether" in step) send(...step.sendTogether);
    else if ("line" in step) write(Deno.stdout, step.line + "\n");
    else if ("write" in step) write(Deno.stdout, step.write);
    else if ("trickle" in step) await trickle(step.trickle);
    else if ("fill" in step) fill(step.fill);
    else if ("stderr" in step) write(Deno.stderr, step.stderr);
    else if ("untilFile" in step) await untilFile(step.untilFile);
    else if ("touch" in step) Deno.writeTextFileSync(step.touch, "");
    else if ("exit" in step) Deno.exit(step.exit);
    else if ("die" in step) {
      Deno.kill(Deno.pid, step.die);
      await forever();
    } else if ("closeStdout" in step) closeStdout();
    else if ("hang" in step) await forever();
    else if ("ignore" in step) Deno.addSignalListener(step.ignore, () => {});
    else for (let i = 0; i < step.times; i++) await this.play(step.repeat);
  }

  #request(method?: string): WireMessage | undefined {
    return method === undefined
      ? this.#expected.at(-1)
      : this.#expected.findLast((message) => message.method === method);
  }
}

function send(...messages: readonly Readonly<Record<string, unknown>>[]): void {
  write(
    Deno.stdout,
    messages.map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n").join(""),
  );
}

function write(to: { writeSync(bytes: Uint8Array): number }, text: string): void {
  let bytes = new TextEncoder().encode(text);
  while (bytes.length > 0) bytes = bytes.subarray(to.writeSync(bytes));
}

async function trickle(bytes: readonly number[]): Promise<void> {
  for (const byte of bytes) {
    Deno.stdout.writeSync(new Uint8Array([byte]));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

function fill(size: number): void {
  const piece = "x".repeat(16 * 1024);
  for (let left = size; left > 0; left -= piece.length) write(Deno.stdout, piece.slice(0, left));
}

/** Deno holds several descriptors of the pipe and closes none, so the system (Linux) is asked to. */
export function closeStdout(): void {
  const libc = Deno.dlopen("libc.so.6", { close: { parameters: ["i32"], result: "i32" } });
  const pipe = Deno.readLinkSync("/proc/self/fd/1");
  for (const { name } of [...Deno.readDirSync("/proc/self/fd")]) {
    if (linkOf(`/proc/self/fd/${name}`) === pipe) libc.symbols.close(Number(name));
  }
  libc.close();
}

function linkOf(path: string): string | undefined {
  try {
    return Deno.readLinkSync(path);
  } catch {
    return undefined; // the descriptor of the listing itself
  }
}

async function untilFile(path: string): Promise<void> {
  while (await Deno.stat(path).catch(() => undefined) === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Well, for two minutes: a test run that is killed must not leave agents behind for ever. */
function forever(): Promise<never> {
  return new Promise(() => setTimeout(() => Deno.exit(1), 120_000));
}

if (import.meta.main) {
  const [script = "", log = ""] = Deno.args;
  const runs: Step[][] = JSON.parse(await Deno.readTextFile(script));
  const before = (await Deno.readTextFile(log)).split("\n")
    .filter((line) => line !== "" && isObject(JSON.parse(line)) && "started" in JSON.parse(line));
  await Deno.writeTextFile(log, JSON.stringify({ started: Deno.pid }) + "\n", { append: true });
  const inbox = new Inbox(log);
  const filled = inbox.fill();
  await new Player(inbox).play(runs[Math.min(before.length, runs.length - 1)] ?? []);
  await filled;
}
