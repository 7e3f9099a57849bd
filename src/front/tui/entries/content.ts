/**
 * Blocks of content other than text: images, audio, resources, links.
 *
 * @module
 */

import type { ContentPart } from "../../../model/session.ts";
import { nameLine, pathLine } from "../../endless.ts";
import { byteSize, fit } from "../layout.ts";
import { type RenderContext, shortPath, textLines } from "./context.ts";

/** The lines of a block of content; text comes as its own lines, unwrapped. */
export function renderPart(part: ContentPart, context: RenderContext): string[] {
  if (part.type === "text") return textLines(part.text);
  return [fit(context.theme.style("dim", describePart(part, context)), context.width)];
}

/** One line on a block that is not text: `[image image/png, 12 kB]`. Sanitised. */
export function describePart(part: ContentPart, context: RenderContext): string {
  switch (part.type) {
    case "text":
      return nameLine(part.text);
    case "image":
    case "audio": {
      const name = part.uri === undefined ? "" : ` ${nameOf(part.uri, context)}`;
      return `[${part.type}${name} ${nameLine(part.mimeType)}, ${
        byteSize(decodedSize(part.data))
      }]`;
    }
    case "resource_link": {
      const target = nameOf(part.uri, context);
      const title = nameLine(part.title ?? part.name);
      const details = [
        ...(title === target ? [] : [target]),
        ...(part.mimeType === undefined ? [] : [nameLine(part.mimeType)]),
        ...(part.size === undefined ? [] : [byteSize(part.size)]),
      ];
      return `[link ${title}${details.length > 0 ? ` — ${details.join(", ")}` : ""}]`;
    }
    case "resource": {
      const size = part.text === undefined
        ? decodedSize(part.blob ?? "")
        : new TextEncoder().encode(part.text).length;
      const command = commandOf(part.uri);
      if (command !== undefined) {
        return `[output of !${nameLine(command)} — ${byteSize(size)}]`;
      }
      const type = part.mimeType === undefined ? "" : `${nameLine(part.mimeType)}, `;
      return `[file ${nameOf(part.uri, context)} — ${type}${byteSize(size)}]`;
    }
    case "unknown":
      return `[content of an unknown kind: ${nameLine(part.name)}]`;
  }
}

/** The command whose output a person has attached. */
function commandOf(uri: string): string | undefined {
  if (!uri.startsWith("command:")) return undefined;
  try {
    return decodeURI(uri.slice("command:".length));
  } catch {
    return undefined;
  }
}

function nameOf(uri: string, context: RenderContext): string {
  if (!uri.startsWith("file://")) return pathLine(uri);
  try {
    return shortPath(decodeURIComponent(new URL(uri).pathname), context.state.cwd);
  } catch {
    return pathLine(uri);
  }
}

function decodedSize(base64: string): number {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return Math.max(0, Math.floor(base64.length * 3 / 4) - padding);
}
