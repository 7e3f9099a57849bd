/**
 * What is known of programs that permission rules meet: which ones run others, and which ones surely
 * do not.
 *
 * Nothing here allows anything. What is not known makes a rule that denies ask where it might apply.
 *
 * @module
 */

/** Shells: they run lines that they are given with `-c`, or else what they read. */
export const SHELLS: ReadonlySet<string> = new Set(
  ["ash", "bash", "csh", "dash", "fish", "ksh", "mksh", "rbash", "sh", "tcsh", "zsh"],
);

/**
 * Programs that run the program named in their arguments: the letters of their options whose value is
 * the next word, and how many words of their own stand before that program.
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

/** Programs that take their arguments for text or for files, and never for something to run. */
const PLAIN: ReadonlySet<string> = new Set(
  `: [ basename cat cd chgrp chmod chown cksum cmp comm cp cut date df diff dirname du echo egrep exit
  false fgrep file find grep head kill ln ls md5sum mkdir mv nl paste pgrep printf pwd readlink realpath
  rev rg rm rmdir seq sha256sum sleep sort stat tac tail tee test touch tr true uname uniq wait wc which
  whoami`.split(/\s+/),
);

/** The same, of programs that do many things: only these of them. */
const PLAIN_PARTS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [
    ["apt", "install remove search show"],
    ["apt-get", "install remove"],
    ["brew", "info install search uninstall"],
    ["cargo", "add build check clippy fmt remove test"],
    ["deno", "add check fmt lint task test"],
    [
      "git",
      "add blame branch checkout commit diff init log ls-files merge mv reset restore rev-parse rm " +
      "show stash status switch tag",
    ],
    ["go", "build get test vet"],
    ["npm", "ci i install run test uninstall"],
    ["pip", "install show uninstall"],
    ["pnpm", "add i install remove run test"],
    ["yarn", "add install remove run test"],
  ].map(([name = "", parts = ""]) => [name, new Set(parts.split(" "))]),
);

/** Options by which otherwise plain programs run others. */
const RUNS =
  /^--?(?:exec|ok|pre|execdir|okdir|hostname-bin|compress-program|ext-diff|upload-pack|open-files-in-pager|config-env|toolexec|config)/;

/** Programs that only read, whatever their arguments say; `find` and `rg` without the above. */
const READERS: ReadonlySet<string> = new Set(
  `: [ basename cat cd cksum cmp comm cut dirname df diff du echo egrep false fgrep find grep head ls
  md5sum nl pgrep pwd readlink realpath rev rg seq sha256sum stat tac tail test tr true uname wc which
  whoami`.split(/\s+/),
);

/** Options of readers that write. */
const WRITES = /^-(?:delete$|fls|fprint|-output)/;

/** Programs whose arguments are never opened as files. */
const FILELESS: ReadonlySet<string> = new Set(
  ": [ basename date dirname echo exit export false kill printf pwd seq set sleep test true".split(
    " ",
  ),
);

/** The name of a program without its directories. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/**
 * Everything that a command surely runs: itself, and what is named behind wrappers and after `-exec`.
 * The last but for those is what it comes down to.
 */
export function programsOf(words: readonly string[]): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  for (let rest = words; rest.length > 0 && found.length < 16; rest = behindWrapper(rest)) {
    found.push(rest);
  }
  const last = found.at(-1) ?? [];
  if (baseName(last[0] ?? "") !== "find") return found;
  const started = last.flatMap((word, index) =>
    /^-(?:exec|ok)(?:dir)?$/.test(word) ? [last.slice(index + 1)] : []
  );
  return [...found, ...started.flatMap(programsOf)];
}

/** True when no argument of a command can be something that is run, as far as is known of it. */
export function isPlain(words: readonly string[]): boolean {
  const [name = "", part = "", ...rest] = innermost(words);
  if ([part, ...rest].some((word) => RUNS.test(word))) return false;
  const program = name.replace(/^\/(?:usr\/(?:local\/)?)?bin\//, "");
  return PLAIN.has(program) || (PLAIN_PARTS.get(program)?.has(part) ?? false);
}

/** True when a command surely does nothing but read, or change to a directory. */
export function onlyReads(words: readonly string[]): boolean {
  const [name = "", ...rest] = words;
  return READERS.has(name) && !rest.some((word) => RUNS.test(word) || WRITES.test(word));
}

/** True when no argument of a command can be a file that it opens. */
export function opensNoFiles(words: readonly string[]): boolean {
  return FILELESS.has(baseName(innermost(words)[0] ?? ""));
}

function innermost(words: readonly string[]): readonly string[] {
  let rest = words;
  for (let depth = 0; depth < 16; depth++) {
    const next = behindWrapper(rest);
    if (next.length === 0) break;
    rest = next;
  }
  return rest;
}

/** What a wrapper runs; empty where there is none, or no program behind it. */
function behindWrapper(words: readonly string[]): readonly string[] {
  const [values, own] = WRAPPERS.get(baseName(words[0] ?? "")) ?? [undefined, 0];
  if (values === undefined) return [];
  let at = 1;
  for (; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--") {
      at++;
      break;
    }
    if (/^-[A-Za-z]+$/.test(word) && values.includes(word.slice(-1))) at++;
    else if (!/^-./.test(word) && !/^[A-Za-z_]\w*=/.test(word)) break;
  }
  return words.slice(at + own);
}
