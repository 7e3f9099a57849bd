/**
 * Opens the toolboxes of a client.
 *
 * @module
 */

import { toMmError } from "../base/errors.ts";
import type { SessionStore } from "../model/session_store.ts";
import type { Toolbox } from "../toolbox/toolbox.ts";
import type { ClientOptions } from "./contract.ts";

/**
 * One toolbox for each session, or one for all of the starting directory where the agent has taken
 * the list at its start.
 *
 * A toolbox that cannot be opened leaves its session without tools, and with a notice.
 */
export class ToolSupply {
  readonly #options: ClientOptions;
  #opening: Promise<Toolbox | undefined> | undefined;
  #shared: Toolbox | undefined;
  #trouble: unknown;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** The tools of the starting directory, opened once. Never rejects. */
  shared(): Promise<Toolbox | undefined> {
    this.#opening ??= this.#openShared();
    return this.#opening;
  }

  /** The tools of a session in `cwd`; never rejects. */
  async open(
    cwd: string,
    mode: "request" | "meta",
    store: SessionStore,
  ): Promise<Toolbox | undefined> {
    try {
      const { openToolbox, cwd: start } = this.#options;
      if (mode === "request") return await openToolbox?.(cwd);
      const shared = await this.shared();
      if (this.#trouble !== undefined) throw this.#trouble;
      if (cwd === start || shared === undefined || shared.tools.length === 0) return shared;
      // The tools are those of the starting directory, and work in that of the session.
      return await openToolbox?.(cwd, start);
    } catch (error) {
      const { message, hint } = toMmError(error, "tool");
      store.dispatch({
        type: "notice_added",
        severity: "error",
        text: `Cannot offer tools: ${message}`,
        detail: hint,
      });
      return undefined;
    }
  }

  /** Whether a session must leave the toolbox open when it ends. */
  isShared(toolbox: Toolbox | undefined): boolean {
    return toolbox === undefined || toolbox === this.#shared;
  }

  /** Closes the shared toolbox. */
  async close(): Promise<void> {
    await (await this.#opening)?.close();
  }

  async #openShared(): Promise<Toolbox | undefined> {
    try {
      this.#shared = await this.#options.openToolbox?.(this.#options.cwd);
    } catch (error) {
      this.#trouble = error;
    }
    return this.#shared;
  }
}
