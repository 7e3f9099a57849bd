/**
 * How much of what tools gave is kept, so that the memory of a session levels off.
 *
 * Tool calls that have ended are kept whole until they weigh too much together; then the oldest of
 * the big ones are shortened.
 *
 * @module
 */

import { isObject } from "../base/guards.ts";
import { optional } from "./content.ts";
import type { ContentPart, ToolContent, ToolEntry } from "./session.ts";

/** Characters that the big calls of a session may have together. */
export const KEPT_CHARACTERS = 32 * 1024 * 1024;
/** A call with fewer characters is never shortened. */
const SMALL = 16 * 1024;
/** Characters of one text that are left, half of them from its beginning. */
const LEFT = 8 * 1024;
/** Deeper values of raw input and output are neither counted nor kept. */
const DEEPEST = 32;

/** A big call that is kept whole: its index and its weight in characters. */
export interface KeptCall {
  readonly index: number;
  readonly weight: number;
}

/** The calls that are kept whole once `entry` is, and the indexes of those that are to be shortened. */
export function retain(
  kept: readonly KeptCall[],
  entry: ToolEntry,
): { readonly kept: readonly KeptCall[]; readonly shorten: readonly number[] } {
  const weight = weigh(entry);
  if (weight < SMALL) return { kept, shorten: [] };
  const all = [...kept.filter(({ index }) => index !== entry.index), {
    index: entry.index,
    weight,
  }];
  let total = all.reduce((sum, call) => sum + call.weight, 0);
  let first = 0;
  while (total > KEPT_CHARACTERS && first < all.length - 1) total -= all[first++]?.weight ?? 0;
  return { kept: all.slice(first), shorten: all.slice(0, first).map(({ index }) => index) };
}

/** The call with its long texts cut in the middle, and its diffs and media replaced by a remark. */
export function shortenCall(entry: ToolEntry): ToolEntry {
  return {
    ...entry,
    content: entry.content.map(shortenContent),
    ...optional(
      "written",
      entry.written?.map((file) => ({ ...file, content: shortenContent(file.content) })),
    ),
    ...optional("permission", shortenPermission(entry.permission)),
    ...optional("metaOutput", entry.metaOutput && shortenText(entry.metaOutput)),
    ...optional("rawInput", shortenValue(entry.rawInput, 0)),
    ...optional("rawOutput", shortenValue(entry.rawOutput, 0)),
  };
}

function shortenPermission(permission: ToolEntry["permission"]): ToolEntry["permission"] {
  if (permission?.diffs === undefined) return permission;
  return { ...permission, diffs: permission.diffs.map(shortenContent) };
}

function weigh(entry: ToolEntry): number {
  return weighValue(entry.content, 0) + weighValue(entry.written, 0) +
    weighValue(entry.permission?.diffs, 0) +
    (entry.metaOutput ?? "").length +
    weighValue(entry.rawInput, 0) + weighValue(entry.rawOutput, 0);
}

function weighValue(value: unknown, depth: number): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null || depth > DEEPEST) return 8;
  return Object.values(value).reduce((sum: number, item) => sum + weighValue(item, depth + 1), 8);
}

function shortenContent(item: ToolContent): ToolContent {
  if (weighValue(item, 0) <= LEFT) return item;
  switch (item.type) {
    case "content":
      return { type: "content", content: shortenPart(item.content) };
    case "diff":
      return textItem(`The change of ${item.path} is no longer kept`);
    case "terminal":
      return item;
    case "unknown":
      return { ...item, raw: shortenValue(item.raw, 0) };
  }
}

function shortenPart(part: ContentPart): ContentPart {
  switch (part.type) {
    case "text":
      return { type: "text", text: shortenText(part.text) };
    case "resource":
      return { ...part, blob: undefined, ...optional("text", part.text && shortenText(part.text)) };
    case "image":
    case "audio":
      return { type: "text", text: `The ${part.type} is no longer kept` };
    default:
      return part;
  }
}

function textItem(text: string): ToolContent {
  return { type: "content", content: { type: "text", text } };
}

function shortenText(text: string): string {
  if (text.length <= LEFT) return text;
  const start = text.slice(0, LEFT / 2);
  const end = text.slice(-LEFT / 2);
  return `${start}\n… ${text.length - LEFT} characters are no longer kept …\n${end}`.toWellFormed();
}

function shortenValue(value: unknown, depth: number): unknown {
  if (typeof value === "string") return shortenText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST) return null;
  if (Array.isArray(value)) {
    return value.slice(0, LEFT / 8).map((item) => shortenValue(item, depth + 1));
  }
  if (!isObject(value)) return null;
  return Object.fromEntries(
    Object.entries(value).slice(0, LEFT / 8)
      .map(([key, item]) => [key, shortenValue(item, depth + 1)]),
  );
}
