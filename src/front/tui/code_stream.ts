/**
 * A fenced block of code that grows line by line; what is whole is never looked at again.
 *
 * @module
 */

import { append } from "../../base/append.ts";
import { highlightLines } from "./highlight.ts";
import { indentLines } from "./layout.ts";
import type { Theme } from "./theme.ts";

/** Lines before new ones that the highlighter sees, so that it knows where it is. */
const CONTEXT = 12;
const INDENT = "  ";

/** Code between two fences. */
export class CodeStream {
  readonly #fence: string;
  readonly #language: string;
  readonly #indent: number;
  #context: readonly string[] = [];
  #waiting: string[] = [];
  #opened = false;
  #closed = false;

  /** `opening` is the whole first line, e.g. three backticks and `ts`. */
  constructor(opening: string) {
    const match = /^( *)(`{3,}|~{3,})\s*(\S*)/.exec(opening);
    this.#indent = match?.[1]?.length ?? 0;
    this.#fence = match?.[2] ?? "```";
    this.#language = match?.[3] ?? "";
  }

  /** Takes a whole line; true when it was the closing fence. */
  push(line: string): boolean {
    const text = line.trim();
    const closes = text.length >= this.#fence.length &&
      text === this.#fence.charAt(0).repeat(text.length);
    if (closes) this.#closed = true;
    else this.#waiting.push(this.#dedent(line));
    return closes;
  }

  /** The lines that have become whole since the last call. */
  take(width: number, theme: Theme): string[] {
    const lines = this.#opened ? [] : [theme.style("dim", `\`\`\`${this.#language}`)];
    this.#opened = true;
    append(lines, this.#paint(this.#waiting, width, theme));
    this.#context = [...this.#context, ...this.#waiting].slice(-CONTEXT);
    this.#waiting = [];
    if (this.#closed) lines.push(theme.style("dim", "```"));
    return lines;
  }

  /** The line that is still being written. */
  live(partial: string, width: number, theme: Theme): string[] {
    const text = partial.trim();
    const closing = text !== "" && text === this.#fence.charAt(0).repeat(text.length);
    return partial === "" || closing ? [] : this.#paint([this.#dedent(partial)], width, theme);
  }

  #paint(code: readonly string[], width: number, theme: Theme): string[] {
    if (code.length === 0) return [];
    const all = highlightLines([...this.#context, ...code].join("\n"), this.#language, theme);
    return indentLines(all.slice(this.#context.length), width, INDENT);
  }

  /** Takes away as many blanks as stand before the fence. */
  #dedent(line: string): string {
    const blanks = /^ */.exec(line)?.[0].length ?? 0;
    return line.slice(Math.min(blanks, this.#indent));
  }
}

/** Whether a line opens a block of code at the left margin. */
export function opensCode(line: string): boolean {
  return /^ {0,3}(?:`{3,}[^`]*|~{3,}.*)$/.test(line);
}
