/**
 * Answering questions of the REPL in plain lines.
 *
 * @module
 */

import type { Pty } from "./pty.ts";
import { eventually } from "./scripted_agent.ts";

const TOO_EARLY = "That came before the question could be read";

/** Enters a line until it is taken: what is typed at once after a question does not count. */
export async function answerLine(pty: Pty, line: string, taken: () => boolean): Promise<void> {
  const refusals = () => new TextDecoder().decode(pty.output).split(TOO_EARLY).length;
  while (!taken()) {
    const before = refusals();
    await pty.write(line);
    await eventually("the line is taken or refused", () => taken() || refusals() > before);
  }
}
