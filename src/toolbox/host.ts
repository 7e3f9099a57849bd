/**
 * The host process of one tool file: reads calls from stdin, checks their arguments, has the worker
 * run them, and writes the answers to stdout.
 *
 * The host itself never runs the tool's code: it stays responsive whatever that does, so it notices
 * when the program that started it is gone (end of stdin) and when the worker is.
 *
 * @module
 */

import { messageOf } from "../base/errors.ts";
import type { JsonObject } from "../base/guards.ts";
import { MessageChannel } from "node:worker_threads";
import { dirname, parse } from "node:path";
import { pathToFileURL } from "node:url";
import { encodeFrames } from "./frames.ts";
import { failure } from "./host/answers.ts";
import type { ArgumentCheck } from "./host/arguments.ts";
import { readLines } from "./host/lines.ts";
import { placeOf, withoutPlace } from "./host/place.ts";
import type { FromHost, HostStart, ToHost, WorkerStart } from "./host/protocol.ts";
import { wrongArguments } from "./host/run_handler.ts";

/**
 * Runs a host until its stdin ends. The process is to be ended after that, whatever the tool still
 * does: a worker in a busy loop keeps it alive else.
 */
export async function runToolHost(): Promise<void> {
  const lines = readLines(Deno.stdin);
  const { value: first, done } = await lines.next();
  if (done) return;
  const start: HostStart = JSON.parse(first);
  const say = (message: FromHost): void => {
    for (const frame of encodeFrames(start.secret, message)) Deno.stdout.writeSync(frame);
  };
  if (start.task === "check") {
    const { findProblems } = await import("./host/check_definitions.ts");
    say({ type: "checked", problems: findProblems(start) });
    return;
  }
  const checks = new Checks(start.schemas);
  const worker = startWorker(start, say);
  if (start.task === "serve") void loadValidator();
  for await (const line of lines) {
    const message: ToHost = JSON.parse(line);
    const refusal = message.type === "call"
      ? await checks.refuse(message.tool, message.args)
      : undefined;
    if (message.type === "call" && refusal !== undefined) {
      say({ type: "result", id: message.id, result: failure(refusal) });
    } else {
      worker.postMessage(message);
    }
  }
  endGroup();
}

/** Starts the inner ring and gives back the port to it. */
function startWorker(start: HostStart, say: (message: FromHost) => void) {
  const worker = new Worker(new URL("./host/tool_worker.ts", import.meta.url), {
    type: "module",
    deno: { permissions: start.permissions as Deno.PermissionOptionsObject },
  });
  const { port1, port2 } = new MessageChannel();
  let isLost = false;
  const lose = (reason: string): void => {
    if (!isLost) say({ type: "lost", reason });
    isLost = true;
  };
  worker.onerror = (event) => {
    event.preventDefault();
    const place = placeOf(`${event.filename}:${event.lineno}:${event.colno}`, dirname(start.file));
    const where = place.file === undefined ? "" : ` (${place.file}:${place.line})`;
    lose(`an error was not caught: ${withoutPlace(event.message)}${where}`);
  };
  port1.on("message", (message: FromHost) => {
    if (!isLost) say(message);
  });
  // The port closes with the worker: the only sign of `Deno.exit` in there. An error that ends it
  // is told by `onerror` a moment later.
  port1.on("close", () => setTimeout(lose, 50, "it ended itself (Deno.exit or close)"));
  const { dir: directory, name: stem } = parse(start.file);
  const url = pathToFileURL(start.file).href;
  const first: WorkerStart = { task: start.task, url, stem, directory, cwd: start.cwd };
  worker.postMessage(first, [port2 as unknown as Transferable]);
  return port1;
}

/** The validator takes longer to load than all the rest, so it is loaded beside the tool. */
const loadValidator = () => import("./host/arguments.ts");

/** The compiled schemas, made when first needed. */
class Checks {
  readonly #schemas: HostStart["schemas"];
  readonly #checks = new Map<string, ArgumentCheck>();

  constructor(schemas: HostStart["schemas"]) {
    this.#schemas = schemas;
  }

  /** What is wrong with the arguments, as the text of a failed call. */
  async refuse(tool: string, args: JsonObject): Promise<string | undefined> {
    const schema = Object.hasOwn(this.#schemas, tool) ? this.#schemas[tool] : undefined;
    if (schema === undefined) return undefined;
    let check = this.#checks.get(tool);
    if (check === undefined) {
      const { compileArguments } = await loadValidator();
      try {
        check = compileArguments(schema);
      } catch (error) {
        return `${tool} was not called: ${messageOf(error)}`;
      }
      this.#checks.set(tool, check);
    }
    const wrong = check(args);
    return wrong === undefined ? undefined : wrongArguments(tool, wrong);
  }
}

/** Takes what the tool started along, where the permissions allow it: nobody else is left to. */
function endGroup(): void {
  try {
    Deno.kill(-Deno.pid, "SIGKILL");
  } catch {
    // Without the permission to run programs there is nothing to take along.
  }
}
