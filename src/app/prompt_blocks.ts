/**
 * A prompt as content blocks: its text, and the files that it mentions.
 *
 * @module
 */

import { asObject, type JsonObject } from "../base/guards.ts";
import { messageOf } from "../base/errors.ts";
import { basename, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { parseMentions } from "./mentions.ts";

/** Text files up to this many bytes are sent along; larger ones are linked. */
const EMBED_LIMIT = 64 * 1024;

/** Pictures up to this many bytes are sent along. */
const IMAGE_LIMIT = 5 * 1024 * 1024;

const IMAGE_TYPES: ReadonlyMap<string, string> = new Map([
  [".png", "image/png"],
  [".jpg", "image/jpeg"],
  [".jpeg", "image/jpeg"],
  [".gif", "image/gif"],
  [".webp", "image/webp"],
]);

/** What the blocks of a prompt depend on. */
export interface PromptBlocksOptions {
  /** The session's directory, absolute. */
  readonly cwd: string;
  /** The agent's raw `promptCapabilities`. */
  readonly capabilities: JsonObject;
  /** Whether a file outside the session's directory may be sent; asked once for each path. */
  readonly allowOutside: (path: string) => Promise<boolean>;
  /** Told about a mention that stays plain text. */
  readonly notice: (text: string) => void;
}

/**
 * Reads a prompt and loads what it mentions. The text goes first and keeps the mentions, so that the
 * model sees where they stood; the files follow, each once. Never rejects.
 */
export async function loadPromptBlocks(
  prompt: string,
  options: PromptBlocksOptions,
): Promise<readonly JsonObject[]> {
  const { text, mentions } = parseMentions(prompt);
  const blocks: JsonObject[] = [{ type: "text", text }];
  const seen = new Set<string>();
  for (const mention of mentions) {
    const path = await findFile(mention.paths, options.cwd);
    if (path === undefined) {
      options.notice(`@${mention.paths.at(-1)} is no file here: it was sent as text`);
      continue;
    }
    if (seen.has(path)) continue;
    seen.add(path);
    try {
      if (await isOutside(path, options.cwd) && !await options.allowOutside(path)) {
        options.notice(`${path} is outside the session's directory: it was sent as text`);
        continue;
      }
      blocks.push(await loadFile(path, options.capabilities));
    } catch (error) {
      options.notice(`Cannot read ${path}: ${messageOf(error)}; it was sent as text`);
    }
  }
  return blocks;
}

async function findFile(paths: readonly string[], cwd: string): Promise<string | undefined> {
  for (const path of paths) {
    const absolute = resolve(cwd, path);
    try {
      await Deno.lstat(absolute);
      return absolute;
    } catch {
      // The next shorter name may be the file.
    }
  }
  return undefined;
}

async function isOutside(path: string, cwd: string): Promise<boolean> {
  const [real, root] = await Promise.all([Deno.realPath(path), Deno.realPath(cwd)]);
  return real !== root && !real.startsWith(root.endsWith(sep) ? root : root + sep);
}

async function loadFile(path: string, capabilities: JsonObject): Promise<JsonObject> {
  const uri = pathToFileURL(path).href;
  const info = await Deno.stat(path);
  const name = basename(path);
  if (!info.isFile) return { type: "resource_link", uri, name };
  const imageType = IMAGE_TYPES.get(/\.[^.]*$/u.exec(name.toLowerCase())?.[0] ?? "");
  if (imageType !== undefined && capabilities.image === true && info.size <= IMAGE_LIMIT) {
    const data = (await Deno.readFile(path)).toBase64();
    return { type: "image", mimeType: imageType, data, uri };
  }
  if (capabilities.embeddedContext === true && info.size <= EMBED_LIMIT) {
    const text = decodeText(await Deno.readFile(path));
    if (text !== undefined) {
      return { type: "resource", resource: { uri, mimeType: "text/plain", text } };
    }
  }
  return {
    type: "resource_link",
    uri,
    name,
    size: info.size,
    ...(imageType === undefined ? {} : { mimeType: imageType }),
  };
}

function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The raw `promptCapabilities` in an agent's capabilities. */
export function promptCapabilities(capabilities: JsonObject): JsonObject {
  return asObject(capabilities.promptCapabilities);
}
