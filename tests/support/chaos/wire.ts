/**
 * The hostile agent's end of the wire, and its own record of what was asked and answered.
 *
 * @module
 */

import { asObject, isObject, type JsonObject } from "../../../src/base/guards.ts";

/** One line of the record; `start` says which of the starts, counted from 0, has written it. */
export type ReportLine = { readonly start: number } & ReportItem;

/** What happened. */
export type ReportItem =
  /** A process with this id has begun. */
  | { readonly started: number }
  /** A request was written. `odd`: its id is none that must be answered. */
  | { readonly asked: unknown; readonly method: string; readonly odd: boolean }
  /** An answer came. */
  | { readonly answered: unknown; readonly error?: unknown }
  /** The program has sent something that is no message of the protocol. */
  | { readonly bad: string }
  /** A prompt came, and its turn has ended as far as this side is concerned. */
  | { readonly prompted: string }
  | { readonly ended: string }
  /** Requests that had no answer at a moment at which all of them should have had one. */
  | { readonly unanswered: readonly unknown[] };

/** Longest wait for an answer before it counts as missing, in milliseconds. */
const ANSWER_MS = 8_000;

/** A message without `jsonrpc`. */
export type Message = Readonly<Record<string, unknown>>;

/** Reads and writes lines, and keeps the record. */
export class Wire {
  readonly #report: Deno.FsFile;
  /** Ids of the commands that the program has started for us. */
  readonly terminals: string[] = [];
  /** How often each id was asked and not answered yet, by its JSON. */
  readonly #open = new Map<string, number>();
  /** Ids of what a person may be asked about. */
  readonly #questions = new Set<unknown>();
  readonly #withPerson: boolean;
  #count = 0;

  readonly #start: number;

  /** `withPerson`: somebody is asked, who may be slow. */
  constructor(reportFile: string, start: number, withPerson: boolean) {
    this.#start = start;
    this.#withPerson = withPerson;
    this.#report = Deno.openSync(reportFile, { append: true, create: true });
  }

  /** Adds a line to the record. */
  note(item: ReportItem): void {
    writeAll(this.#report, JSON.stringify({ start: this.#start, ...item }) + "\n");
  }

  /** Writes text as it is; lone surrogates come out as their escapes in JSON only. */
  write(text: string | Uint8Array): void {
    writeAll(Deno.stdout, text);
  }

  stderr(text: string): void {
    writeAll(Deno.stderr, text);
  }

  /** Sends messages in one write. */
  send(...messages: readonly Message[]): void {
    this.write(messages.map(lineOf).join(""));
  }

  /** Sends a request under an id of its own (or this one) and gives the id. */
  ask(method: string, params?: unknown, id: unknown = this.freshId()): unknown {
    this.note({ asked: id, method, odd: isOdd(id) });
    const key = JSON.stringify(id);
    if (!isOdd(id)) this.#open.set(key, (this.#open.get(key) ?? 0) + 1);
    if (/^(session\/request_permission|elicitation\/|fs\/)/.test(method)) this.#questions.add(id);
    this.send(params === undefined ? { id, method } : { id, method, params });
    return id;
  }

  /** An id that was not used before. */
  freshId(): number | string {
    this.#count++;
    switch (this.#count % 4) {
      case 0:
        return `${this.#count}`;
      case 1:
        return this.#count - 1;
      case 2:
        return -this.#count;
      default:
        return `chaos/${this.#count} \x1b[31mé`;
    }
  }

  /**
   * Waits until every request has its answer, and records those that have none. Questions to a person
   * are taken back first.
   */
  async settle(): Promise<void> {
    for (const requestId of this.#withPerson ? this.#questions : []) {
      this.send({ method: "$/cancel_request", params: { requestId } });
    }
    this.#questions.clear();
    const end = Date.now() + ANSWER_MS;
    while (this.#open.size > 0 && Date.now() < end) await pause(10);
    this.note({ unanswered: [...this.#open.keys()] });
    this.#open.clear();
  }

  /** Calls `take` with each request and notification until stdin ends. */
  async read(take: (message: JsonObject) => void): Promise<void> {
    const decoder = new TextDecoder();
    let parts: string[] = [];
    for await (const bytes of Deno.stdin.readable) {
      const lines = decoder.decode(bytes, { stream: true }).split("\n");
      parts.push(lines.shift() ?? "");
      if (lines.length === 0) continue;
      const rest = lines.pop() ?? "";
      for (const line of [parts.join(""), ...lines]) this.#line(line, take);
      parts = [rest];
    }
  }

  #line(line: string, take: (message: JsonObject) => void): void {
    const message = parse(line);
    if (message?.jsonrpc !== "2.0") return this.note({ bad: line.slice(0, 200) });
    if (typeof message.method === "string") return take(message);
    if (!("id" in message) || !("result" in message || "error" in message)) {
      return this.note({ bad: line.slice(0, 200) });
    }
    const { error } = message;
    this.note(
      error === undefined ? { answered: message.id } : {
        answered: message.id,
        error: asObject(error).code,
      },
    );
    const { terminalId } = asObject(message.result);
    if (typeof terminalId === "string") this.terminals.push(terminalId);
    this.#questions.delete(message.id);
    const key = JSON.stringify(message.id);
    const left = (this.#open.get(key) ?? 0) - 1;
    if (left > 0) this.#open.set(key, left);
    else this.#open.delete(key);
  }
}

/** Waits. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A message as a line. */
export function lineOf(message: Message): string {
  return JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n";
}

/** The protocol knows numbers and strings as ids; nobody can ask for an answer to anything else. */
function isOdd(id: unknown): boolean {
  return typeof id !== "string" && !Number.isInteger(id);
}

function parse(line: string): JsonObject | undefined {
  try {
    const value = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function writeAll(to: { writeSync(bytes: Uint8Array): number }, data: string | Uint8Array): void {
  let bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  try {
    while (bytes.length > 0) bytes = bytes.subarray(to.writeSync(bytes));
  } catch (error) {
    // The program is gone: there is nobody left to be hostile to.
    if (error instanceof Deno.errors.BrokenPipe) Deno.exit(0);
    throw error;
  }
}
