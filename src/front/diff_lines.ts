/**
 * What differs between two texts, as numbered lines.
 *
 * @module
 */

import { diffWordsWithSpace } from "diff";
import { alignLines, type Difference } from "./line_alignment.ts";

/** A line of a diff. */
export type DiffLine =
  /** Lines that are not shown. */
  | { readonly type: "gap" }
  | {
    readonly type: "same" | "added" | "removed";
    /** Number in the old text for removed lines, else in the new one; counted from 1. */
    readonly number: number;
    readonly pieces: readonly DiffPiece[];
  };

/** Part of a line; `changed` stands out against the line that it replaces. */
export interface DiffPiece {
  readonly text: string;
  readonly changed: boolean;
}

/** A whole diff. */
export interface LineDiff {
  readonly added: number;
  readonly removed: number;
  /** Parts were too large to be compared: some lines are shown as replaced that are the same. */
  readonly rough: boolean;
  readonly lines: readonly DiffLine[];
}

const CONTEXT = 3;
/** Lines whose words are compared, at most. */
const MAX_EMPHASISED = 1_000;
/** Longer lines are compared as wholes. */
const MAX_WORD_LENGTH = 2_000;

/** Compares two texts line by line; the time that it takes is bounded. */
export function diffLines(oldText: string, newText: string): LineDiff {
  const before = split(oldText);
  const after = split(newText);
  const { differences, rough } = alignLines(before, after);
  return {
    added: sum(differences.map(({ added }) => added)),
    removed: sum(differences.map(({ removed }) => removed)),
    rough,
    lines: emphasise(numberedLines(before, after, differences)),
  };
}

/** The lines that differ, and some around them. */
function numberedLines(
  before: readonly string[],
  after: readonly string[],
  differences: readonly Difference[],
): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  const show = (type: "same" | "added" | "removed", from: number, to: number) => {
    const text = type === "removed" ? before : after;
    for (let at = from; at < to; at++) lines.push(plain(type, at + 1, text[at] ?? ""));
  };
  /** Where in the new text the lines begin that were not shown. */
  let at = 0;
  for (const { oldStart, removed, newStart, added } of differences) {
    const shown = lines.length === 0 ? 0 : CONTEXT;
    if (newStart - at > shown + CONTEXT) {
      show("same", at, at + shown);
      if (shown > 0) lines.push({ type: "gap" });
      at = newStart - CONTEXT;
    }
    show("same", at, newStart);
    show("removed", oldStart, oldStart + removed);
    show("added", newStart, newStart + added);
    at = newStart + added;
  }
  if (lines.length > 0) show("same", at, Math.min(after.length, at + CONTEXT));
  return lines;
}

/** Marks the words that differ where as many lines were added as removed. */
function emphasise(lines: readonly DiffLine[]): readonly DiffLine[] {
  const result = [...lines];
  let left = MAX_EMPHASISED;
  for (let at = 0; at < result.length;) {
    const removed = run(result, at, "removed");
    const added = run(result, at + removed, "added");
    if (removed > 0 && removed === added) {
      const end = at + Math.min(removed, left);
      for (let i = at; i < end; i++) emphasisePair(result, i, i + removed);
      left -= end - at;
    }
    at += Math.max(1, removed + added);
  }
  return result;
}

function emphasisePair(lines: DiffLine[], oldAt: number, newAt: number): void {
  const before = lines[oldAt];
  const after = lines[newAt];
  if (before === undefined || after === undefined) return;
  if (before.type === "gap" || after.type === "gap") return;
  const oldText = textOf(before);
  const newText = textOf(after);
  if (oldText.length + newText.length > MAX_WORD_LENGTH) return;
  const changes = diffWordsWithSpace(oldText, newText);
  const same = changes.filter((change) => !change.added && !change.removed)
    .reduce((sum, change) => sum + change.value.trim().length, 0);
  // Lines that have little in common are two lines, not one that was changed.
  if (same * 3 < Math.min(oldText.trim().length, newText.trim().length)) return;
  const pieces = (skip: "added" | "removed"): DiffPiece[] =>
    changes.filter((change) => !change[skip])
      .map((change) => ({ text: change.value, changed: change.added || change.removed }));
  lines[oldAt] = { ...before, pieces: pieces("added") };
  lines[newAt] = { ...after, pieces: pieces("removed") };
}

function run(lines: readonly DiffLine[], at: number, type: DiffLine["type"]): number {
  let end = at;
  while (lines[end]?.type === type) end++;
  return end - at;
}

function textOf(line: Exclude<DiffLine, { type: "gap" }>): string {
  return line.pieces.map((piece) => piece.text).join("");
}

function plain(type: "same" | "added" | "removed", number: number, text: string): DiffLine {
  return { type, number, pieces: [{ text, changed: false }] };
}

function split(text: string): readonly string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
