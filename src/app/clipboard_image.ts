/**
 * A picture on the person's clipboard.
 *
 * @module
 */

import { within } from "../base/clock.ts";
import type { Attachment } from "./attachments.ts";

/** How long a clipboard tool may take, in milliseconds. */
const TOOL_MS = 5_000;

/** Larger pictures are not sent. */
const MOST_BYTES = 10 * 1024 * 1024;

const TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** A tool that writes a picture to stdout, and the variable that says that it has one to ask for. */
interface Tool {
  readonly needs?: string;
  readonly command: (type: string) => readonly string[];
  /** Types that it can be asked for. */
  readonly types: readonly string[];
}

const TOOLS: readonly Tool[] = Deno.build.os === "darwin"
  ? [{ command: () => ["pngpaste", "-"], types: ["image/png"] }]
  : [
    {
      needs: "WAYLAND_DISPLAY",
      command: (type) => ["wl-paste", "--no-newline", "--type", type],
      types: TYPES,
    },
    {
      needs: "DISPLAY",
      command: (type) => ["xclip", "-selection", "clipboard", "-out", "-target", type],
      types: TYPES,
    },
  ];

/** The picture on the clipboard, to go with a prompt, or why there is none. Never rejects. */
export async function readClipboardImage(
  env: (name: string) => string | undefined = Deno.env.get.bind(Deno.env),
): Promise<Attachment | string> {
  const usable = TOOLS.filter(({ needs }) => needs === undefined || (env(needs) ?? "") !== "");
  let found = false;
  for (const { command, types } of usable) {
    for (const type of types) {
      const bytes = await outputOf(command(type));
      if (bytes === undefined) break;
      found = true;
      if (typeOf(bytes) !== type) continue;
      if (bytes.length > MOST_BYTES) return "the picture on the clipboard is larger than 10 MB";
      return imageAttachment(bytes, type);
    }
  }
  if (found) return "there is no picture on the clipboard";
  const tools = Deno.build.os === "darwin" ? "pngpaste" : "wl-paste or xclip";
  return `the clipboard cannot be read: that takes ${tools} on this machine`;
}

function imageAttachment(bytes: Uint8Array<ArrayBuffer>, mimeType: string): Attachment {
  const data = bytes.toBase64();
  return {
    label: () => `picture (${mimeType}, ${Math.ceil(bytes.length / 1000)} kB)`,
    blocks: () => [{ type: "image", mimeType, data }],
  };
}

/** What a tool writes to stdout, whether it is a picture or not; `undefined` when there is no tool. */
async function outputOf(
  [program = "", ...args]: readonly string[],
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    const aborted = new AbortController();
    const running = new Deno.Command(program, {
      args,
      stdin: "null",
      stdout: "piped",
      stderr: "null",
      signal: aborted.signal,
    }).output();
    const ended = await within(running, TOOL_MS);
    if (ended.ok) return ended.value.stdout;
    aborted.abort();
    return new Uint8Array();
  } catch {
    return undefined;
  }
}

/** The type of a picture by its first bytes: tools may give text for whatever they are asked for. */
function typeOf(bytes: Uint8Array): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 12));
  if (start.startsWith("\x89PNG")) return "image/png";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (start.startsWith("GIF8")) return "image/gif";
  return start.startsWith("RIFF") && start.endsWith("WEBP") ? "image/webp" : undefined;
}
