/**
 * A client with one session: turns as results, events and generated text.
 *
 * @module
 */

import { within } from "../base/clock.ts";
import { ERROR_TABLE, type ErrorCode, MmError } from "../base/errors.ts";
import type { JsonObject } from "../base/guards.ts";
import type { RequestOptions } from "../client/connection.ts";
import type { RequestHandler } from "../client/router.ts";
import type { TurnError, TurnOutcome } from "../model/session.ts";
import type {
  AcpClient,
  Generated,
  GenerateRequest,
  PromptBlock,
  PromptOptions,
} from "./acp_client.ts";
import type { EndEvent, ModelEvent, TurnEvent, TurnResult } from "./turn.ts";
import type { Client, Session } from "./contract.ts";
import { assemblePromptText } from "./prompt_text.ts";
import { TurnCollector } from "./turn_collector.ts";

/** How long a cancelled turn may take to end before the agent is ended, in milliseconds. */
const CANCEL_MS = 5_000;

/** See {@link AcpClient}. */
export class SingleSession implements AcpClient {
  readonly client: Client;
  readonly session: Session;
  readonly #promptTimeoutMs: number | undefined;
  /** Settles when the last of the turns so far has ended. */
  #turns: Promise<unknown> = Promise.resolve();

  constructor(client: Client, session: Session, promptTimeoutMs: number | undefined) {
    this.client = client;
    this.session = session;
    this.#promptTimeoutMs = promptTimeoutMs;
  }

  get initializeResult(): JsonObject {
    return this.client.initialized.raw;
  }

  get sessionId(): string {
    return this.session.id;
  }

