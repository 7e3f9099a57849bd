/**
 * The table of figures.
 *
 * @module
 */

import type { Figure } from "./figure.ts";
import { printChunks } from "./figures/print_chunks.ts";
import { printStart } from "./figures/print_start.ts";

/** All figures, in the order in which they are measured. */
export const FIGURES: readonly Figure[] = [
  printStart,
  printChunks,
];
