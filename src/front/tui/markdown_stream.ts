/**
 * Markdown that arrives in pieces: whole blocks are given out once and forgotten, and only the last
 * one, which still grows, is rendered again.
 *
 * @module
 */

import { append } from "../../base/append.ts";
import { CodeStream, opensCode } from "./code_stream.ts";
import { GivenRows } from "./given_rows.ts";
import { LinkDefinitions } from "./link_definitions.ts";
import { renderMarkdown } from "./markdown.ts";
import type { Theme } from "./theme.ts";

/** A block longer than this is cut where a line ends or a word does: its cost must not grow. */
const MAX_BLOCK = 8_192;
const LIST_MARKER = /^ ?(?:[-*+]|\d{1,9}[.)])(?: |$)/;
/** A list marker that may follow a paragraph without a blank line between. */
const INTERRUPTING_MARKER = /^ ?(?:[-*+]|1[.)]) +\S/;
const QUOTE = /^ {0,3}>/;
const TABLE = /^ {0,3}\|?.*\n {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+\|?[ \t]*\n/;
/** A block of definitions that are shown: the backslash lets them be read as text. */
const SHOWN = /^\[[^\]\n]+\]\\:/;
const FENCE = /^ {0,3}(?:`{3}|~{3})/;
/** What Markdown may take for the definition of a link, and leave out: footnotes and words, too. */
const DEFINES = /^ {0,3}\[[^\]\n]+\]:/;
const HEADING = /^ {0,3}#{1,6}(?:\s|$)/;

type Block = "none" | "text" | "list" | "code";

/** Splits a message into blocks. Text must be sanitised. */
export class MarkdownStream {
  readonly #theme: Theme;
  readonly #definitions = new LinkDefinitions();
  #kind: Block = "none";
  /** Whole lines of the block, each with its newline. */
  #source = "";
  /** The line that is not whole yet. */
  #partial = "";
  #code: CodeStream | undefined;
  /** Rows of it were given out. */
  #codeGiven = false;
  /** The fence that is open inside a list item. */
  #innerFence: string | undefined;
  /** A blank line came after the block's last line. */
  #blank = false;
  /** Rows of the block that were given out already. */
  readonly #given = new GivenRows();
  /** What the last live rows were: whether a blank one came first, and their width. */
  #liveBlank = false;
  #liveWidth = 0;
  #out: string[] = [];
  /** What was given out last, to know whether a blank line belongs between. */
  #before: Block = "none";
  #blankBefore = false;

  constructor(theme: Theme) {
    this.#theme = theme;
  }

  /** Takes the next piece. */
  push(text: string, width: number): void {
    const lines = (this.#partial + text).split("\n");
    this.#partial = lines.pop() ?? "";
    for (const line of lines) this.#line(line, width);
    if (this.#source.length + this.#partial.length > MAX_BLOCK) this.#cut(width);
  }

  /** The message is complete. */
  end(width: number): void {
    if (this.#partial !== "") this.#line(this.#partial, width);
    this.#partial = "";
    this.#finish(width);
  }

  /**
   * The rows that are final since the last call. Of a block higher than `rows`, what no longer fits
   * is given out as it stands; a table waits, because its columns still change.
   */
  take(width: number, rows: number): string[] {
    if (this.#begunBlock) this.#finish(width);
    if (!this.#given.none && this.#code === undefined && this.#given.width !== width) {
      this.#freeze();
    }
    if (this.#code !== undefined) this.#takeCode(width);
    else if (!this.#isTable()) {
      const lines = this.#render(width);
      this.#give(lines, lines.length - Math.max(1, rows), width);
    }
    const out = this.#out;
    this.#out = [];
    return out;
  }

  /** The rows of the block that still grows. Call {@link MarkdownStream.take} before. */
  live(width: number): readonly string[] {
    const lines = this.#code !== undefined
      ? this.#code.live(this.#partial, width, this.#theme)
      : this.#rest(this.#render(width));
    this.#liveBlank = lines.length > 0 && this.#given.none && this.#needsBlank();
    this.#liveWidth = width;
    return this.#liveBlank ? ["", ...lines] : lines;
  }

  /**
   * The first rows of the last {@link MarkdownStream.live} stay where they are: they are given out.
   * Gives how many really do; those of a table, and of a line of code, still change.
   */
  accept(rows: number): number {
    const own = this.#liveBlank ? rows - 1 : rows;
    if (own <= 0 || this.#code !== undefined || this.#isTable()) return 0;
    if (this.#kind === "none") this.#kind = kindOf(this.#partial);
    const lines = this.#render(this.#liveWidth);
    const count = Math.min(lines.length, this.#given.find(lines).count + own);
    this.#before = "none";
    this.#given.set(lines, count, this.#liveWidth);
    // What follows the last row begins a new one, wherever it was.
    if (count === lines.length) this.#freeze(this.#partial.length);
    return rows;
  }

  #line(line: string, width: number): void {
    if (this.#code !== undefined) {
      if (this.#code.push(line)) {
        this.#takeCode(width);
        this.#code = undefined;
        this.#done("code");
      }
      return;
    }
    if (this.#innerFence !== undefined) return this.#inner(line);
    if (line.trim() === "") return this.#blankLine(width);
    if (this.#startsBlock(line)) this.#finish(width);
    if (this.#source === "" || SHOWN.test(this.#source)) {
      const definition = this.#definitions.take(line);
      if (definition?.shown === false) return;
      // What it was for has gone out, or it defines no link: it is shown as it stands.
      if (definition !== undefined || DEFINES.test(line)) {
        line = line.trim().replace("]:", "]\\:");
      }
    }
    if (opensCode(line)) {
      this.#finish(width);
      this.#kind = "code";
      this.#code = new CodeStream(line);
      return;
    }
    if (this.#kind === "none") this.#kind = kindOf(line);
    if (this.#blank) this.#source += "\n";
    this.#blank = false;
    this.#source += `${line}\n`;
    if (HEADING.test(line) && this.#kind === "text") this.#finish(width);
    if (this.#source.length > MAX_BLOCK) this.#cut(width);
    if (this.#kind === "list") this.#innerFence = /^\s+(`{3,}|~{3,})/.exec(line)?.[1];
  }

  /** A line of code inside a list item. */
  #inner(line: string): void {
    if (line.trim().startsWith(this.#innerFence ?? "")) this.#innerFence = undefined;
    this.#source += `${line}\n`;
  }

  #blankLine(width: number): void {
    if (this.#kind === "list") {
      this.#blank = true;
      return;
    }
    this.#finish(width);
    this.#blankBefore = true;
  }

  /** Whether a line begins a block of its own after the one that is open. */
  #startsBlock(line: string): boolean {
    if (this.#source === "") return false;
    if (HEADING.test(line)) return true;
    if (this.#kind === "list") {
      return LIST_MARKER.test(line) || (this.#blank && !/^(?: {2}|\t)/.test(line));
    }
    return INTERRUPTING_MARKER.test(line) || (QUOTE.test(line) && !QUOTE.test(this.#source));
  }

  #finish(width: number): void {
    if (this.#code !== undefined) {
      this.#takeCode(width);
      this.#code = undefined;
      return this.#done("code");
    }
    if (this.#kind === "none") return;
    if (!this.#given.none && this.#given.width !== width) this.#freeze();
    const rows = this.#render(width, this.#source);
    if (this.#given.none) this.#separate();
    append(this.#out, this.#rest(rows));
    this.#done(this.#kind);
  }

  #done(kind: Block): void {
    if (kind !== "code") this.#definitions.passed(this.#source);
    this.#before = kind;
    this.#blankBefore = this.#blank;
    this.#kind = "none";
    this.#source = "";
    this.#blank = false;
    this.#given.clear();
    this.#codeGiven = false;
    this.#innerFence = undefined;
  }

  #takeCode(width: number): void {
    if (this.#code === undefined) return;
    if (!this.#codeGiven) this.#separate();
    this.#codeGiven = true;
    append(this.#out, this.#code.take(width, this.#theme));
  }

  /** Gives out the block's rows up to `end`. */
  #give(lines: readonly string[], end: number, width: number): void {
    const { count, missing } = this.#given.find(lines);
    if (missing.length === 0 && end <= count) return;
    if (this.#kind === "none") this.#kind = kindOf(this.#partial);
    this.#separate();
    append(this.#out, [...missing, ...lines.slice(count, Math.max(count, end))]);
    this.#given.set(lines, Math.max(count, end), width);
  }

  /** The rows that were not given out. */
  #rest(lines: readonly string[]): readonly string[] {
    const { count, missing } = this.#given.find(lines);
    return [...missing, ...lines.slice(count)];
  }

  /** What opens a block of code is shown with it. */
  get #shownPartial(): string {
    return FENCE.test(this.#partial) ? "" : this.#partial;
  }

  /** The line that is not whole yet begins a block of its own, whatever comes. */
  get #begunBlock(): boolean {
    return this.#code === undefined && this.#innerFence === undefined &&
      this.#partial.trim() !== "" && this.#startsBlock(`${this.#partial}x`);
  }

  /** Gives out a blank line before the first row of a block, where one belongs. */
  #separate(): void {
    if (this.#needsBlank()) this.#out.push("");
    this.#before = "none";
  }

  #needsBlank(): boolean {
    if (this.#before === "none") return false;
    return this.#blankBefore || this.#before !== "list" || this.#kind !== "list";
  }

  #render(width: number, source = this.#source + this.#shownPartial): readonly string[] {
    const block = source.trimEnd();
    const whole = SHOWN.test(block) ? block : this.#definitions.apply(block);
    return renderMarkdown(whole, width, this.#theme);
  }

  /**
   * Rows were given out at another width, where their number was another one: what belongs to them
   * is given out at that width too, up to the last whole word, and a new block begins.
   */
  #freeze(end = this.#partial.lastIndexOf(" ") + 1): void {
    this.#source += this.#partial.slice(0, end);
    this.#partial = this.#partial.slice(end);
    append(this.#out, this.#rest(this.#render(this.#given.width, this.#source)));
    const kind = this.#kind;
    this.#done(kind);
    this.#before = "none";
    this.#kind = kind;
  }

  #isTable(): boolean {
    return this.#source.length < MAX_BLOCK / 2 && TABLE.test(`${this.#source}${this.#partial}\n`);
  }

  /** Ends a block that has grown too long, at the end of its last whole line, else of a word. */
  #cut(width: number): void {
    if (this.#code !== undefined) return this.#cutCode(width);
    if (this.#source === "") {
      const at = this.#partial.lastIndexOf(" ", MAX_BLOCK);
      const end = at > MAX_BLOCK / 2 ? at + 1 : MAX_BLOCK;
      this.#source = this.#partial.slice(0, end);
      this.#partial = this.#partial.slice(end);
      this.#kind = this.#kind === "none" ? "text" : this.#kind;
    }
    const kind = this.#kind;
    const fence = this.#innerFence;
    this.#finish(width);
    this.#before = "none";
    if (kind === "list" && fence !== undefined) {
      this.#kind = "code";
      this.#code = new CodeStream(fence);
    }
    if (this.#partial.length > MAX_BLOCK) this.#cut(width);
  }

  #cutCode(width: number): void {
    if (this.#partial.length <= MAX_BLOCK) return;
    this.#code?.push(this.#partial.slice(0, MAX_BLOCK));
    this.#partial = this.#partial.slice(MAX_BLOCK);
    this.#takeCode(width);
    this.#cutCode(width);
  }
}

function kindOf(line: string): Block {
  return LIST_MARKER.test(line) ? "list" : "text";
}
