/**
 * What a tool call has to show, in the form in which people read it.
 *
 * @module
 */

import { structuredPatch } from "diff";

/** A change of a file as text, or how big it is where it is too big to be worked out. */
export interface DiffText {
  /** `new` when there was no file before, `emptied` when nothing is left. */
  readonly change: "new" | "emptied" | "edit";
  readonly added: number;
  readonly removed: number;
  /** Unified hunks without file names; absent when the change is too big. */
  readonly hunks?: string;
}

/** Edits beyond which a diff is not worked out; bounds its time. */
const MOST_EDITS = 2000;

/** Works out a diff, in bounded time. `oldText` absent means that there was no file. */
export function diffText(oldText: string | undefined, newText: string): DiffText {
  if (!oldText || newText === "") return wholeText(oldText, newText);
  const patch = structuredPatch("", "", oldText, newText, undefined, undefined, {
    context: 3,
    maxEditLength: MOST_EDITS,
  });
  if (patch === undefined) {
    return { change: "edit", added: linesOf(newText).length, removed: linesOf(oldText).length };
  }
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  const hunks = patch.hunks.map((hunk) =>
    [
      `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
      ...hunk.lines,
    ].join("\n")
  );
  return {
    change: "edit",
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
    hunks: hunks.join("\n"),
  };
}

/** The diff where one side is empty: every line is on the other. */
function wholeText(oldText: string | undefined, newText: string): DiffText {
  const added = linesOf(newText);
  const removed = linesOf(oldText ?? "");
  const lines = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
  const from = removed.length === 0 ? "0,0" : `1,${removed.length}`;
  const to = added.length === 0 ? "0,0" : `1,${added.length}`;
  return {
    change: oldText === undefined ? "new" : newText === "" ? "emptied" : "edit",
    added: added.length,
    removed: removed.length,
    hunks: lines.length === 0 ? "" : [`@@ -${from} +${to} @@`, ...lines].join("\n"),
  };
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}
