/**
 * What the rendering of an entry may know besides the entry.
 *
 * @module
 */

import type { SessionState } from "../../../model/session.ts";
import { sanitizeText } from "../../../base/sanitize.ts";
import { pathLine } from "../../endless.ts";
import type { Theme } from "../theme.ts";

/** How thoughts are shown once they have ended. */
export type ThoughtsMode = "full" | "folded" | "hidden";

/** Everything around an entry. */
export interface RenderContext {
  readonly theme: Theme;
  /** Columns, at least 1. */
  readonly width: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The session that the entry belongs to. */
  readonly state: SessionState;
  readonly thoughts: ThoughtsMode;
  /** The key that shows what is folded, for people. */
  readonly expandKey: string;
  /** The key that leaves out what goes with the next prompt, for people. */
  readonly dropKey: string;
  /** Show everything, folded parts too. */
  readonly whole: boolean;
}

/** Everything about rendering but the session. */
export type ViewContext = Omit<RenderContext, "state" | "whole">;

/** A path as a person would write it: relative to the session's directory when it lies in it. */
export function shortPath(path: string, cwd: string): string {
  const inside = cwd !== "" && path.startsWith(cwd.endsWith("/") ? cwd : `${cwd}/`);
  return pathLine(inside ? path.slice(cwd.length).replace(/^\//, "") : path);
}

/** Lines of text from outside, without blank ones at the ends. */
export function textLines(text: string): string[] {
  const lines = sanitizeText(text).split("\n").map((line) => line.trimEnd());
  while (lines.length > 0 && lines[0] === "") lines.shift();
  while (lines.length > 0 && lines.at(-1) === "") lines.pop();
  return lines;
}

/** Lines, and how many more there are. */
export interface Folded {
  readonly lines: readonly string[];
  /** 0 when everything is shown. */
  readonly hidden: number;
}

/** Which part of a long list stays when it is folded. */
export type Keep = "start" | "end";

/** At most `limit` of the lines, and a remark about the others; `more` follow that are not there. */
export function fold(
  lines: readonly string[],
  limit: number,
  keep: Keep,
  context: RenderContext,
  more = 0,
): Folded {
  const hidden = lines.length - limit + more;
  // A remark in place of one or two lines would save nothing.
  const worth = Math.max(1, Math.min(3, limit / 3));
  if (context.whole || hidden <= worth) return { lines: [...lines], hidden: 0 };
  const indent = /^ */.exec(lines[0] ?? "")?.[0] ?? "";
  const note = context.theme.style(
    "dim",
    `${indent}… ${hidden} more lines (${context.expandKey} shows them)`,
  );
  return {
    lines: keep === "start" ? [...lines.slice(0, limit), note] : [note, ...lines.slice(-limit)],
    hidden,
  };
}
