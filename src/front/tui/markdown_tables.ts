/**
 * Tables of rendered Markdown, made the way a terminal shows them best.
 *
 * @module
 */

import { append } from "../../base/append.ts";

type Side = "left" | "center" | "right";

const DELIMITER = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const FENCE = /^(?:`{3,}|~{3,})/;
/** What stands before the lines of a table in a list or a quotation. */
const SOURCE_INDENT = /^(?:[ \t]|>)*/;
/** The top of a table, with that before it. */
// deno-lint-ignore no-control-regex
const TOP = /^((?:\x1b\[[0-9;]*m| |│ )*)┌[─┬]*┐/;

/** Aligns the columns as the Markdown wants it, and takes rules away that separate single lines. */
export function layOutTables(lines: readonly string[], source: string): readonly string[] {
  if (!lines.some((line) => line.includes("┌"))) return lines;
  const sides = columnSides(source);
  const laidOut: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    laidOut.push(line);
    const before = TOP.exec(line)?.[1];
    if (before === undefined) continue;
    const end = lines.findIndex((row, index) => index > at && row.startsWith(`${before}└`));
    const body = lines.slice(at + 1, end);
    if (end < 0 || !body.every((row) => row.startsWith(before))) continue;
    const count = line.split("┬").length;
    while (sides[0] !== undefined && sides[0].length !== count) sides.shift();
    const columns = sides.shift() ?? [];
    const rows = body.map((row) => align(row.slice(before.length), columns));
    append(laidOut, compact(rows).map((row) => before + row));
    at = end - 1;
  }
  return laidOut;
}

/** Without the rules between rows, where every row is one line. */
function compact(body: readonly string[]): readonly string[] {
  const isRule = (row: string) => row.startsWith("├");
  if (body.some((row, index) => isRule(row) !== (index % 2 === 1))) return body;
  return body.filter((row, index) => index === 1 || !isRule(row));
}

function align(row: string, sides: readonly Side[]): string {
  const cells = row.split("│");
  // A cell that holds a border itself cannot be told from two.
  if (!sides.some((side) => side !== "left") || cells.length !== sides.length + 2) return row;
  return cells.map((cell, index) => shift(cell, sides[index - 1] ?? "left")).join("│");
}

/** Moves the blanks behind a cell's text, which stand before its closing attributes, to its front. */
function shift(cell: string, side: Side): string {
  // deno-lint-ignore no-control-regex
  const match = /^ (.*?)( *)((?:\x1b\[[0-9;]*m)*) $/.exec(cell);
  if (side === "left" || match === null) return cell;
  const [, text = "", blanks = "", closing = ""] = match;
  const before = side === "right" ? blanks.length : Math.floor(blanks.length / 2);
  return ` ${" ".repeat(before)}${text}${" ".repeat(blanks.length - before)}${closing} `;
}

/** The sides of the columns of each table in the source. */
function columnSides(source: string): Side[][] {
  const found: Side[][] = [];
  const lines = source.split("\n").map((line) => line.replace(SOURCE_INDENT, ""));
  let inCode = false;
  lines.forEach((line, index) => {
    if (FENCE.test(line)) inCode = !inCode;
    const isTable = !inCode && DELIMITER.test(line) && (lines[index - 1] ?? "").includes("|");
    if (isTable) found.push(cellsOf(line).map(sideOf));
  });
  return found;
}

function cellsOf(line: string): readonly string[] {
  return line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());
}

function sideOf(cell: string): Side {
  if (!cell.endsWith(":")) return "left";
  return cell.startsWith(":") ? "center" : "right";
}
