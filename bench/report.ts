/**
 * The table that is printed, and the file for comparison over time.
 *
 * @module
 */

import type { Row, Unit } from "./figure.ts";

/** A row, and the figure that it belongs to. */
export interface MeasuredRow extends Row {
  readonly figure: string;
}

const HEAD = ["figure", "measured", "this", "beside", "ratio", "bound", ""];

/** Digits behind the point, by unit: what is below them is noise. */
const DIGITS: Readonly<Record<Unit, number>> = { ms: 1, "µs": 0, MB: 1, B: 1 };

/** Whether a row keeps its bound; a row without one does. A ratio that is no number does not. */
export function isGood({ ratio, bound }: Row): boolean {
  return bound === undefined || (ratio !== undefined && ratio <= bound);
}

/** The table as lines. */
export function renderTable(rows: readonly MeasuredRow[]): string[] {
  const cells = [HEAD, ...rows.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...cells.map((row) => width(row[column]))));
  const lines = cells.map((row) =>
    row.map((cell, column) =>
      column < 2 || column === 6
        ? cell.padEnd(widths[column] ?? 0)
        : cell.padStart(widths[column] ?? 0)
    ).join("  ").trimEnd()
  );
  return lines.toSpliced(1, 0, widths.map((count) => "─".repeat(count)).join("  "));
}

function cellsOf(row: MeasuredRow): string[] {
  const { figure, what, unit, ours, beside, ratio, bound } = row;
  const value = (number: number) => `${number.toFixed(DIGITS[unit])} ${unit}`;
  return [
    figure,
    what,
    value(ours),
    beside === undefined ? "" : `${beside.name} ${value(beside.value)}`,
    ratio === undefined ? "" : ratio.toFixed(2),
    bound === undefined ? "" : `≤ ${bound}`,
    bound === undefined ? "" : isGood(row) ? "ok" : "MISSED",
  ];
}

function width(cell: string | undefined): number {
  return cell?.length ?? 0;
}

/** The rows, and on what they were measured, as one JSON document. */
export function renderJson(rows: readonly MeasuredRow[]): string {
  const document = {
    at: new Date().toISOString(),
    deno: Deno.version.deno,
    system: `${Deno.build.os} ${Deno.build.arch}`,
    processors: navigator.hardwareConcurrency,
    rows,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
