/**
 * The REPL in plain lines.
 *
 * @module
 */

export { runLine, type RunLineOptions } from "./run_line.ts";
