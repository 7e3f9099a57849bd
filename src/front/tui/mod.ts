/**
 * The REPL in a terminal: inline, in the normal screen, with its scrollback left alone.
 *
 * @module
 */

export { runTui, type TuiOptions } from "./run_tui.ts";
export { restoreTerminal } from "./terminal.ts";
