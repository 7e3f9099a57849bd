/**
 * Calls of tools by the person, beside the conversation: the model learns nothing of them.
 *
 * @module
 */

import type { Toolbox } from "../toolbox/toolbox.ts";
import type { SessionStore } from "../model/session_store.ts";
import type { Conversation } from "./conversation.ts";

/** Characters of a call's output that are kept: its end. */
const KEPT_CHARACTERS = 256 * 1024;

/** One call. */
export interface ManualToolCall {
  /** The tool's own name, or the one that the model sees. */
  readonly name: string;
  /** The arguments: one JSON object, or `key=value` words. */
  readonly words: readonly string[];
}

interface Running {
  readonly conversation: Conversation;
  readonly abort: AbortController;
}

/** Runs them; several at once if that is wanted. */
export class ManualToolCalls {
  readonly #running: Running[] = [];

  /**
   * Calls a tool and settles when it has ended; the limits of tools bound that. The call is shown
   * like a command that the person runs, what the tool says and its result like what that prints.
   *
   * @throws {MmError} `tool` when there is no such tool; `usage` for arguments that cannot be read
   */
  async run(conversation: Conversation, toolbox: Toolbox, call: ManualToolCall): Promise<void> {
    // Few sessions have such a call, and it takes everything about tools to load.
    const { findTool, renderResult } = await import("../toolbox/report.ts");
    const { parseTypedArguments } = await import("../toolbox/typed_arguments.ts");
    const { description } = findTool(toolbox, call.name);
    const params = parseTypedArguments(call.words, description.inputSchema);
    const abort = new AbortController();
    const running = { conversation, abort };
    this.#running.push(running);
    const output = new CallOutput(conversation, ["/tools call", call.name, ...call.words]);
    try {
      const result = await toolbox.call({
        method: description.method,
        params,
        sessionId: conversation.store.state.sessionId,
        signal: abort.signal,
        onLog: ({ kind, text }) => output.add(`${kind}: ${text}\n`),
      });
      output.add(renderResult(result));
      output.end(result.isError !== true);
    } catch {
      // Cancelled, or taken away by a reload.
      output.add("The call was cancelled.\n");
      output.end(false);
    } finally {
      this.#running.splice(this.#running.indexOf(running), 1);
    }
  }

  /** Cancels the newest call of a conversation that still runs; false when there is none. */
  stop(conversation: Conversation): boolean {
    const newest = this.#running.findLast((running) => running.conversation === conversation);
    newest?.abort.abort();
    return newest !== undefined;
  }
}

/** What a call prints, as a terminal of the session. */
class CallOutput {
  readonly #store: SessionStore;
  readonly #terminalId = `tool-call-${crypto.randomUUID()}`;
  #output = "";
  #truncated = false;

  constructor({ store }: Conversation, words: readonly string[]) {
    this.#store = store;
    store.dispatch({
      type: "command_started",
      terminalId: this.#terminalId,
      command: words.join(" "),
      shared: false,
    });
  }

  add(text: string): void {
    const whole = this.#output + text;
    this.#output = whole.slice(-KEPT_CHARACTERS).toWellFormed();
    this.#truncated ||= whole.length > KEPT_CHARACTERS;
    this.#store.dispatch({
      type: "terminal_output",
      terminalId: this.#terminalId,
      output: this.#output,
      truncated: this.#truncated,
    });
  }

  /** A tool has no exit status: a failed call ends without one. */
  end(ok: boolean): void {
    const exited = { type: "terminal_exited", exitCode: ok ? 0 : null, signal: null } as const;
    this.#store.dispatch({ ...exited, terminalId: this.#terminalId });
  }
}
