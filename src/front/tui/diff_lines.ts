/**
 * What differs between two texts, as numbered lines.
 *
 * @module
 */

import { diffWordsWithSpace, structuredPatch } from "diff";

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

/** A whole diff. `lines` is empty when it is too large to be shown. */
export interface LineDiff {
  readonly added: number;
  readonly removed: number;
  readonly lines: readonly DiffLine[];
  readonly tooLarge: boolean;
}

const CONTEXT = 3;
/** More changed lines than this are only counted: comparing them would take too long. */
const MAX_LINES = 3_000;
/** Longer lines are compared as wholes. */
const MAX_WORD_LENGTH = 2_000;

/** Compares two texts line by line. */
export function diffLines(oldText: string, newText: string): LineDiff {
  const before = split(oldText);
  const after = split(newText);
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  const removed = before.length - start - end;
  const added = after.length - start - end;
  if (removed + added > MAX_LINES && removed > 0 && added > 0 || removed + added > 10 * MAX_LINES) {
    return { added, removed, lines: [], tooLarge: true };
  }
  return compare(before, after, start, end);
}

function compare(
  before: readonly string[],
  after: readonly string[],
  start: number,
  end: number,
): LineDiff {
  // What is the same at both ends is cut off first, but for the lines that are shown around.
  const from = Math.max(0, start - CONTEXT);
  const keep = Math.max(0, end - CONTEXT);
  const patch = structuredPatch(
    "",
    "",
    join(before.slice(from, before.length - keep)),
    join(after.slice(from, after.length - keep)),
    "",
    "",
    { context: CONTEXT },
  );
  let added = 0;
  let removed = 0;
  const lines: DiffLine[] = [];
  for (const hunk of patch.hunks) {
    if (lines.length > 0) lines.push({ type: "gap" });
    let oldNumber = from + hunk.oldStart;
    let newNumber = from + hunk.newStart;
    for (const line of hunk.lines) {
      const text = line.slice(1);
      if (line.startsWith("+")) {
        added++;
        lines.push(plain("added", newNumber++, text));
      } else if (line.startsWith("-")) {
        removed++;
        lines.push(plain("removed", oldNumber++, text));
      } else if (line.startsWith(" ")) {
        oldNumber++;
        lines.push(plain("same", newNumber++, text));
      }
    }
  }
  return { added, removed, lines: emphasise(lines), tooLarge: false };
}

/** Marks the words that differ where as many lines were added as removed. */
function emphasise(lines: readonly DiffLine[]): readonly DiffLine[] {
  const result = [...lines];
  for (let at = 0; at < result.length;) {
    const removed = run(result, at, "removed");
    const added = run(result, at + removed, "added");
    if (removed > 0 && removed === added) {
      for (let i = at; i < at + removed; i++) emphasisePair(result, i, i + removed);
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

function join(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < a.length && count < b.length && a[count] === b[count]) count++;
  return count;
}

function commonEnd(a: readonly string[], b: readonly string[], start: number): number {
  const most = Math.min(a.length, b.length) - start;
  let count = 0;
  while (count < most && a[a.length - 1 - count] === b[b.length - 1 - count]) count++;
  return count;
}
