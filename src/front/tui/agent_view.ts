/**
 * An agent's message on its way to the screen.
 *
 * @module
 */

import { append } from "../../base/append.ts";
import { StreamSanitizer } from "../../base/sanitize.ts";
import type { MessageEntry } from "../../model/session.ts";
import { renderPart } from "./entries/content.ts";
import type { RenderContext } from "./entries/context.ts";
import { imageRow } from "./entries/image.ts";
import { MarkdownStream } from "./markdown_stream.ts";
import type { Theme } from "./theme.ts";

/** Reads each part of a message once and gives out what is final. */
export class AgentView {
  readonly #stream: MarkdownStream;
  readonly #sanitizer = new StreamSanitizer();
  /** The part that is being read, and how much of its text was. */
  #part = 0;
  #offset = 0;
  #out: string[] = [];
  #begun = false;
  /** The last thing given out was not text. */
  #afterPart = false;

  constructor(theme: Theme) {
    this.#stream = new MarkdownStream(theme);
  }

  /** Reads what is new in the entry. */
  update(entry: MessageEntry, context: RenderContext): void {
    for (; this.#part < entry.parts.length; this.#nextPart()) {
      const part = entry.parts[this.#part];
      if (part === undefined) return;
      if (part.type === "text") {
        const text = part.text.slice(this.#offset);
        this.#offset = part.text.length;
        this.#push(text, context.width);
        const more = this.#part < entry.parts.length - 1 || entry.endedAt !== undefined;
        if (!more) return;
        this.#endText(context.width);
      } else {
        this.#flush(context);
        const image = imageRow(part, context);
        const lines = image === undefined ? renderPart(part, context) : [image];
        append(this.#out, this.#begun ? ["", ...lines] : lines);
        this.#begun = true;
        this.#afterPart = true;
      }
    }
  }

  /** Lines that are final since the last call; `rows` is how many others may stay. */
  take(context: RenderContext, rows: number): string[] {
    this.#flush(context, rows);
    const out = this.#out;
    this.#out = [];
    return out;
  }

  /** The lines that still change. Call {@link AgentView.take} before. */
  live(context: RenderContext): readonly string[] {
    const lines = this.#stream.live(context.width);
    return this.#afterPart && lines.length > 0 ? ["", ...lines] : lines;
  }

  /**
   * The first rows of the last {@link AgentView.live} stay where they are: they are given out. Gives
   * how many really do.
   */
  accept(rows: number): number {
    const before = this.#afterPart ? 1 : 0;
    const accepted = this.#stream.accept(rows - before);
    if (accepted === 0) return 0;
    this.#afterPart = false;
    return accepted + before;
  }

  #push(text: string, width: number): void {
    this.#stream.push(this.#sanitizer.push(text), width);
  }

  #endText(width: number): void {
    this.#stream.push(this.#sanitizer.flush(), width);
    this.#stream.end(width);
  }

  #flush(context: RenderContext, rows = Infinity): void {
    const lines = this.#stream.take(context.width, rows);
    if (lines.length === 0) return;
    if (this.#afterPart && lines[0] !== "") this.#out.push("");
    this.#afterPart = false;
    this.#begun = true;
    append(this.#out, lines);
  }

  #nextPart(): void {
    this.#part++;
    this.#offset = 0;
  }
}
