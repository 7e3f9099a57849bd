/**
 * The `fetch` that the protocol library gets: no headers for strangers, no surprises for its parser.
 *
 * @module
 */

import { MmError } from "../base/errors.ts";
import { sanitizeLine } from "../base/sanitize.ts";
import { eventFilter } from "./event_filter.ts";
import { readRefusal, retryAfter } from "./refusal.ts";
import type { SecretMask } from "./secret_mask.ts";

const MAX_REDIRECTS = 5;
/** The header that every message after `initialize` has. */
const CONNECTION_ID = "Acp-Connection-Id";
/** How long the server may take to say goodbye. */
const DELETE_MS = 2_000;

const CONFLICT = 409;
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
  /** How long a message may wait to be accepted, `initialize` excepted, in milliseconds. */
  readonly answerMs: number;
  /** How long the server may pause in the middle of an event, in milliseconds. */
  readonly stallMs: number;
  /** Takes the data of an event that is not a JSON object. */
  readonly onNoise: (text: string) => void;
  /** Told of every piece of an event stream, comments that only keep it open included. */
  readonly onBytes: () => void;
  /** Told with every refusal how long the server asks to wait, in milliseconds, if it does. */
  readonly onRefusal: (retryAfterMs: number | undefined) => void;
}

/** Makes a `fetch` that follows redirects only on the same host and that checks what comes back. */
export function guardedFetch(options: GuardedFetchOptions): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const send = () => follow(new URL(request.url), request.headers, init ?? {}, options);
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
    const wantsEvents = request.headers.get("accept")?.includes("text/event-stream") ?? false;
    if (/html/i.test(type) || (wantsEvents && !/text\/event-stream/i.test(type))) {
      await response.body?.cancel();
      throw new MmError(
        "handshake",
        `Cannot connect to ${options.name}: it does not speak ACP (it answered with ${
          sanitizeLine(type).slice(0, 100) || "no content type"
        })`,
        { hint: "Check the URL, its path too." },
      );
    }
    if (!wantsEvents || response.body === null) return response;
    // By the signal itself: the one that the request keeps of it is lost with the request.
    const signal = init?.signal ?? undefined;
    return new Response(response.body.pipeThrough(eventFilter(options), { signal }), response);
  };
}

async function follow(
  url: URL,
  headers: Headers,
  init: RequestInit,
  { name, mask, answerMs }: GuardedFetchOptions,
): Promise<Response> {
  const signal = init.method === "DELETE" ? AbortSignal.timeout(DELETE_MS) : init.signal;
  // How long `initialize` may take is for whoever sends it to say.
  const boundMs = headers.has(CONNECTION_ID) ? answerMs : undefined;
  for (let hop = 0;; hop++) {
    const response = await answered(url, { ...init, signal, redirect: "manual" }, boundMs);
    const location = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || location === null) return response;
    const keepsMethod = response.status === 307 || response.status === 308;
    if (hop >= MAX_REDIRECTS || (!keepsMethod && (init.method ?? "GET") !== "GET")) return response;
    await response.body?.cancel();
    const target = URL.parse(location, url);
    if (target === null || !mayHaveHeaders(url, target)) {
      const where = target === null
        ? "to what is no address"
        : `to another server, ${sanitizeLine(mask.text(target.origin + target.pathname))}`;
      throw new MmError("handshake", `Cannot connect to ${name}: it redirects ${where}`, {
        hint: target === null
          ? "Check the URL, its path too."
          : "Nothing was sent there. Give that address as the URL if you trust it.",
      });
    }
    // An address that the server gives in full has lost them.
    [target.username, target.password] = [url.username, url.password];
    url = target;
  }
}

/** Waits for the head of the answer in bounded time; its body may take longer. */
async function answered(url: URL, init: RequestInit, answerMs?: number): Promise<Response> {
  if (answerMs === undefined) return await fetch(url, init);
  const late = new AbortController();
  const timer = setTimeout(() => {
    late.abort(new Error(`the server did not take a message within ${answerMs / 1_000} s`));
  }, answerMs);
  try {
    const signal = AbortSignal.any([late.signal, ...(init.signal ? [init.signal] : [])]);
    return await fetch(url, { ...init, signal });
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The same origin; or the same host with TLS where there was none, at the port that goes with it or
 * at the same one. Another port of a host may belong to another user.
 */
function mayHaveHeaders(from: URL, to: URL): boolean {
  if (from.origin === to.origin) return true;
  return from.hostname === to.hostname && from.protocol === "http:" && to.protocol === "https:" &&
    from.port === to.port;
}