  prompt(
    prompt: string | readonly PromptBlock[],
    options: PromptOptions = {},
  ): Promise<TurnResult> {
    const before = this.#turns;
    const turn = settledUnlessAborted(before, options.signal)
      .then((mayGo) => mayGo ? this.#turn(prompt, options) : notSent());
    this.#turns = Promise.allSettled([before, turn]);
    return turn;
  }

  async *stream(
    prompt: string | readonly PromptBlock[],
    { signal }: Pick<PromptOptions, "signal"> = {},
  ): AsyncGenerator<TurnEvent | EndEvent, void, void> {
    const left = new AbortController();
    const events: TurnEvent[] = [];
    let wake = () => {};
    let result: TurnResult | undefined;
    const turn = this.prompt(prompt, {
      signal: signal === undefined ? left.signal : AbortSignal.any([signal, left.signal]),
      onEvent(event) {
        events.push(event);
        wake();
      },
    }).then((ended) => {
      result = ended;
      wake();
    });
    try {
      for (;;) {
        yield* events.splice(0);
        if (events.length > 0) continue;
        if (result !== undefined) break;
        await new Promise<void>((resolve) => wake = resolve);
      }
      if (!result.ok) throw result.error;
      yield { type: "end", result };
    } finally {
      left.abort();
      await turn;
    }
  }

  readonly generate = (request: GenerateRequest): Promise<Generated> => this.#generate(request);

  readonly generateStream = (
    request: GenerateRequest,
    emit: (event: ModelEvent) => void,
  ): Promise<Generated> =>
    this.#generate(request, (event) => {
      if (isModelEvent(event)) emit(event);
    });

  cancel(): void {
    this.session.cancel();
  }

  request(method: string, params?: unknown, options?: RequestOptions): Promise<unknown> {
    return this.client.request(method, params, options);
  }

  notify(method: string, params?: unknown): Promise<void> {
    return this.client.connection.notify(method, params);
  }

  onExtension(method: string, handler: RequestHandler): () => void {
    const { router } = this.client.connection;
    const { signal } = new AbortController();
    const listen = async (params: unknown) => {
      try {
        await handler(params, { requestId: null, signal });
      } catch (error) {
        reportError(error);
      }
    };
    const undo = [
      router.register(method, handler),
      router.on(method, (params) => void listen(params)),
    ];
    return () => undo.forEach((takeBack) => takeBack());
  }

  stderr(): string {
    return this.client.stderr();
  }

  close(): Promise<void> {
    return this.client.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #turn(
    prompt: string | readonly PromptBlock[],
    { onEvent, signal }: PromptOptions,
  ): Promise<TurnResult> {
    const { session } = this;
    const broken = new AbortController();
    const collector = new TurnCollector((event) => {
      if (broken.signal.aborted) return;
      try {
        onEvent?.(event);
      } catch (error) {
        broken.abort(error);
      }
    });
    const unsubscribe = session.store.subscribe((change) => collector.take(change));
    const blocks = typeof prompt === "string" ? [{ type: "text", text: prompt }] : prompt;
    const outcome = await this.#bounded(session.prompt(blocks), [signal, broken.signal]);
    unsubscribe();
    broken.signal.throwIfAborted();
    const { text, thoughts, calls: toolCalls } = collector;
    if (!outcome.ok) return { ok: false, error: toError(outcome.error), text };
    const { stopReason, usage } = outcome;
    return {
      ok: true,
      text,
      stopReason,
      thoughts,
      toolCalls,
      ...(usage === undefined ? {} : { usage }),
    };
  }

  /**
   * Waits for the end of a turn, which is cancelled when a signal aborts or its time is over. An
   * agent that does not end a cancelled turn is ended: nobody could use it any more.
   */
  async #bounded(
    turn: Promise<TurnOutcome>,
    signals: readonly (AbortSignal | undefined)[],
  ): Promise<TurnOutcome> {
    const ms = this.#promptTimeoutMs;
    const stderr = this.client.connection.transport.watchStderr();
    const { promise: stopped, resolve: stop } = Promise.withResolvers<"cancelled" | "timeout">();
    const abort = () => stop("cancelled");
    for (const signal of signals) signal?.addEventListener("abort", abort);
    if (signals.some((signal) => signal?.aborted)) abort();
    const timer = ms === undefined ? undefined : setTimeout(() => stop("timeout"), ms);
    try {
      const first = await Promise.race([turn, stopped]);
      if (typeof first !== "string") return first;
      this.session.cancel();
      const ended = await within(turn, CANCEL_MS);
      if (!ended.ok) await this.close();
      if (ended.ok && first === "cancelled") return ended.value;
      const message = [
        first === "timeout"
          ? `The turn did not end within ${(ms ?? 0) / 1_000} s`
          : "The turn was cancelled",
        ...(ended.ok ? [] : [`and had not ended ${CANCEL_MS / 1_000} s later: ${this.#ended()}`]),
      ].join(" ");
      return { ok: false, error: { code: first, message, stderr: stderr() } };
    } finally {
      clearTimeout(timer);
      for (const signal of signals) signal?.removeEventListener("abort", abort);
    }
  }

  /** What became of an agent that would not end a turn. */
  #ended(): string {
    const { address } = this.client.connection.transport;
    return address === undefined ? "the agent was ended" : "the connection was closed";
  }

  async #generate(
    { messages, signal }: GenerateRequest,
    onEvent?: (event: TurnEvent) => void,
  ): Promise<Generated> {
    if (messages.length === 0) {
      throw new MmError("usage", "Cannot generate an answer: there are no messages");
    }
    const result = await this.prompt(assemblePromptText(messages), {
      ...(signal === undefined ? {} : { signal }),
      ...(onEvent === undefined ? {} : { onEvent }),
    });
    signal?.throwIfAborted();
    if (!result.ok) throw result.error;
    const { text: content, stopReason, usage } = result;
    return { content, stopReason, ...(usage === undefined ? {} : { usage }) };
  }
}

function notSent(): TurnResult {
  const message = "The prompt was cancelled before it was sent";
  return { ok: false, error: new MmError("cancelled", message), text: "" };
}

/** True once `promise`, which never rejects, has settled; false as soon as the signal aborts. */
async function settledUnlessAborted(
  promise: Promise<unknown>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (signal === undefined) return await promise.then(() => true);
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  const abort = () => resolve();
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  await Promise.race([promise, aborted]);
  signal.removeEventListener("abort", abort);
  return !signal.aborted;
}

function isModelEvent(event: TurnEvent): event is ModelEvent {
  return event.type === "text" || event.type === "thought" || event.type === "tool_call" ||
    event.type === "tool_result";
}

function toError({ code, message, hint, stderr, rpc }: TurnError): MmError {
  const known = Object.hasOwn(ERROR_TABLE, code) ? code as ErrorCode : "turn_failed";
  return new MmError(known, message, {
    phase: "session/prompt",
    ...(hint === undefined ? {} : { hint }),
    ...(stderr === undefined ? {} : { stderr }),
    ...(rpc === undefined ? {} : { rpc }),
  });
}
