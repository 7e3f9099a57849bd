/**
 * What must hold of a screen: every text of the sessions stands there, as often as it was said, and
 * those of one session in the order in which they were said.
 *
 * @module
 */

import type { Entry, SessionState } from "../../src/model/session.ts";

/** Texts with fewer letters and digits than this are too short to be told from others. */
const SHORTEST = 8;

/** Lines in which the program names a session, maybe after its first prompt. */
const SESSION_NAMES = /^(── session: .* ──|· (The turn of session|Session) .*)$/gm;

/**
 * Compares a screen, with its scrollback, with what the sessions hold. Only letters and digits
 * count: marks of Markdown are drawn as something else, and lines are broken elsewhere.
 *
 * @param cwd the directory that the sessions name, and `shownCwd` the one that the screen does
 */
export function checkScreen(
  screen: string,
  states: readonly SessionState[],
  cwd: string,
  shownCwd: string,
): string[] {
  const shown = lettersOf(screen.replace(SESSION_NAMES, ""));
  const letters = (text: string) => lettersOf(text.replaceAll(cwd, shownCwd));
  const entries = states.flatMap((state) => [...state.entries]);
  const texts = new Set(entries.map(messageOf).map(letters));
  // A notice may quote what the agent said.
  const all = entries.map((entry) => letters(messageOf(entry) + noticeOf(entry))).join("\n");
  // A prompt may read like the call that it leads to, which is shown when it begins or is asked about.
  const titles = entries.map((entry) => entry.kind === "tool" ? letters(entry.title) : "");
  const miscounted = [...texts].filter((text) => text.length >= SHORTEST).flatMap((text) => {
    const [is, was] = [countOf(shown, text), countOf(all, text)];
    const isRight = titles.some((title) => title.includes(text)) ? is >= was : is === was;
    return isRight ? [] : [`said ${was} times and shown ${is} times: ${text}\n${screen}`];
  });
  if (miscounted.length > 0) return miscounted;
  return states.flatMap(({ entries }) =>
    checkOrder(shown, [...entries].map(messageOf).map(letters))
  )
    .map((fault) => `${fault}\n${screen}`);
}

/** Each text is found behind the one before it. */
function checkOrder(shown: string, texts: readonly string[]): string[] {
  let from = 0;
  for (const text of texts) {
    if (text.length < SHORTEST) continue;
    const at = shown.indexOf(text, from);
    if (at < 0) return [`shown before what was said before it: ${text}`];
    from = at + text.length;
  }
  return [];
}

function noticeOf(entry: Entry): string {
  return entry.kind === "notice" ? `${entry.text}\n${entry.detail ?? ""}` : "";
}

function messageOf(entry: Entry): string {
  if (entry.kind !== "agent" && entry.kind !== "user") return "";
  return entry.parts.map((part) => part.type === "text" ? part.text : "").join("");
}

/** Letters and digits alone; a fence's language is no part of the text. */
function lettersOf(text: string): string {
  return text.replace(/^```\w+$/gm, "").replace(/[^\p{L}\p{N}\p{M}]+/gu, "");
}

function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
}
