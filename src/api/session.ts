/**
 * One open session.
 *
 * @module
 */

import { within } from "../base/clock.ts";
import { MmError } from "../base/errors.ts";
import { RPC } from "../base/rpc.ts";
import type { AgentConnection } from "../client/connection.ts";
import { fromAgentError } from "../client/errors.ts";
import {
  cancelSession,
  closeSession,
  promptSession,
  setSessionConfigOption,
  setSessionMode,
  setSessionModel,
  supports,
} from "../client/sessions.ts";
import type { Terminals } from "../client/terminals.ts";
import type { ConfigOption, TurnError, TurnOutcome } from "../model/session.ts";
import type { NewSessionEvent, SessionStore } from "../model/session_store.ts";
import type { Toolbox } from "../toolbox/toolbox.ts";
import { isConflict } from "../transport/request_failure.ts";
import type { Session } from "./contract.ts";
import type { LateHistory } from "./late_history.ts";
import { OpeningQuiet } from "./opening_quiet.ts";
import type { PermissionDesk } from "./permission_desk.ts";
import type { KnownSession } from "./session_registry.ts";

/** What a session is made of. */
export interface SessionParts {
  readonly id: string;
  readonly cwd: string;
  readonly roots: readonly string[];
  readonly store: SessionStore;
  readonly toolbox: Toolbox | undefined;
  /** Where the agent tells what was said in it before: takes the updates. */
  readonly late: LateHistory | undefined;
  /** Whether the toolbox ends with the session. */
  readonly ownsToolbox: boolean;
  readonly connection: AgentConnection;
  readonly desk: PermissionDesk;
  readonly terminals: Terminals;
  /** Bound of the requests that change settings or close, in milliseconds. */
  readonly timeoutMs: number;
  /** Called once, when the session begins to close. */
  readonly onClose: (session: AgentSession) => void;
}

/** How long a session waits for the agent to close it. */
const CLOSE_MS = 2_000;

/** What becomes of a prompt to a session that has ended. */
const UNSENT: TurnOutcome = {
  ok: false,
  error: { code: "agent_died", message: "The prompt was not sent: the session has ended" },
  unsent: true,
};

/** See {@link Session}. */
export class AgentSession implements Session, KnownSession {
  readonly id: string;
  readonly cwd: string;
  readonly roots: readonly string[];
  readonly store: SessionStore;
  readonly toolbox: Toolbox | undefined;
  readonly #parts: SessionParts;
  /** Settles when the last of the turns so far has ended. */
  #turns: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;
  readonly #quiet: OpeningQuiet;
  /** The connection has ended: nothing can be sent any more. */
  #lost = false;
  #conflicted = false;
  /** The prompts that have not been sent yet, the next one first. */
  readonly #waiting: { cancelled: boolean }[] = [];

  constructor(parts: SessionParts) {
    this.id = parts.id;
    this.cwd = parts.cwd;
    this.roots = parts.roots;
    this.store = parts.store;
    this.toolbox = parts.toolbox;
    this.#parts = parts;
    this.#quiet = new OpeningQuiet(parts.store);
    void parts.connection.closed.then(() => this.#lost = true);
  }

  get conflicted(): boolean {
    return this.#conflicted;
  }

  receive(event: NewSessionEvent): void {
    const { late } = this.#parts;
    if (late !== undefined && event.type === "update_received") late.receive(event.update);
    else this.store.dispatch(event);
  }

  prompt(blocks: readonly unknown[]): Promise<TurnOutcome> {
    const place = { cancelled: false };
    this.#waiting.push(place);
    const turn = this.#turns.then(() => this.#prompt(blocks, place));
    this.#turns = turn;
    return turn;
  }

  cancel(): void {
    const { turn } = this.store.state;
    const [next] = this.#waiting;
    if (turn.state === "idle" && next !== undefined) next.cancelled = true;
    if (turn.state === "running" && !turn.cancelRequested) {
      this.store.dispatch({ type: "cancel_requested" });
      cancelSession(this.#parts.connection, this.id).catch(() => {
        // The agent is gone; the turn ends with that.
      });
    }
    this.#parts.desk.cancel(this.id, "the turn is cancelled");
  }

  answerPermission(requestId: string, optionId: string | null): void {
    this.#parts.desk.answer(this.id, requestId, optionId);
  }

