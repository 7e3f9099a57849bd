/**
 * Markdown for the answers of commands and for transcripts.
 *
 * @module
 */

/** A Markdown table; cells are put on one line. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replace(/\s*\n\s*/gu, " ").trim();
}

/** A code block whose fence is longer than any inside. */
export function codeBlock(text: string, language = ""): string {
  const inside = [...text.matchAll(/`{3,}/gu)].map(([ticks]) => ticks.length);
  const ticks = "`".repeat(Math.max(2, ...inside) + 1);
  return `${ticks}${language}\n${text.replace(/\n$/u, "")}\n${ticks}`;
}
