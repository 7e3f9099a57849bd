/**
 * Tables as text.
 *
 * @module
 */

import { sanitizeLine } from "../base/sanitize.ts";
import { widthOf } from "../front/tui/layout.ts";

/** Lines of a table whose columns stand two blanks apart; cells are sanitised, the head is in capitals. */
export function tableLines(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  const lines = [head.map((cell) => cell.toUpperCase()), ...rows]
    .map((cells) => cells.map((cell) => sanitizeLine(cell)));
  const widths = head.map((_, column) =>
    Math.max(...lines.map((cells) => widthOf(cells[column] ?? "")))
  );
  return lines.map((cells) =>
    widths.map((width, column) => {
      const cell = cells[column] ?? "";
      return cell + " ".repeat(width - widthOf(cell));
    }).join("  ").trimEnd()
  );
}
