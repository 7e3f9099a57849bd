/**
 * The Markdown of commands as plain lines, to be read aloud or kept in a log.
 *
 * @module
 */

import { textLines } from "../entry_lines.ts";

const RULE = /^\|[\s:|-]+\|$/;

/**
 * Sanitised lines, in which the rows of a table are sentences: `name: value` where there are two
 * columns, else the first cell and then each column's name with its value.
 */
export function plainMarkdown(markdown: string): readonly string[] {
  const lines = textLines(markdown);
  const plain: string[] = [];
  let head: readonly string[] = [];
  lines.forEach((line, index) => {
    if (!line.startsWith("|")) return void plain.push(line);
    if (RULE.test(line)) return;
    const cells = cellsOf(line);
    const isHead = RULE.test(lines[index + 1] ?? "");
    if (isHead) head = cells;
    if (cells.length === 2) plain.push(cells.filter((cell) => cell !== "").join(": "));
    else if (!isHead) plain.push(sentence(cells, head));
  });
  return plain;
}

function cellsOf(line: string): readonly string[] {
  return line.replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((cell) =>
    cell.trim().replaceAll("\\|", "|").replace(/`([^`]*)`/g, "$1").replace(/^●/, "now")
  );
}

function sentence([first = "", ...others]: readonly string[], head: readonly string[]): string {
  const named = others.flatMap((cell, index) => {
    const name = head[index + 1] ?? "";
    return cell === "" ? [] : [name === "" ? cell : `${name}: ${cell}`];
  });
  return [...(first === "" ? [] : [first]), ...named].join("; ");
}
