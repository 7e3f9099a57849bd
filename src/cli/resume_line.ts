/**
 * What a person types to go on with the session that has just ended.
 *
 * @module
 */

import type { App } from "../app/view.ts";
import { quoteWord } from "../model/shell_commands.ts";
import type { CommandInput } from "./command.ts";

/** Flags that say where the session is. */
const KEPT_FLAGS = ["agent", "url", "config"] as const;

/** The command line that goes on with the active session; `undefined` where none can. */
export function resumeLine(app: App, { values, words }: CommandInput): string | undefined {
  const { resumable } = app;
  if (resumable === undefined) return undefined;
  const { cwd } = app.state.active.state;
  const flags = KEPT_FLAGS.flatMap((name) => {
    const value = values.text(name);
    return value === undefined ? [] : [`--${name}`, value];
  });
  const line = [
    ...["mm-repl", "--resume", resumable],
    ...flags,
    ...(cwd === here() ? [] : ["--cwd", cwd]),
    ...(words.length === 0 ? [] : ["--", ...words]),
  ];
  return `resume with: ${line.map(quoteWord).join(" ")}`;
}

/** The current directory; `undefined` when it is gone. */
function here(): string | undefined {
  try {
    return Deno.cwd();
  } catch {
    return undefined;
  }
}
