/**
 * The event stream of a connection over HTTP, and what joins it: messages that servers put into
 * their answers to a POST instead, and failures that are noticed late.
 *
 * @module
 */

import { isObject } from "../base/guards.ts";
import { parseJson } from "../base/json.ts";
import { eventFilter, type EventFilterOptions, isEventStream } from "./event_filter.ts";

const JSON_TYPE = /\bjson\b/i;

/** One connection's events, as the protocol library reads them. */
export class ConnectionEvents {
  readonly #options: EventFilterOptions;
  readonly #encoder = new TextEncoder();
  #controller: TransformStreamDefaultController<Uint8Array> | undefined;
  /** What came before there was a stream. */
  #early: Uint8Array[] = [];
  #failure: { readonly error: unknown } | undefined;

  constructor(options: EventFilterOptions) {
    this.#options = options;
  }

  /** The events of a stream with what joins them. To be called once. */
  join(events: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    return events.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        start: (controller) => {
          this.#controller = controller;
          for (const event of this.#early) controller.enqueue(event);
          this.#early = [];
          if (this.#failure !== undefined) controller.error(this.#failure.error);
        },
      }),
    );
  }

  /** Adds one message. */
  add(message: unknown): void {
    this.#enqueue(this.#encoder.encode(`data: ${JSON.stringify(message)}\n\n`));
  }

  /** Ends the connection because of an error. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#controller?.error(error);
  }

  /** Adds the messages in the body of an answer, as long as it lasts. Never rejects. */
  async take(response: Response): Promise<void> {
    const { body } = response;
    if (body === null) return;
    try {
      const type = response.headers.get("content-type") ?? "";
      if (isEventStream(type)) {
        for await (const event of body.pipeThrough(eventFilter(this.#options))) {
          this.#enqueue(event);
        }
      } else if (JSON_TYPE.test(type)) this.#addJson(await this.#read(body));
      else await body.cancel();
    } catch (error) {
      this.fail(error);
    }
  }

  #enqueue(event: Uint8Array): void {
    if (this.#controller === undefined) {
      this.#early.push(event);
      return;
    }
    try {
      this.#controller.enqueue(event);
    } catch {
      // The connection has ended.
    }
  }

  #addJson(text: string): void {
    if (text.trim() === "") return;
    const value = parseJson(text);
    if (value === undefined) return this.#options.onNoise(text);
    // Servers may say something of their own in accepting a message.
    for (const message of Array.isArray(value) ? value : [value]) {
      if (isObject(message) && message.jsonrpc === "2.0") this.add(message);
    }
  }

  /** Reads text in bounded size, with bounded pauses. */
  async #read(body: ReadableStream<Uint8Array>): Promise<string> {
    const { maxMessageBytes, stallMs, onBytes } = this.#options;
    const decoder = new TextDecoder();
    const reader = body.getReader();
    let text = "";
    let size = 0;
    let stalled = false;
    const stall = () => {
      stalled = true;
      void reader.cancel().catch(() => {});
    };
    for (;;) {
      const timer = setTimeout(stall, stallMs);
      const { value, done } = await reader.read().finally(() => clearTimeout(timer));
      if (stalled) {
        throw new Error(`the server stopped in the middle of an answer for ${stallMs / 1_000} s`);
      }
      if (done) return text + decoder.decode();
      onBytes();
      size += value.length;
      if (size > maxMessageBytes) {
        void reader.cancel().catch(() => {});
        throw new Error(`the agent sent an answer longer than ${maxMessageBytes} bytes`);
      }
      text += decoder.decode(value, { stream: true });
    }
  }
}
