/**
 * Commands that are not what they look like, at least to some shells.
 *
 * @module
 */

import { type ShellWord, UnclearShell } from "./shell_token.ts";
import { baseName } from "./shell_wrappers.ts";
import { wordSet } from "./word_set.ts";

/** Commands of the shell that run, in what they take for a name or a number, `$(…)` of quoted text. */
const EVALUATING: ReadonlySet<string> = wordSet(
  `[ declare export getopts let local mapfile printf read readarray readonly test typeset unset
  wait`,
);

/** Throws {@link UnclearShell} for a name that a shell may take for another command. */
export function refuseOddName(name: ShellWord): void {
  refuseComputedName(name);
  if (/\s/.test(name.text)) throw new UnclearShell("the name of a command contains a space");
  if (/^[=^%]/.test(name.text)) throw new UnclearShell("the name of a command is looked up");
}

/** The same for a name that is known only when the line runs. */
export function refuseComputedName(name: ShellWord): void {
  if (name.expands !== undefined) throw new UnclearShell("the name of a command is computed");
}

/** Throws {@link UnclearShell} for commands that may run what their arguments say. */
export function refuseOddWords(words: readonly string[]): void {
  if (words[0] === "[[") refuseOddTest(words);
  if (EVALUATING.has(baseName(words[0] ?? "")) && words.some((word) => /\$\(|`/.test(word))) {
    throw new UnclearShell(`${words[0]} may run what its arguments say`);
  }
}

/** Other tests compute, or split into words in ways of their own. */
function refuseOddTest(words: readonly string[]): void {
  const shape = words.length === 4
    ? /^-[defnrsLwxz]$/.test(words[1] ?? "")
    : words.length === 5 && /^(?:==?|!=)$/.test(words[2] ?? "");
  if (!shape || words.at(-1) !== "]]") throw new UnclearShell("it contains [[");
}
