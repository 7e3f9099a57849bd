/**
 * `@path` in a prompt: where the mentions are. What they name is looked up elsewhere.
 *
 * @module
 */

/** One place of a prompt that may name a file. */
export interface Mention {
  /** Paths that may be meant, most likely first: what follows a name may belong to the sentence. */
  readonly paths: readonly string[];
}

/** A prompt, read. */
export interface ParsedPrompt {
  /** The prompt with `\@` as a plain `@`. */
  readonly text: string;
  /** In their order. */
  readonly mentions: readonly Mention[];
}

/** Punctuation that ends a sentence or closes a bracket rather than a name. */
const TRAILING = /[.,;:!?)\]}>'"»”’…]$/u;

/** What may stand before the `@` of a mention; anything else makes it part of a word (e-mail). */
const BEFORE = /[\s([{<'"«“‘,;:]/u;

/**
 * Finds the mentions of a prompt: `@path`, `@path\ with\ spaces`, `@"path with spaces"`. `\@` is a
 * plain at sign, and so is one inside a word.
 */
export function parseMentions(text: string): ParsedPrompt {
  const mentions: Mention[] = [];
  let out = "";
  let at = 0;
  while (at < text.length) {
    const next = text.indexOf("@", at);
    if (next === -1) break;
    const before = text[next - 1];
    if (before === "\\") {
      out += `${text.slice(at, next - 1)}@`;
      at = next + 1;
      continue;
    }
    let end = next + 1;
    if (before === undefined || BEFORE.test(before)) {
      const found = readPath(text, end);
      if (found.paths.length > 0) mentions.push({ paths: found.paths });
      end = found.end;
    }
    out += text.slice(at, end);
    at = end;
  }
  return { text: out + text.slice(at), mentions };
}

interface FoundPath {
  readonly paths: readonly string[];
  readonly end: number;
}

function readPath(text: string, start: number): FoundPath {
  if (text[start] === '"') {
    const close = text.indexOf('"', start + 1);
    if (close > start + 1) return { paths: [text.slice(start + 1, close)], end: close + 1 };
  }
  let path = "";
  let end = start;
  // Where an escaped character ended: nothing before that is punctuation of the sentence.
  let certain = 0;
  for (; end < text.length; end++) {
    const character = text[end] ?? "";
    if (character === "\\" && end + 1 < text.length) {
      path += text[++end];
      certain = path.length;
    } else if (/\s/u.test(character)) {
      break;
    } else {
      path += character;
    }
  }
  const paths: string[] = [];
  while (path.length > 0) {
    paths.push(path);
    if (path.length <= certain || !TRAILING.test(path)) break;
    path = path.slice(0, -1);
  }
  return { paths, end };
}

/** A path as it is written in a mention, quoted or escaped where it has to be. */
export function writeMention(path: string): string {
  if (!/[\s\\"'()[\]{}<>,;:!?]/u.test(path)) return `@${path}`;
  if (!path.includes('"')) return `@"${path}"`;
  return `@${path.replace(/[\s\\"'()[\]{}<>,;:!?]/gu, "\\$&")}`;
}

/** The prompt that says exactly this and mentions nothing: for text that nobody has typed. */
export function withoutMentions(text: string): string {
  return text.replaceAll("@", "\\@");
}
