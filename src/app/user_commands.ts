/**
 * Commands that the person runs in a session's directory, beside the conversation.
 *
 * @module
 */

import type { JsonObject } from "../base/guards.ts";
import type { Terminal, TerminalExit } from "../client/terminal.ts";
import { ATTACHED } from "../model/content.ts";
import type { Attachment } from "./attachments.ts";
import type { Conversation } from "./conversation.ts";
import { codeBlock } from "./markdown.ts";

/** Output that is kept of one command, in bytes. */
const KEPT_BYTES = 1024 * 1024;

/** Characters of output that go to the agent: from its beginning, and from its end. */
const FIRST_CHARACTERS = 4_000;
const LAST_CHARACTERS = 24_000;

interface Running {
  readonly conversation: Conversation;
  readonly terminal: Terminal;
  /** What goes to the agent of a shared one. */
  readonly attachment: Attachment | undefined;
}

/** Runs them; several at once if that is wanted. */
export class UserCommands {
  readonly #running: Running[] = [];
  #closed = false;

  /**
   * Runs a line in the user's shell and settles when it has ended. A shared one goes to the agent
   * with the next prompt, whatever it has printed by then. What it leaves running in the background
   * stays until the program ends. Rejects when it cannot be started.
   */
  async run(conversation: Conversation, command: string, shared: boolean): Promise<void> {
    const { store, attachments } = conversation;
    const terminalId = `command-${crypto.randomUUID()}`;
    const ended = Promise.withResolvers<void>();
    const request = { command, args: [], cwd: store.state.cwd, env: {} };
    const { Terminal } = await import("../client/terminal.ts");
    const terminal = await Terminal.open(request, KEPT_BYTES, {
      onOutput: (output) => store.dispatch({ type: "terminal_output", terminalId, ...output }),
      onExit: (exit) => {
        store.dispatch({ type: "terminal_exited", terminalId, ...exit });
        ended.resolve();
      },
    });
    const attachment = shared ? attachmentOf(command, request.cwd, terminal) : undefined;
    const running = { conversation, terminal, attachment };
    this.#running.push(running);
    store.dispatch({ type: "command_started", terminalId, command, shared });
    if (attachment !== undefined) attachments.add(attachment);
    if (this.#closed) await terminal.release();
    await ended.promise;
    this.#running.splice(this.#running.indexOf(running), 1);
    attachments.refresh();
  }

  /**
   * Ends the newest command of a conversation that still runs, which then goes to no agent; false
   * when there is none.
   */
  stop(conversation: Conversation): boolean {
    const newest = this.#running.findLast((running) => running.conversation === conversation);
    if (newest === undefined) return false;
    const { terminal, attachment } = newest;
    if (attachment !== undefined) conversation.attachments.drop(attachment);
    void terminal.kill();
    return true;
  }

  /** Ends all of them, now and from now on. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#running.map(({ terminal }) => terminal.release()));
  }
}

function attachmentOf(command: string, cwd: string, terminal: Terminal): Attachment {
  return {
    label() {
      const lines = terminal.output().output.trimEnd().split("\n").length;
      const size = `${lines} ${lines === 1 ? "line" : "lines"}`;
      return `!${command} (${terminal.exit === undefined ? "running" : size})`;
    },
    blocks(): readonly JsonObject[] {
      const { output, truncated } = terminal.output();
      const printed = output.trim() === ""
        ? "It printed nothing."
        : `${truncated ? "The end of its output" : "Its output"}:\n\n${codeBlock(shorten(output))}`;
      // Some agents put the blocks of a prompt together as they are.
      const text = `\n\nI ran \`${command}\` in ${cwd}; ${ending(terminal.exit)}. ${printed}\n`;
      return [{ type: "text", text, _meta: { [ATTACHED]: `command:${encodeURI(command)}` } }];
    },
  };
}

function ending(exit: TerminalExit | undefined): string {
  if (exit === undefined) return "it still runs";
  if (exit.signal !== null) return `it was ended by ${exit.signal}`;
  return `it ended with exit status ${exit.exitCode ?? "unknown"}`;
}

/** The beginning and the end of a long text. */
function shorten(text: string): string {
  const left = text.length - FIRST_CHARACTERS - LAST_CHARACTERS;
  if (left <= 0) return text;
  const start = text.slice(0, FIRST_CHARACTERS);
  return `${start}\n… ${left} characters left out …\n${text.slice(-LAST_CHARACTERS)}`
    .toWellFormed();
}
