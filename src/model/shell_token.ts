/**
 * What a shell line is made of.
 *
 * @module
 */

/** A word after the removal of quotes. */
export interface ShellWord {
  readonly type: "word";
  /** The value; expansions stand in it as they were written. */
  readonly text: string;
  /**
   * What the shell puts in place of a part of it: the names of files that match, or whatever else it
   * computes; absent where the word stands for itself.
   */
  readonly expands?: "files" | "anything";
  /** True when what the shell computes outside of quotes may become several words, or none. */
  readonly splits?: true;
  /** True when any of it was quoted: such a word is never a keyword. */
  readonly quoted: boolean;
  /** The command lines of its substitutions. */
  readonly nested: readonly string[];
}

/**
 * A word, or an operator such as `&&`, `|`, `>` (`2>` without its digits), `(` or a newline. A
 * here-document is `<<<` with its text.
 */
export type ShellToken = ShellWord | { readonly type: "operator"; readonly text: string };

/** Thrown inside the reader; never leaves this room. */
export class UnclearShell extends Error {}
