/**
 * The `fetch` that the protocol library gets: no headers for strangers, no surprises for its parser.
 *
 * @module
 */

import { within } from "../base/clock.ts";
import { MmError } from "../base/errors.ts";
import { sanitizeLine } from "../base/sanitize.ts";
import { ConnectionEvents } from "./connection_events.ts";
import { eventFilter, isEventStream } from "./event_filter.ts";
import { lateRefusal } from "./late_refusal.ts";
import { follow, type FollowOptions } from "./redirects.ts";
import { readRefusal, retryAfter } from "./refusal.ts";
import { CONFLICT } from "./request_failure.ts";
import type { SecretMask } from "./secret_mask.ts";

/** The header that every message after `initialize` has. */
const CONNECTION_ID = "Acp-Connection-Id";
/** The header of what belongs to one session. */
const SESSION_ID = "Acp-Session-Id";
/** How many sessions may have a stream at once: one is opened for every session that is named. */
const MAX_SESSIONS = 500;
/** How fast a message is sent at least over a slow line, in bytes a millisecond. */
const SLOW_LINE = 100;
/**
 * Pauses before a stream that the server calls taken is asked for again: it may be taken by one of
 * our own that has just ended, which the server has not noticed yet. In milliseconds.
 */
const AGAIN_MS = [50, 200, 750] as const;

/** What a guarded fetch works with. */
export interface GuardedFetchOptions {
  /** The address, without secrets, for messages. */
  readonly name: string;
  /** For what servers say. */
  readonly mask: SecretMask;
  /** Longest event in bytes. */
  readonly maxMessageBytes: number;
  /**
   * How long a message may wait to be accepted while nothing at all comes, `initialize` excepted,
   * in milliseconds.
   */
  readonly answerMs: number;
  /** How long the next message waits for that at least, in milliseconds. */
  readonly nextMs: number;
  /** How long the server may pause in the middle of an event, in milliseconds. */
  readonly stallMs: number;
  /** Takes the data of an event that is not a JSON object. */
  readonly onNoise: (text: string) => void;
  /** Told of every piece of an event stream, comments that only keep it open included. */
  readonly onBytes: () => void;
  /** Told with every refusal how long the server asks to wait, in milliseconds, if it does. */
  readonly onRefusal: (retryAfterMs: number | undefined) => void;
}

/**
 * Makes the `fetch` of one connection: it follows redirects only on the same host, checks what comes
 * back, and lets a message go out though the server has not answered the one before.
 */
export function guardedFetch(given: GuardedFetchOptions): typeof globalThis.fetch {
  let lastSign = 0;
  const options = {
    ...given,
    lastSign: () => lastSign,
    onBytes: () => {
      lastSign = performance.now();
      given.onBytes();
    },
  };
  const events = new ConnectionEvents(options);
  let sessions = 0;
  return async (input, init) => {
    const request = new Request(input, init);
    const ofSession = request.method === "GET" && request.headers.has(SESSION_ID);
    if (ofSession && sessions >= MAX_SESSIONS) {
      throw new Error(`the server names more than ${MAX_SESSIONS} sessions`);
    }
    if (ofSession) sessions++;
    const answered = ask(request, init ?? {}, options);
    if (request.method === "POST") {
      const body = typeof init?.body === "string" ? init.body : "";
      return request.headers.has(CONNECTION_ID)
        ? await posted(answered, body, events, options)
        : await firstAnswer(await answered, options);
    }
    // By the signal itself: the one that the request keeps of it is lost with the request.
    const signal = init?.signal ?? undefined;
    let body: ReadableStream<Uint8Array> | undefined;
    try {
      const response = await answered;
      if (!response.ok || response.body === null || !wantsEvents(request)) return response;
      body = response.body.pipeThrough(eventFilter(options), { signal });
      if (!ofSession) return new Response(events.join(body), response);
      return new Response(body.pipeThrough(whenEnded(() => sessions--)), response);
    } finally {
      if (ofSession && body === undefined) sessions--;
    }
  };
}

/** Gets an answer: a refusal in short, or what an agent may answer with. */
async function ask(
  request: Request,
  init: RequestInit,
  options: GuardedFetchOptions & Pick<FollowOptions, "lastSign">,
): Promise<Response> {
  const { name, mask, lastSign } = options;
  // How long `initialize` may take is for whoever sends it to say.
  const answerMs = request.headers.has(CONNECTION_ID) ? options.answerMs : undefined;
  const send = () => follow(new URL(request.url), init, { name, mask, lastSign, answerMs });
  let response = await send();
  for (const ms of request.method === "GET" ? AGAIN_MS : []) {
    if (response.status !== CONFLICT) break;
    await response.body?.cancel();
    await new Promise((resolve) => setTimeout(resolve, ms));
    response = await send();
  }
  if (!response.ok) {
    options.onRefusal(retryAfter(response));
    return await readRefusal(response, options.mask);
  }
  const type = response.headers.get("content-type") ?? "";
  if (!/html/i.test(type) && (!wantsEvents(request) || isEventStream(type))) return response;
  await response.body?.cancel();
  throw new MmError(
    "handshake",
    `Cannot connect to ${options.name}: it does not speak ACP (it answered with ${
      sanitizeLine(type).slice(0, 100) || "no content type"
    })`,
    { hint: "Check the URL, its path too." },
  );
}

/** Passes everything on, and says when nothing more comes or is wanted. */
function whenEnded(ended: () => void): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({ flush: ended, cancel: ended });
}

function wantsEvents({ headers }: Request): boolean {
  return isEventStream(headers.get("accept"));
}

/**
 * The answer to a message, as far as the next one has to wait for it: the message has been sent by
 * then. A server that takes its time must not hold back what cancels the very thing that it is busy
 * with. Whatever it says later joins the events.
 */
async function posted(
  answered: Promise<Response>,
  message: string,
  events: ConnectionEvents,
  options: GuardedFetchOptions,
): Promise<Response> {
  const timed = await within(answered, options.nextMs + message.length / SLOW_LINE);
  if (timed.ok) return timed.value.ok ? withoutMessages(timed.value, events) : timed.value;
  answered.then(
    async (response) => {
      if (response.ok) return await events.take(response);
      await lateRefusal(response, message, events);
    },
    (error) => events.fail(error),
  );
  return new Response(null, { status: 202 });
}

/** The answer without its body: the messages in there join the events. */
function withoutMessages(response: Response, events: ConnectionEvents): Response {
  void events.take(response);
  const { status, statusText, headers } = response;
  return new Response(null, { status, statusText, headers });
}

/** The answer to `initialize` as JSON: of events the first is it. */
async function firstAnswer(response: Response, options: GuardedFetchOptions): Promise<Response> {
  const { body, headers } = response;
  if (!response.ok || body === null || !isEventStream(headers.get("content-type"))) {
    return response;
  }
  for await (const event of body.pipeThrough(eventFilter(options))) {
    return new Response(new TextDecoder().decode(event).slice("data: ".length), { headers });
  }
  return new Response(null, { headers });
}
