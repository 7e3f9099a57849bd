/**
 * Answers the `terminal/*` requests.
 *
 * @module
 */

import { isAbsolute } from "node:path";
import { messageOf } from "../base/errors.ts";
import { asObject, asString, isObject, type JsonObject } from "../base/guards.ts";
import { RPC, RpcError } from "../base/rpc.ts";
import type { NewSessionEvent } from "../model/session_store.ts";
import { unlessAborted } from "./aborted.ts";
import { type CommandRequest, describeCommand } from "./command_request.ts";
import { isInside } from "./confine.ts";
import type { Objection } from "./objection.ts";
import type { MethodRouter } from "./router.ts";
import type { Terminal, TerminalExit, TerminalOutput } from "./terminal.ts";

/** What happens to terminals, for the transcript. */
export type TerminalEvent = Extract<NewSessionEvent, { readonly type: `terminal_${string}` }>;

/** How terminals are run. */
export interface TerminalOptions {
  /**
   * The directories of a session, absolute, its own first; `undefined` for a session that is not ours.
   */
  readonly roots: (sessionId: string) => readonly string[] | undefined;
  readonly onEvent: (sessionId: string, event: TerminalEvent) => void;
  /** Asked about every command; absent: nothing stands against it. */
  readonly objection?: Objection;
}

/** Output that is kept when the agent names no limit, in bytes. */
const DEFAULT_LIMIT = 1024 * 1024;

/** Most output that is kept, whatever the agent asks for. */
const MAX_LIMIT = 32 * 1024 * 1024;

/** The terminals of one connection. */
export class Terminals {
  readonly #options: TerminalOptions;
  /** By terminal id. */
  readonly #open = new Map<string, { readonly sessionId: string; readonly terminal: Terminal }>();

  constructor(options: TerminalOptions) {
    this.#options = options;
  }

