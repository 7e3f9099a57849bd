/**
 * The documents for people: their fenced blocks, and the parts of them that are made from the code.
 *
 * With `UPDATE_DOCS=1` in the environment, what differs is written into the document in place of
 * failing: `UPDATE_DOCS=1 deno test -A tests/docs`.
 *
 * @module
 */

import assert from "node:assert/strict";
import { ROOT } from "../support/project.ts";

/** Every document, relative to the project's root. */
export const DOCUMENTS = [
  "README.md",
  "docs/agent.md",
  "docs/configuration.md",
  "docs/remote.md",
  "docs/tools.md",
] as const;

/** A fenced block. */
export interface Block {
  readonly language: string;
  /** Without the fences. */
  readonly text: string;
  /** Where its text begins and ends in the document. */
  readonly start: number;
  readonly end: number;
}

/** Reads a document. */
export function loadDocument(name: string): Promise<string> {
  return Deno.readTextFile(`${ROOT}/${name}`);
}

/** The fenced blocks of a document, in order. */
export function blocksOf(markdown: string): Block[] {
  return markdown.matchAll(/^(`{3,})(\w*)\n([\s\S]*?)^\1$/gm).map((match) => {
    const [, fence = "", language = "", text = ""] = match;
    const start = match.index + fence.length + language.length + "\n".length;
    return { language, text, start, end: start + text.length };
  }).toArray();
}

/** What stands between `<!-- begin NAME -->` and `<!-- end NAME -->`, with its place. */
export function partOf(markdown: string, name: string): Block {
  const [begin, end] = [`<!-- begin ${name} -->\n`, `<!-- end ${name} -->`];
  const start = markdown.indexOf(begin) + begin.length;
  const stop = markdown.indexOf(end);
  assert.ok(start >= begin.length && stop >= start, `the part ${name} is marked`);
  return { language: "", text: markdown.slice(start, stop), start, end: stop };
}

/** Names of all marked parts of a document. */
export function partNames(markdown: string): string[] {
  return markdown.matchAll(/<!-- begin (\S+) -->/g).map(([, name = ""]) => name).toArray();
}

/** The lines that are not empty, alike where only the layout of tables and fences differs. */
function linesOf(text: string): string[] {
  const plain = text.replace(/-{2,}/g, "-").replace(/`{3,}/g, "```");
  return plain.split("\n").map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "");
}

/** A place of a document, and what must stand there. */
export interface Expected {
  readonly place: Block;
  readonly text: string;
  /** Makes texts comparable, for what differs from run to run. Default: nothing. */
  readonly normalize?: (text: string) => string;
}

/** Asserts that a document says what is expected at each place; or writes it there. */
export async function assertSays(name: string, all: readonly Expected[]): Promise<void> {
  const pairs = all.map((expected) => {
    const { place, text, normalize = (text: string) => text } = expected;
    return { expected, says: linesOf(normalize(place.text)), shall: linesOf(normalize(text)) };
  });
  // Where a line is wrapped makes no difference to a reader.
  const wrong = pairs.filter(({ says, shall }) => says.join(" ") !== shall.join(" "));
  if (wrong.length > 0 && Deno.env.get("UPDATE_DOCS") === "1") {
    return await rewrite(name, wrong.map(({ expected }) => expected));
  }
  for (const { says, shall } of wrong) {
    assert.deepEqual(says, shall, `${name} is out of date: UPDATE_DOCS=1 deno test -A tests/docs`);
  }
}

async function rewrite(name: string, all: readonly Expected[]): Promise<void> {
  let markdown = await loadDocument(name);
  for (const { place, text } of all.toSorted((a, b) => b.place.start - a.place.start)) {
    markdown = markdown.slice(0, place.start) + text + markdown.slice(place.end);
  }
  await Deno.writeTextFile(`${ROOT}/${name}`, markdown);
  await new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", `${ROOT}/${name}`] }).output();
}