  async setMode(modeId: string): Promise<void> {
    const option = this.#optionOf("mode");
    const { connection, timeoutMs } = this.#parts;
    if (option !== undefined) return await this.setConfigOption(option.id, modeId);
    await this.#set(
      "session/set_mode",
      `the mode ${modeId}`,
      () => setSessionMode(connection, this.id, modeId, { timeoutMs }),
    );
    this.store.dispatch({ type: "mode_changed", modeId });
  }

  async setModel(modelId: string): Promise<void> {
    const option = this.#optionOf("model");
    const { connection, timeoutMs } = this.#parts;
    if (option !== undefined) return await this.setConfigOption(option.id, modelId);
    await this.#set(
      "session/set_model",
      `the model ${modelId}`,
      () => setSessionModel(connection, this.id, modelId, { timeoutMs }),
    );
    this.store.dispatch({ type: "model_changed", modelId });
  }

  async setConfigOption(configId: string, value: string | boolean): Promise<void> {
    const { connection, timeoutMs } = this.#parts;
    const told = await this.#set(
      "session/set_config_option",
      `the option ${configId}`,
      () => setSessionConfigOption(connection, this.id, configId, value, { timeoutMs }),
    );
    const configOptions = told ?? withValue(this.store.state.configOptions, configId, value);
    this.store.dispatch({ type: "config_changed", configOptions });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close(true);
    return this.#closing;
  }

  /** Lets go of what it holds because the same session was opened again. */
  async supersede(): Promise<void> {
    this.#closing ??= Promise.resolve();
    this.#parts.late?.close();
    if (this.#parts.ownsToolbox) await this.toolbox?.close();
  }

  /** Ends it after its connection has ended. */
  async disconnect(reason: string): Promise<void> {
    this.#parts.desk.cancel(this.id, "the agent is gone");
    // The turn tells its own end first: it knows the cause.
    await this.#turns;
    this.store.dispatch({ type: "disconnected", reason });
    this.#closing ??= this.#close(false);
    await this.#closing;
  }

  async #prompt(
    blocks: readonly unknown[],
    place: { readonly cancelled: boolean },
  ): Promise<TurnOutcome> {
    const { connection, desk } = this.#parts;
    await this.#quiet.passed();
    await this.#parts.late?.passed();
    this.#waiting.shift();
    if (this.#lost || this.#closing !== undefined || this.store.state.disconnected) return UNSENT;
    this.#parts.late?.prompted(blocks);
    this.store.dispatch({ type: "prompt_sent", blocks });
    const stderr = connection.transport.watchStderr();
    let outcome: TurnOutcome;
    try {
      outcome = place.cancelled
        ? { ok: true, stopReason: "cancelled" }
        : { ok: true, ...await promptSession(connection, this.id, blocks) };
    } catch (error) {
      outcome = { ok: false, error: turnError(error, stderr()) };
    }
    this.#conflicted = !outcome.ok && isConflict(outcome.error.rpc);
    this.#parts.late?.close();
    desk.cancel(this.id, "the turn has ended");
    this.store.dispatch({ type: "turn_ended", outcome });
    return outcome;
  }

  async #set<T>(method: string, what: string, request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      const failed = fromAgentError(error, { what: `Cannot set ${what}`, method });
      this.#conflicted ||= isConflict(failed.rpc);
      if (failed.rpc?.code !== RPC.methodNotFound) throw failed;
      throw new MmError("not_supported", `Cannot set ${what}: the agent does not offer that`, {
        rpc: failed.rpc,
        cause: error,
        phase: method,
      });
    }
  }

  /** The configuration option that stands for the mode or the model, when the agent has one. */
  #optionOf(category: "mode" | "model"): ConfigOption | undefined {
    const { configOptions } = this.store.state;
    return configOptions.find((option) => option.category === category) ??
      configOptions.find((option) => option.id === category);
  }

  async #close(tell: boolean): Promise<void> {
    const { connection, terminals, toolbox, ownsToolbox, onClose } = this.#parts;
    if (tell) this.cancel();
    this.#parts.late?.close();
    onClose(this);
    await Promise.all([
      tell ? this.#tellClosed(connection) : undefined,
      terminals.releaseSession(this.id),
      ownsToolbox ? toolbox?.close() : undefined,
    ]);
  }

  async #tellClosed(connection: AgentConnection): Promise<void> {
    if (!supports(connection.initialized, "close")) return;
    const told = closeSession(connection, this.id, { timeoutMs: CLOSE_MS });
    await within(told, CLOSE_MS).catch(() => {
      // An agent that will not close a session keeps it; there is nothing to do about it here.
    });
  }
}

/** What a turn failed with, and what the agent wrote on stderr in it. */
function turnError(error: unknown, said: string): TurnError {
  const { code, message, hint, stderr, rpc } = fromAgentError(error, {
    what: "The turn failed",
    method: "session/prompt",
    code: "turn_failed",
    stderr: said,
  });
  return { code, message, hint, stderr, rpc };
}

/** The list as an agent would have sent it, for agents that confirm a change without it. */
function withValue(
  options: readonly ConfigOption[],
  configId: string,
  value: string | boolean,
): unknown[] {
  return options.map(({ options: values, value: old, ...option }) => ({
    ...option,
    currentValue: option.id === configId ? value : old,
    options: values.map(({ id, ...rest }) => ({ ...rest, value: id })),
  }));
}
