/**
 * Server-sent events as the protocol library takes them: whole, bounded, and nothing but messages.
 *
 * @module
 */

import { isObject } from "../base/guards.ts";
import { LineBuffer } from "./line_buffer.ts";

const LF = 0x0a;
const CR = 0x0d;

/** Whether a content type, or a list of those that are accepted, is of event streams. */
export function isEventStream(type: string | null): boolean {
  return /text\/event-stream/i.test(type ?? "");
}

/** How events are filtered. */
export interface EventFilterOptions {
  /** Longest event in bytes. */
  readonly maxMessageBytes: number;
  /** How long the server may pause in the middle of an event, in milliseconds. */
  readonly stallMs: number;
  /** Takes the data of an event that is not a JSON object. */
  readonly onNoise: (text: string) => void;
  /** Told of every piece. */
  readonly onBytes: () => void;
}

/** Passes on the events whose data is a JSON object, each as one line. */
export function eventFilter(
  options: EventFilterOptions,
): TransformStream<Uint8Array, Uint8Array> {
  const lines = new LineBuffer(options.maxMessageBytes);
  const encoder = new TextEncoder();
  const withNewlines = newlines();
  let data: string[] = [];
  let size = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function takeLine(line: string): string {
    if (line === "") return takeEvent();
    if (!line.startsWith("data:")) return "";
    const value = line.slice(line.startsWith("data: ") ? 6 : 5);
    // An empty line counts as well.
    size += value.length + 1;
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

  function watchRest(controller: TransformStreamDefaultController<Uint8Array>): void {
    clearTimeout(timer);
    if (data.length === 0 && lines.pending === 0) return;
    timer = setTimeout(() => {
      const seconds = options.stallMs / 1_000;
      controller.error(new Error(`the server stopped in the middle of an event for ${seconds} s`));
    }, options.stallMs);
  }

  return new TransformStream({
    transform(chunk, controller) {
      options.onBytes();
      for (const line of lines.push(withNewlines(chunk))) {
        const event = takeLine(line);
        if (event !== "") controller.enqueue(encoder.encode(event));
      }
      if (lines.overflowed || size > options.maxMessageBytes) {
        clearTimeout(timer);
        throw new Error(`the agent sent an event longer than ${options.maxMessageBytes} bytes`);
      }
      watchRest(controller);
    },
    flush(controller) {
      clearTimeout(timer);
      const rest = lines.end().map(takeLine).join("") + takeEvent();
      if (rest !== "") controller.enqueue(encoder.encode(rest));
    },
    cancel: () => clearTimeout(timer),
  });
}

/** Makes `\n` of the line ends of event streams: `\r\n`, `\n` and `\r`, wherever pieces are cut. */
function newlines(): (chunk: Uint8Array) => Uint8Array {
  let afterReturn = false;
  return (chunk) => {
    const first = chunk.indexOf(CR);
    if (first < 0 && !afterReturn) return chunk;
    const bytes = new Uint8Array(chunk.length);
    let length = 0;
    for (const byte of chunk) {
      if (byte !== LF || !afterReturn) bytes[length++] = byte === CR ? LF : byte;
      afterReturn = byte === CR;
    }
    return bytes.subarray(0, length);
  };
}
