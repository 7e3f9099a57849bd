/**
 * The `fetch` that the protocol library gets: no headers for strangers, no surprises for its parser.
 *
 * @module
 */

import { isObject } from "../base/guards.ts";
import { MmError } from "../base/errors.ts";
import { LineBuffer } from "./line_buffer.ts";

const MAX_REDIRECTS = 5;
/** How long the server may take to say goodbye. */
const DELETE_MS = 2_000;

/** What a guarded fetch works with. */
export interface GuardedFetchOptions {
  /** The address, without secrets, for messages. */
  readonly name: string;
  /** Longest event in bytes. */
  readonly maxMessageBytes: number;
  /** Takes the data of an event that is not a JSON object. */
  readonly onNoise: (text: string) => void;
}

/** Makes a `fetch` that follows redirects only on the same host and that checks what comes back. */
export function guardedFetch(options: GuardedFetchOptions): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const response = await follow(new URL(request.url), init ?? {}, options.name);
    if (!response.ok) return response;
    const type = response.headers.get("content-type") ?? "";
    const wantsEvents = request.headers.get("accept")?.includes("text/event-stream") ?? false;
    if (/html/i.test(type) || (wantsEvents && !/text\/event-stream/i.test(type))) {
      await response.body?.cancel();
      throw new MmError(
        "handshake",
        `Cannot connect to ${options.name}: it does not speak ACP (it answered with ${
          type || "no content type"
        })`,
        { hint: "Check the URL, its path too" },
      );
    }
    if (!wantsEvents || response.body === null) return response;
    return new Response(response.body.pipeThrough(eventFilter(options)), response);
  };
}

async function follow(url: URL, init: RequestInit, name: string): Promise<Response> {
  const signal = init.method === "DELETE" ? AbortSignal.timeout(DELETE_MS) : init.signal;
  for (let hop = 0;; hop++) {
    const response = await fetch(url, { ...init, signal, redirect: "manual" });
    const location = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || location === null) return response;
    await response.body?.cancel();
    const target = new URL(location, url);
    const keepsMethod = response.status === 307 || response.status === 308;
    if (!isSameHost(url, target)) {
      throw new MmError(
        "handshake",
        `Cannot connect to ${name}: it redirects to another host, ${target.origin}`,
        { hint: "Nothing was sent there. Give that address as the URL if you trust it" },
      );
    }
    if (hop >= MAX_REDIRECTS || (!keepsMethod && (init.method ?? "GET") !== "GET")) return response;
    url = target;
  }
}

/** The same origin, or the same host with TLS where there was none. */
function isSameHost(from: URL, to: URL): boolean {
  if (from.origin === to.origin) return true;
  return from.hostname === to.hostname && from.protocol === "http:" && to.protocol === "https:";
}

/** Passes on the events whose data is a JSON object, each as one line. */
function eventFilter(options: GuardedFetchOptions): TransformStream<Uint8Array, Uint8Array> {
  const lines = new LineBuffer(options.maxMessageBytes);
  const encoder = new TextEncoder();
  let data: string[] = [];
  let size = 0;

  function takeLine(line: string): string {
    if (line === "") return takeEvent();
    if (!line.startsWith("data:")) return "";
    const value = line.slice(line.startsWith("data: ") ? 6 : 5);
    size += value.length;
    data.push(value);
    return "";
  }

  function takeEvent(): string {
    const text = data.join("\n");
    data = [];
    size = 0;
    if (text.trim() === "") return "";
    try {
      const value: unknown = JSON.parse(text);
      if (isObject(value)) return `data: ${JSON.stringify(value)}\n\n`;
    } catch {
      // Not JSON: noise.
    }
    options.onNoise(text);
    return "";
  }

  return new TransformStream({
    transform(chunk, controller) {
      for (const line of lines.push(chunk)) {
        const event = takeLine(line);
        if (event !== "") controller.enqueue(encoder.encode(event));
      }
      if (lines.overflowed || size > options.maxMessageBytes) {
        throw new Error(`the agent sent an event longer than ${options.maxMessageBytes} bytes`);
      }
    },
    flush(controller) {
      const rest = lines.end().map(takeLine).join("") + takeEvent();
      if (rest !== "") controller.enqueue(encoder.encode(rest));
    },
  });
}
