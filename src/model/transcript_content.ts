/**
 * Content in a transcript.
 *
 * @module
 */

import { sanitizeLine, sanitizeText } from "../base/sanitize.ts";
import { codeSpan, link } from "./markdown.ts";
import type { ContentPart } from "./session.ts";

/** The content of a message or of a tool call, as Markdown. */
export function renderParts(parts: readonly ContentPart[]): string {
  return parts.map(renderPart).filter((text) => text !== "").join("\n\n");
}

function renderPart(part: ContentPart): string {
  switch (part.type) {
    case "text":
      return sanitizeText(part.text).replace(/^\n+|\s+$/g, "");
    case "image":
    case "audio":
      return `*[${part.type}: ${sanitizeLine(part.mimeType)}, ${base64Size(part.data)} bytes]*`;
    case "resource_link":
      return link(part.title ?? part.name, part.uri);
    case "resource":
      return `*[resource: ${link(part.uri, part.uri)}]*`;
    case "unknown":
      return `*[content of an unknown kind: ${codeSpan(part.name)}]*`;
  }
}

function base64Size(data: string): number {
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  return Math.max(0, Math.floor(data.length * 3 / 4) - padding);
}
