/**
 * The lines that a command has a shell run.
 *
 * @module
 */

import { type ShellWord, UnclearShell } from "./shell_token.ts";
import { baseName, SHELLS } from "./shell_wrappers.ts";

/**
 * Finds the lines of `sh -c LINE`, `eval WORDS`, `trap LINE SIGNAL` and of what a shell reads. Throws
 * {@link UnclearShell} where they are not known.
 */
export function givenLines(
  words: readonly ShellWord[],
  input: readonly ShellWord[],
): readonly string[] {
  const program = baseName(words[0]?.text ?? "");
  const rest = words.slice(words[1]?.text === "--" ? 2 : 1);
  if (program === "eval") return [rest.map(staticText).join(" ")];
  if (program === "trap") return rest.slice(0, 1).map(staticText).filter((line) => line !== "-");
  if (program === "alias") {
    return rest.map(staticText).map((text) => text.slice(text.indexOf("=") + 1));
  }
  if (program === "source" || program === ".") return input.map(staticText);
  if (!SHELLS.has(program)) return [];
  const flag = rest.findIndex((word) => /^-\w*c\w*$/.test(word.text));
  if (flag >= 0) {
    const line = rest.slice(flag + 1).find((word) => !/^[-+]/.test(word.text));
    if (line !== undefined) return [staticText(line)];
  } else if (isQuestion(rest)) return [];
  // The file that it runs may be the one that it reads.
  if (input.length > 0) return input.map(staticText);
  if (flag < 0 && rest.some((word) => !/^[-+]/.test(word.text))) return [];
  throw new UnclearShell("a shell is told elsewhere what to run");
}

/** `bash --version` runs nothing. */
function isQuestion(words: readonly ShellWord[]): boolean {
  return words.some(({ text }) => text === "--version" || text === "--help");
}

function staticText(word: ShellWord): string {
  if (word.expands !== undefined) throw new UnclearShell("a line for another program is computed");
  return word.text;
}
