/**
 * The answer and the lines beside it, in an order that can be read where both go to one place.
 *
 * @module
 */

import { StreamSanitizer } from "../../base/sanitize.ts";
import type { SessionState } from "../../model/session.ts";
import type { Outputs } from "../output.ts";
import type { AgentText } from "./agent_text.ts";

/** Writes an answer to stdout as it comes, and lines to stderr, none of them within one of its lines. */
export class OrderedOutput {
  readonly #outputs: Outputs;
  readonly #text: AgentText;
  readonly #sanitizer: StreamSanitizer | undefined;
  /** Lines for stderr that wait for the end of a line of the answer. */
  readonly #late: string[] = [];

  constructor(outputs: Outputs, text: AgentText) {
    this.#outputs = outputs;
    this.#text = text;
    if (outputs.stdout.isTerminal) this.#sanitizer = new StreamSanitizer();
  }

  /** Writes more of the answer. */
  writeText(text: string): void {
    const { stdout } = this.#outputs;
    const shown = this.#sanitizer?.push(text) ?? text;
    const end = this.#late.length === 0 ? 0 : shown.indexOf("\n") + 1;
    stdout.write(shown.slice(0, end));
    if (end > 0) this.#writeLate();
    stdout.write(shown.slice(end));
  }

  /**
   * Writes a line to stderr. On a terminal that shows both, a line of the answer is ended for it. A
   * file or a pipe gets the answer as it is: there it waits until the answer's line ends.
   */
  writeLine(line: string, state: SessionState): void {
    const { stdout } = this.#outputs;
    this.#late.push(line);
    if (this.#isShared) {
      if (!stdout.isTerminal && this.#text.isWithinLine(state)) return;
      stdout.write(this.#text.endLine());
    }
    this.#writeLate();
  }

  /** Ends the answer. */
  end(): void {
    this.#outputs.stdout.write((this.#sanitizer?.flush() ?? "") + this.#text.endLine());
    this.#writeLate();
  }

  get #isShared(): boolean {
    const { stdout, stderr } = this.#outputs;
    return stdout === stderr || (stdout.isTerminal && stderr.isTerminal);
  }

  #writeLate(): void {
    for (const line of this.#late.splice(0)) this.#outputs.stderr.write(`${line}\n`);
  }
}