  /** Registers the five methods. */
  register(router: MethodRouter): void {
    router.register(
      "terminal/create",
      (params, { signal }) => this.#create(asObject(params), signal),
    );
    router.register("terminal/output", (params) => this.#output(asObject(params)));
    router.register("terminal/wait_for_exit", (params, { signal }) => {
      return unlessAborted(this.#find(asObject(params)).exited, signal);
    });
    router.register("terminal/kill", async (params) => {
      await this.#find(asObject(params)).kill();
      return {};
    });
    router.register("terminal/release", async (params) => {
      const raw = asObject(params);
      const terminal = this.#find(raw);
      this.#open.delete(String(raw.terminalId));
      await terminal.release();
      return {};
    });
  }

  /** Ends the terminals of a session. */
  async releaseSession(sessionId: string): Promise<void> {
    const mine = [...this.#open].filter(([, entry]) => entry.sessionId === sessionId);
    await this.#release(mine.map(([id]) => id));
  }

  /** Ends all terminals. */
  async close(): Promise<void> {
    await this.#release([...this.#open.keys()]);
  }

  async #release(ids: readonly string[]): Promise<void> {
    const terminals = ids.map((id) => this.#open.get(id)?.terminal);
    for (const id of ids) this.#open.delete(id);
    await Promise.all(terminals.map((terminal) => terminal?.release()));
  }

  async #create(raw: JsonObject, signal: AbortSignal): Promise<{ terminalId: string }> {
    const sessionId = asString(raw.sessionId);
    const roots = sessionId === undefined ? undefined : this.#options.roots(sessionId);
    if (sessionId === undefined || roots === undefined) throw invalid("unknown session");
    const request = await parseCommand(raw, roots);
    const limit = parseLimit(raw.outputByteLimit);
    const asked = this.#options.objection?.({ type: "command", sessionId, signal, ...request });
    const why = asked === undefined ? undefined : await unlessAborted(asked, signal);
    if (why !== undefined) throw refused(request.command, why);
    const terminalId = `terminal-${crypto.randomUUID()}`;
    const tell = (event: TerminalEvent) => this.#options.onEvent(sessionId, event);
    const terminal = await open(request, limit, {
      onOutput: (output: TerminalOutput) =>
        tell({ type: "terminal_output", terminalId, ...output }),
      onExit: (exit: TerminalExit) => tell({ type: "terminal_exited", terminalId, ...exit }),
    });
    this.#open.set(terminalId, { sessionId, terminal });
    tell({ type: "terminal_created", terminalId, command: describeCommand(request) });
    // The session or the connection may have ended while the command was being started.
    if (this.#options.roots(sessionId) === undefined) await this.#release([terminalId]);
    return { terminalId };
  }

  #output(raw: JsonObject): TerminalOutput & { exitStatus?: TerminalExit } {
    const terminal = this.#find(raw);
    const { exit } = terminal;
    return { ...terminal.output(), ...(exit === undefined ? {} : { exitStatus: exit }) };
  }

  #find(raw: JsonObject): Terminal {
    const entry = this.#open.get(asString(raw.terminalId) ?? "");
    if (entry === undefined || entry.sessionId !== raw.sessionId) {
      throw new RpcError(RPC.resourceNotFound, "Unknown terminal", {
        terminalId: raw.terminalId ?? null,
      });
    }
    return entry.terminal;
  }
}

async function open(...[request, ...rest]: Parameters<typeof Terminal.open>): Promise<Terminal> {
  // Loaded with the first command: many sessions run none.
  const { Terminal } = await import("./terminal.ts");
  try {
    return await Terminal.open(request, ...rest);
  } catch (error) {
    if (error instanceof RpcError) throw error;
    throw new RpcError(RPC.internalError, `Cannot run ${request.command}: ${messageOf(error)}`);
  }
}

async function parseCommand(
  raw: JsonObject,
  roots: readonly string[],
): Promise<CommandRequest> {
  const command = asString(raw.command);
  if (command === undefined || command.trim() === "") throw invalid("command must be a string");
  const args = raw.args ?? [];
  if (!Array.isArray(args) || !args.every((arg): arg is string => typeof arg === "string")) {
    throw invalid("args must be a list of strings");
  }
  if ([command, ...args].some((word) => word.includes("\0"))) {
    throw invalid("a command cannot hold a NUL character");
  }
  return { command, args, cwd: await parseCwd(raw.cwd, roots), env: parseEnv(raw.env) };
}

/** The directory that is named, which must be one of the session's or lie in one; else its own. */
async function parseCwd(named: unknown, roots: readonly string[]): Promise<string> {
  const value = named ?? roots[0];
  if (typeof value !== "string" || !isAbsolute(value)) throw invalid("cwd must be absolute");
  const info = await Deno.stat(value).catch(() => undefined);
  if (info?.isDirectory !== true) throw invalid(`the directory ${value} does not exist`);
  if (!await isInside(await Deno.realPath(value), roots)) {
    throw invalid(`${value} is outside the session's directories`);
  }
  return value;
}

function parseEnv(value: unknown): Record<string, string> {
  const list = value ?? [];
  if (!Array.isArray(list)) throw invalid("env must be a list");
  const env: Record<string, string> = {};
  for (const entry of list) {
    if (!isObject(entry) || typeof entry.name !== "string" || typeof entry.value !== "string") {
      throw invalid("each entry of env needs a name and a value");
    }
    if (!/^[^=\0]+$/.test(entry.name) || entry.value.includes("\0")) {
      throw invalid("env holds a name or value that no environment can hold");
    }
    env[entry.name] = entry.value;
  }
  return env;
}

function parseLimit(value: unknown): number {
  if (value === undefined || value === null) return DEFAULT_LIMIT;
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) {
    throw invalid("outputByteLimit must be a whole number of at least 0");
  }
  return Math.min(value, MAX_LIMIT);
}

function refused(command: string, why: string): RpcError {
  return new RpcError(RPC.invalidParams, `Cannot run ${command}: ${why}`);
}

function invalid(why: string): RpcError {
  return new RpcError(RPC.invalidParams, `Cannot use the terminal: ${why}`);
}
