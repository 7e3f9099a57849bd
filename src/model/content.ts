/**
 * Reading of content blocks: whatever an agent sends becomes a part, never an error.
 *
 * @module
 */

import { asNumber, asObject, asString, isObject, type JsonObject } from "../base/guards.ts";
import type { ContentPart, ToolContent, ToolLocation } from "./session.ts";

/**
 * Key in the `_meta` of a text block that stands for something which the person has attached: its
 * value is a URI for it. Transcripts name such a block instead of repeating it.
 */
export const ATTACHED = "mm-repl/attached";

/**
 * The parts of one `content` value: usually one block; a bare string is text, an array is several
 * blocks. Empty text and absent or null content give none.
 */
export function parseContent(content: unknown): readonly ContentPart[] {
  return (Array.isArray(content) ? content : [content]).flatMap(parsePart);
}

/** The content of a tool call; an item that is a bare content block is taken as one. */
export function parseToolContent(items: readonly unknown[]): readonly ToolContent[] {
  return items.flatMap((item): readonly ToolContent[] => {
    if (isObject(item)) {
      if (item.type === "content") return asToolContent(parseContent(item.content));
      if (item.type === "diff") return [parseDiff(item)];
      if (item.type === "terminal" && typeof item.terminalId === "string") {
        return [{ type: "terminal", terminalId: item.terminalId }];
      }
    }
    return asToolContent(parseContent(item));
  });
}

/** The locations of a tool call; items without a path are left out. */
export function parseLocations(items: readonly unknown[]): readonly ToolLocation[] {
  return items.flatMap((item): readonly ToolLocation[] => {
    const path = isObject(item) ? asString(item.path) : undefined;
    if (path === undefined || !isObject(item)) return [];
    const line = asNumber(item.line);
    return [line === undefined ? { path } : { path, line }];
  });
}

/** The text of parts, joined; what is not text leaves nothing. */
export function textOf(parts: readonly ContentPart[]): string {
  return parts.map((part) => part.type === "text" ? part.text : "").join("");
}

/** The part with every lone half of a character replaced by U+FFFD. */
export function wellFormed(part: ContentPart): ContentPart {
  return part.type === "text" ? { type: "text", text: part.text.toWellFormed() } : part;
}

function parsePart(content: unknown): readonly ContentPart[] {
  if (content === undefined || content === null || content === "") return [];
  if (typeof content === "string") return [{ type: "text", text: content }];
  const part = isObject(content) ? parseBlock(content) : undefined;
  if (part?.type === "text" && part.text === "") return [];
  return [part ?? unknownPart(content)];
}

function parseBlock(block: JsonObject): ContentPart | undefined {
  switch (block.type) {
    case "text":
      return typeof block.text === "string" ? parseText(block.text, block._meta) : undefined;
    case "image":
    case "audio":
      if (typeof block.data !== "string") return undefined;
      return {
        type: block.type,
        mimeType: asString(block.mimeType) ?? "application/octet-stream",
        data: block.data,
        ...optional("uri", asString(block.uri)),
      };
    case "resource_link":
      if (typeof block.uri !== "string") return undefined;
      return {
        type: "resource_link",
        uri: block.uri,
        name: asString(block.name) ?? block.uri,
        ...optional("title", asString(block.title)),
        ...optional("description", asString(block.description)),
        ...optional("mimeType", asString(block.mimeType)),
        ...optional("size", asNumber(block.size)),
      };
    case "resource":
      return isObject(block.resource) ? parseResource(block.resource) : undefined;
    default:
      return undefined;
  }
}

function parseText(text: string, meta: unknown): ContentPart {
  const uri = asString(asObject(meta)[ATTACHED]);
  return uri === undefined ? { type: "text", text } : { type: "resource", uri, text };
}

function parseResource(resource: JsonObject): ContentPart | undefined {
  if (typeof resource.uri !== "string") return undefined;
  return {
    type: "resource",
    uri: resource.uri,
    ...optional("mimeType", asString(resource.mimeType)),
    ...optional("text", asString(resource.text)),
    ...optional("blob", asString(resource.blob)),
  };
}

function parseDiff(item: JsonObject): ToolContent {
  const path = asString(item.path);
  const oldText = asString(item.oldText);
  const newText = asString(item.newText);
  if (path === undefined || (oldText === undefined && newText === undefined)) {
    return { type: "unknown", name: "diff", raw: item };
  }
  return { type: "diff", path, ...optional("oldText", oldText), newText: newText ?? "" };
}

function asToolContent(parts: readonly ContentPart[]): readonly ToolContent[] {
  return parts.map((part) =>
    part.type === "unknown" ? part : { type: "content", content: part } as const
  );
}

function unknownPart(raw: unknown): ContentPart {
  const name = isObject(raw) ? asString(raw.type) : undefined;
  return { type: "unknown", name: name ?? "(no type)", raw };
}

/** `{[key]: value}`, or nothing when there is no value: absent members stay absent. */
export function optional<K extends string, V>(
  key: K,
  value: V | undefined,
): { readonly [P in K]?: V } {
  return value === undefined ? {} : { [key]: value } as { [P in K]: V };
}
