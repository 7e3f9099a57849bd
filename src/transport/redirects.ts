/**
 * Requests over HTTP that are followed on the same host alone, and answered in bounded time.
 *
 * @module
 */

import { MmError } from "../base/errors.ts";
import { sanitizeLine } from "../base/sanitize.ts";
import type { SecretMask } from "./secret_mask.ts";

const MAX_REDIRECTS = 5;
/** How long the server may take to say goodbye. */
const DELETE_MS = 2_000;

/** How a request is followed. */
export interface FollowOptions {
  /** The address, without secrets, for messages. */
  readonly name: string;
  /** For what servers say. */
  readonly mask: SecretMask;
  /**
   * How long the head of an answer may take while nothing else comes, in milliseconds; without it
   * as long as it takes. The body may take longer.
   */
  readonly answerMs: number | undefined;
  /** When something came last from the server, by `performance.now()`. */
  readonly lastSign: () => number;
}

/** Sends a request, and follows where it is sent on. The head of each answer comes in bounded time. */
export async function follow(
  url: URL,
  init: RequestInit,
  options: FollowOptions,
): Promise<Response> {
  const { name, mask } = options;
  const signal = init.method === "DELETE" ? AbortSignal.timeout(DELETE_MS) : init.signal;
  for (let hop = 0;; hop++) {
    const response = await answered(url, { ...init, signal, redirect: "manual" }, options);
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

async function answered(
  url: URL,
  init: RequestInit,
  { answerMs, lastSign }: FollowOptions,
): Promise<Response> {
  if (answerMs === undefined) return await fetch(url, init);
  const late = new AbortController();
  const sent = performance.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watch = () => {
    const leftMs = answerMs - (performance.now() - Math.max(sent, lastSign()));
    if (leftMs > 0) timer = setTimeout(watch, leftMs);
    else late.abort(new Error(`the server did not take a message within ${answerMs / 1_000} s`));
  };
  watch();
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
