/**
 * The inner ring: the worker that a tool file runs in, with the permissions that it declares.
 *
 * @module
 */

import type { JsonObject } from "../../base/guards.ts";
import type { ToolContext } from "../tool.ts";
import { reasonOf } from "./answers.ts";
import { type Definition, describe, findDefinitions } from "./definitions.ts";
import { NoteGate } from "./note_gate.ts";
import { packageAdvice, placeOf, withoutPlace } from "./place.ts";
import type { FromHost, ToHost, WorkerStart } from "./protocol.ts";
import { runHandler } from "./run_handler.ts";

/** A call that is running. */
const running = new Map<number, AbortController>();

addEventListener("message", (event) => {
  const { data: start, ports: [port] } = event as MessageEvent<WorkerStart>;
  if (port !== undefined) void serve(start, port);
}, { once: true });

async function serve(start: WorkerStart, port: MessagePort): Promise<void> {
  const say = port.postMessage.bind(port) as (message: FromHost) => void;
  let definitions: Definition[];
  try {
    const module: unknown = await import(start.url);
    // `Deno.exit` ends a worker only when it next waits: what is said before that would count.
    await new Promise((resolve) => setTimeout(resolve));
    definitions = findDefinitions(module as JsonObject, start.stem);
  } catch (error) {
    say({ type: "broken", ...explain(error, start) });
    return;
  }
  if (start.task === "describe") {
    say({ type: "described", tools: definitions.map(describe) });
    return;
  }
  port.onmessage = ({ data }: MessageEvent<ToHost>) => {
    if (data.type === "abort") {
      running.get(data.id)?.abort(new DOMException(data.reason, "AbortError"));
    } else {
      void answer(data, definitions, start, say);
    }
  };
  say({ type: "ready" });
}

async function answer(
  call: ToHost & { type: "call" },
  definitions: readonly Definition[],
  { cwd }: WorkerStart,
  say: (message: FromHost) => void,
): Promise<void> {
  const { id, tool, sessionId } = call;
  const abort = new AbortController();
  running.set(id, abort);
  const notes = new NoteGate((note) => say({ type: "note", id, ...note }));
  const note = (kind: "log" | "progress") => (text: unknown) =>
    notes.say({ kind, text: String(text).slice(0, 4000) });
  const context: ToolContext = {
    sessionId,
    cwd,
    signal: abort.signal,
    log: note("log"),
    progress: note("progress"),
  };
  const source = definitions.find((definition) => definition.name === tool)?.source;
  const result = await runHandler({ tool, source, args: call.args, context });
  running.delete(id);
  notes.end();
  say({ type: "result", id, result });
}

function explain(error: unknown, { directory }: WorkerStart) {
  if (!(error instanceof Error)) {
    return { reason: `threw while it was loaded: ${reasonOf(error)}`, place: {} };
  }
  const place = placeOf(`${error.message}\n${error.stack ?? ""}`, directory);
  const reason = withoutPlace(reasonOf(error)) +
    packageAdvice(error.message, Deno.build.standalone);
  const isOfLoader = error instanceof TypeError || error instanceof SyntaxError;
  return { reason: isOfLoader ? reason : `threw while it was loaded: ${reason}`, place };
}
