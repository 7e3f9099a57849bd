/**
 * What may pass between an agent's output and the client: JSON-RPC 2.0, and answers that are waited
 * for. Everything else is noise: never passed on, never answered, kept in a short list.
 *
 * @module
 */

import { asObject, isObject, type JsonObject } from "../base/guards.ts";
import { sanitizeLine } from "../base/sanitize.ts";
import { cutNesting, isNestedDeeper } from "./nesting.ts";
import { secretsOfCommand, secretsOfServers } from "./process_secrets.ts";
import { SecretMask } from "./secret_mask.ts";
import type { TraceTap, WireMessage } from "./transport.ts";

const MAX_NOISE_LINES = 50;
const MAX_NOISE_LENGTH = 500;
/** How deep a message may be nested; what lies deeper is cut. */
const MAX_LEVELS = 500;

/** Sequences that programs write without a newline (window titles, colours), before a message. */
const LEADING_ESCAPES =
  // deno-lint-ignore no-control-regex
  /^(?:\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[78=>])+/;

/** Checks what an agent sends against what it was asked. */
export class MessageGate {
  readonly #tap: TraceTap | undefined;
  readonly #mask: SecretMask;
  readonly #open = new Set<unknown>();
  readonly #noise: string[] = [];

  /** @param mask hides secrets from the tap, and in the errors and the noise of the agent */
  constructor(tap?: TraceTap, mask = new SecretMask()) {
    this.#tap = tap;
    this.#mask = mask;
  }

  /** Number of requests that wait for an answer. */
  get waiting(): number {
    return this.#open.size;
  }

  /** Notes a message that is about to be sent: a request opens the way for its answer. */
  outgoing(message: WireMessage): void {
    if ("method" in message && "id" in message) this.#open.add(message.id);
    if (message.method === "authenticate") this.#mask.add(secretsIn(message.params));
    const { mcpServers } = asObject(message.params);
    if (mcpServers !== undefined) this.#mask.add(secretsOfServers(mcpServers));
    this.#tap?.frame("out", this.#mask.json(message));
  }

  /** Reads one line of an agent's output; `undefined` when there is nothing to pass on. */
  incomingLine(line: string): WireMessage | undefined {
    const text = line.replace(LEADING_ESCAPES, "");
    if (text.trim() === "") {
      if (line.trim() !== "") this.skip("not JSON", line);
      return undefined;
    }
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.skip("not JSON", line);
      return undefined;
    }
    return this.incoming(value, line);
  }

  /** Checks one value; `text` is what it was read from, where it was read from text. */
  incoming(value: unknown, text?: string): WireMessage | undefined {
    const message = isObject(value) ? this.#check(value) : "not a JSON-RPC message";
    if (typeof message === "string") {
      this.skip(message, text ?? textOf(value));
      return undefined;
    }
    const passed = this.#withoutDepths(message);
    if (passed.method === "terminal/create") this.#mask.addPassing(secretsOfCommand(passed.params));
    this.#tap?.frame("in", this.#mask.json(passed));
    // Errors go on to the screen and to the log; what else an agent says is its own affair.
    return "error" in passed ? this.#mask.json(passed) : passed;
  }

  /** Puts text on the list of noise and into the trace. */
  skip(reason: string, text: string): void {
    const masked = this.#mask.text(text);
    const cut = masked.length > MAX_NOISE_LENGTH ? `${masked.slice(0, MAX_NOISE_LENGTH)}…` : masked;
    const line = sanitizeLine(cut, "reveal");
    this.#noise.push(line);
    if (this.#noise.length > MAX_NOISE_LINES) this.#noise.shift();
    this.#tap?.note(`skipped (${reason}): ${line}`);
  }

  /** The last lines that did not pass. */
  noise(): readonly string[] {
    return [...this.#noise];
  }

  /** The message without what is nested too deep for anybody to walk. */
  #withoutDepths(message: WireMessage): WireMessage {
    if (!isNestedDeeper(message, MAX_LEVELS)) return message;
    this.#tap?.note(`cut what lies more than ${MAX_LEVELS} levels deep in a message`);
    return cutNesting(message, MAX_LEVELS) as WireMessage;
  }

  /** The message as it passes, or why it does not. */
  #check(value: JsonObject): WireMessage | string {
    if (value.jsonrpc !== "2.0") return "not a JSON-RPC message";
    if ("method" in value) {
      const { method, id } = value;
      const named = typeof method === "string";
      const answerable = id === undefined || id === null || /^(string|number)$/.test(typeof id);
      return named && answerable ? value : "not a JSON-RPC request";
    }
    const id = this.#openId(value.id);
    if (id === undefined) return "an answer that nobody waits for";
    this.#open.delete(id);
    const answered = "result" in value || "error" in value;
    return answered ? { ...value, id } : { ...value, id, result: null };
  }

  /** The id of the open request that an answer means; some agents give numbers back as strings. */
  #openId(id: unknown): unknown {
    if (this.#open.has(id)) return id;
    if (typeof id !== "string" && typeof id !== "number") return undefined;
    const other = typeof id === "string" ? Number(id) : String(id);
    return String(other) === String(id) && this.#open.has(other) ? other : undefined;
  }
}

/** What signs in: all but the name of the method. */
function secretsIn(params: unknown): string[] {
  if (!isObject(params)) return [];
  const { methodId: _, ...rest } = params;
  return Object.values(rest).filter((value) => typeof value === "string");
}

function textOf(value: unknown): string {
  return JSON.stringify(cutNesting(value, MAX_LEVELS)) ?? "";
}
