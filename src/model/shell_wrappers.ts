/**
 * Programs that run other programs which are named in their arguments.
 *
 * @module
 */

/** Shells: they run lines that they are given with `-c`, or else what they read. */
export const SHELLS: ReadonlySet<string> = new Set(
  ["ash", "bash", "csh", "dash", "fish", "ksh", "mksh", "rbash", "sh", "tcsh", "zsh"],
);

/** More programs in one command are not looked for. */
export const MOST_PROGRAMS = 64;

/**
 * The letters of their options whose value is the next word, and how many words of their own stand
 * before the program that they run.
 */
const WRAPPERS: ReadonlyMap<string, readonly [values: string, own: number]> = new Map([
  ["builtin", ["", 0]],
  ["busybox", ["", 0]],
  ["chroot", ["", 1]],
  ["command", ["", 0]],
  ["doas", ["aCu", 0]],
  ["env", ["CPu", 0]],
  ["exec", ["a", 0]],
  ["ionice", ["cn", 0]],
  ["nice", ["n", 0]],
  ["nocorrect", ["", 0]],
  ["noglob", ["", 0]],
  ["nohup", ["", 0]],
  ["not", ["", 0]],
  ["and", ["", 0]],
  ["or", ["", 0]],
  ["begin", ["", 0]],
  ["-", ["", 0]],
  ["repeat", ["", 1]],
  ["setsid", ["", 0]],
  ["stdbuf", ["eio", 0]],
  ["sudo", ["CDRTUghprtu", 0]],
  ["time", ["fo", 0]],
  ["timeout", ["ks", 1]],
  ["watch", ["nq", 0]],
  ["xargs", ["EILPRadns", 0]],
]);

/** The name of a program without its directories. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/**
 * Everything that a command surely runs: itself, what is named behind wrappers, and behind `-exec`.
 * When these are more than {@link MOST_PROGRAMS}, there may be others.
 */
export function programsOf(words: readonly string[]): readonly (readonly string[])[] {
  const starts = new Set(words.length === 0 ? [] : [0]);
  for (const start of starts) {
    if (starts.size > MOST_PROGRAMS) break;
    const next = behindWrapper(words, start);
    if (next < words.length) starts.add(next);
    if (baseName(words[start] ?? "") !== "find") continue;
    for (let at = start; at < words.length - 1 && starts.size <= MOST_PROGRAMS; at++) {
      if (/^-(?:exec|ok)(?:dir)?$/.test(words[at] ?? "")) starts.add(at + 1);
    }
  }
  return [...starts].map((start) => words.slice(start));
}

/** What a command comes down to: the program behind all wrappers. */
export function innermost(words: readonly string[]): readonly string[] {
  let start = 0;
  for (let depth = 0; depth < MOST_PROGRAMS; depth++) {
    const next = behindWrapper(words, start);
    if (next >= words.length) break;
    start = next;
  }
  return words.slice(start);
}

/** Where the program begins that a wrapper runs; the end where there is none. */
function behindWrapper(words: readonly string[], start: number): number {
  const [values, own] = WRAPPERS.get(baseName(words[start] ?? "")) ?? [undefined, 0];
  if (values === undefined) return words.length;
  let at = start + 1;
  for (; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--") {
      at++;
      break;
    }
    if (/^-[A-Za-z]+$/.test(word) && values.includes(word.slice(-1))) at++;
    else if (!/^-./.test(word) && !/^[A-Za-z_]\w*=/.test(word)) break;
  }
  return at + own;
}
