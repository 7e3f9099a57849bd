/**
 * The table of figures.
 *
 * @module
 */

import type { Figure } from "./figure.ts";
import { describe } from "./figures/describe.ts";
import { growth } from "./figures/growth.ts";
import { growthTerminal } from "./figures/growth_terminal.ts";
import { printChunks } from "./figures/print_chunks.ts";
import { printStart } from "./figures/print_start.ts";
import { terminalLatency } from "./figures/terminal_latency.ts";
import { terminalMarkdown } from "./figures/terminal_markdown.ts";
import { terminalStart } from "./figures/terminal_start.ts";
import { terminalTurns } from "./figures/terminal_turns.ts";
import { toolCall } from "./figures/tool_call.ts";

/** All figures, in the order in which they are measured. */
export const FIGURES: readonly Figure[] = [
  printStart,
  printChunks,
  toolCall,
  describe,
  terminalStart,
  terminalTurns,
  terminalLatency,
  terminalMarkdown,
  growth,
  growthTerminal,
];
