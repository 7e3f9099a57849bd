/**
 * What sees the messages to and from the agent: `--trace` and `--verbose`.
 *
 * @module
 */

import { resolvePath } from "../config/paths.ts";
import type { TraceTap } from "../transport/transport.ts";
import { onConsoleText } from "./library_console.ts";
import { printAtEnd, printErr } from "./output.ts";
import type { Values } from "./values.ts";

/** Shows the agent's stderr, and what else was noted, on ours. */
const verboseTap: TraceTap = {
  frame() {},
  note: (text) => printErr(`agent ${text}`),
};

/**
 * Opens what the flags ask for; `undefined` when they ask for nothing.
 *
 * @param ownsStderr false where a front end draws on the terminal, which a line would disturb
 * @throws {MmError} `usage` for a trace file that cannot be written.
 */
export async function openTap(values: Values, ownsStderr: boolean): Promise<TraceTap | undefined> {
  const file = values.text("trace");
  const onFailure = ownsStderr ? printErr : printAtEnd;
  const trace = file === undefined ? undefined : await openFile(file, onFailure);
  if (trace !== undefined) onConsoleText((text) => trace.note(`console: ${text}`));
  const verbose = values.has("verbose") && ownsStderr ? verboseTap : undefined;
  if (trace === undefined || verbose === undefined) return trace ?? verbose;
  return {
    frame: (direction, message) => trace.frame(direction, message),
    note(text) {
      trace.note(text);
      verbose.note(text);
    },
  };
}

/** Loaded where it is asked for: most runs have no trace. */
async function openFile(file: string, onFailure: (text: string) => void): Promise<TraceTap> {
  const { openTraceFile } = await import("../transport/trace_file.ts");
  return openTraceFile(resolvePath(file, Deno.cwd()), { onFailure });
}
