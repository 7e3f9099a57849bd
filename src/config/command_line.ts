/**
 * Command lines as words, the way a shell splits them, with nothing expanded.
 *
 * @module
 */

import { MmError } from "../base/errors.ts";

/**
 * Splits a command line: blanks part words; `'…'` keeps everything; `"…"` keeps everything but a
 * backslash before `"`, `\`, `$` or `` ` ``; a backslash elsewhere keeps the next character.
 *
 * @throws {MmError} `usage` when a quote is not closed or the line ends in a backslash.
 */
export function splitCommandLine(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let rest = line;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const match = pattern.exec(rest);
    if (match !== null) rest = rest.slice(match[0].length);
    return match;
  };
  while (rest !== "") {
    const blanks = take(/^\s+/);
    const piece = take(/^[^\s'"\\]+/) ?? take(/^'([^']*)'/) ?? take(/^\\([^])/);
    const quoted = piece === null ? take(/^"((?:[^"\\]|\\[^])*)"/) : null;
    if (blanks !== null && word !== undefined) {
      words.push(word);
      word = undefined;
    }
    if (piece !== null) word = (word ?? "") + (piece[1] ?? piece[0]);
    else if (quoted !== null) word = (word ?? "") + unescape(quoted[1] ?? "");
    else if (rest !== "") throw unfinished(line, rest);
  }
  return word === undefined ? words : [...words, word];
}

function unescape(text: string): string {
  return text.replaceAll(/\\(["\\$`])/g, "$1").replaceAll("\\\n", "");
}

function unfinished(line: string, rest: string): MmError {
  const what = rest.startsWith("\\") ? "it ends in a backslash" : `a ${rest[0]} is not closed`;
  return new MmError("usage", `Cannot split the command line ${JSON.stringify(line)}: ${what}`);
}
