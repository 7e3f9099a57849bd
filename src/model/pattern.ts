/**
 * Regular expressions that somebody else has written, tested in bounded time.
 *
 * A backtracking engine may take for ever. So the pattern is made into steps that are followed all at
 * once, one character after the other: the time grows with the text times the pattern.
 *
 * @module
 */

/** Most steps that a pattern may be made into: `{1000}` counts a thousandfold. */
const MAX_STEPS = 20_000;

/** Most pieces that are read to make them, repeated ones again and again. */
const MAX_READ = 200_000;

/** Most groups within each other: each is read by a call of its own. */
const MAX_DEPTH = 500;

/** Most work for one text, in steps. */
const MAX_WORK = 10_000_000;

type Place = "start" | "end" | "boundary" | "no boundary";

type Step =
  | { readonly type: "character"; readonly fits: (character: string) => boolean }
  | { readonly type: "place"; readonly place: Place }
  /** Goes on at each of these steps. */
  | { readonly type: "fork"; to: readonly number[] }
  | { readonly type: "match" };

/** Thrown for what cannot be made into steps: lookaround, back references, and what is too long. */
class NotLinear extends Error {}

/**
 * Whether a text matches a pattern somewhere, as `RegExp.test` has it; `undefined` where that cannot
 * be told: the pattern is broken, or may take very long. Patterns that are none with the flag `u` are
 * read without it.
 */
export function testPattern(pattern: string, text: string): boolean | undefined {
  const flags = ["u", ""].find((flags) => isValid(pattern, flags));
  if (flags === undefined) return undefined;
  try {
    const steps = new Compiler(pattern, flags).compile();
    const characters = flags === "u" ? [...text] : text.split("");
    if (steps.length * (characters.length + 1) <= MAX_WORK) return run(steps, characters);
  } catch (error) {
    if (!(error instanceof NotLinear)) throw error;
  }
  return isCheap(pattern, text) ? testByEngine(new RegExp(pattern, flags), text) : undefined;
}

/** The engine compiles with the first test, and only then says what nests too deep for it. */
function testByEngine(expression: RegExp, text: string): boolean | undefined {
  try {
    return expression.test(text);
  } catch {
    return undefined;
  }
}

function isValid(pattern: string, flags: string): boolean {
  try {
    new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}

/** Without repeated groups the time grows with the length to the power of the repetitions. */
function isCheap(pattern: string, text: string): boolean {
  if (/\)[*+{?]/u.test(pattern)) return false;
  const repetitions = pattern.match(/[*+]|(?<!\()\?|\{\d+,?\d*\}/gu)?.length ?? 0;
  return Math.max(2, text.length) ** (repetitions + 1) <= MAX_WORK;
}

/** Makes steps of a pattern that is known to be valid. */
class Compiler {
  readonly #pattern: string;
  readonly #flags: string;
  readonly #steps: Step[] = [];
  #at = 0;
  #read = 0;
  #depth = 0;

  constructor(pattern: string, flags: string) {
    this.#pattern = pattern;
    this.#flags = flags;
  }

  compile(): readonly Step[] {
    this.#alternatives();
    this.#add({ type: "match" });
    return this.#steps;
  }

  /** What is between two ends of alternatives, up to a closing bracket or the end. */
  #alternatives(): void {
    if (++this.#depth > MAX_DEPTH) throw new NotLinear();
    const leaves: number[] = [];
    for (let begin = this.#steps.length;; begin = this.#steps.length) {
      this.#sequence();
      if (!this.#take("|")) break;
      this.#insertFork(begin);
      leaves.push(this.#add({ type: "fork", to: [] }));
      this.#aim(begin, [begin + 1, this.#steps.length]);
    }
    for (const leave of leaves) this.#aim(leave, [this.#steps.length]);
    this.#depth--;
  }

  #sequence(): void {
    while (this.#at < this.#pattern.length && !/[|)]/.test(this.#next())) {
      const begin = this.#steps.length;
      const from = this.#at;
      this.#atom();
      const to = this.#at;
      this.#repeat(begin, from, to);
    }
  }

  #atom(): void {
    if (++this.#read > MAX_READ) throw new NotLinear();
    const rest = this.#pattern.slice(this.#at);
    if (this.#take("^")) return void this.#add({ type: "place", place: "start" });
    if (this.#take("$")) return void this.#add({ type: "place", place: "end" });
    if (this.#take("\\b")) return void this.#add({ type: "place", place: "boundary" });
    if (this.#take("\\B")) return void this.#add({ type: "place", place: "no boundary" });
    if (rest.startsWith("(")) return this.#group(rest);
    if (/^\\(?:[1-9]|k<)/.test(rest)) throw new NotLinear();
    const [source] = CHARACTER.exec(rest) ?? [];
    if (source === undefined) throw new NotLinear();
    this.#at += source.length;
    const expression = new RegExp(`^(?:${source})$`, this.#flags);
    this.#add({ type: "character", fits: (character) => expression.test(character) });
  }

  #group(rest: string): void {
    const [head] = /^\((?:\?:|\?<[^=!][^>]*>|(?!\?))/u.exec(rest) ?? [];
    if (head === undefined) throw new NotLinear();
    this.#at += head.length;
    this.#alternatives();
    this.#take(")");
  }

  /** A repetition of what stands from `from` to `to`, whose steps begin at `begin`. */
  #repeat(begin: number, from: number, to: number): void {
    const [whole, sign, least, more, most] = REPETITION.exec(this.#pattern.slice(to)) ?? [];
    if (whole === undefined) return;
    const end = to + whole.length;
    const min = sign === "+" ? 1 : Number(least ?? 0);
    const exact = least !== undefined && more === undefined;
    const max = sign === "?" ? 1 : exact ? min : most ? Number(most) : Infinity;
    this.#steps.length = begin;
    for (let i = 0; i < min; i++) this.#again(from);
    if (max === Infinity) this.#loop(from);
    else {
      const forks: number[] = [];
      for (let i = min; i < max; i++) {
        forks.push(this.#add({ type: "fork", to: [] }));
        this.#again(from);
      }
      for (const fork of forks) this.#aim(fork, [fork + 1, this.#steps.length]);
    }
    this.#at = end;
  }

  #loop(from: number): void {
    const begin = this.#add({ type: "fork", to: [] });
    this.#again(from);
    this.#add({ type: "fork", to: [begin] });
    this.#aim(begin, [begin + 1, this.#steps.length]);
  }

  #again(from: number): void {
    this.#at = from;
    this.#atom();
  }

  #add(step: Step): number {
    if (this.#steps.length >= MAX_STEPS) throw new NotLinear();
    return this.#steps.push(step) - 1;
  }

  #aim(index: number, to: readonly number[]): void {
    const step = this.#steps[index];
    if (step?.type === "fork") step.to = to;
  }

  /** Puts a fork before the steps from `begin` on. */
  #insertFork(begin: number): void {
    for (const step of this.#steps.slice(begin)) {
      if (step.type === "fork") step.to = step.to.map((index) => index + 1);
    }
    this.#steps.splice(begin, 0, { type: "fork", to: [] });
  }

  #next(): string {
    return this.#pattern.charAt(this.#at);
  }

  #take(text: string): boolean {
    const found = this.#pattern.startsWith(text, this.#at);
    if (found) this.#at += text.length;
    return found;
  }
}

/** What stands for one character: a class, an escape, or itself. */
const CHARACTER =
  /^(?:\[(?:\\.|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[dD][89abAB]..\\u[dD][c-fC-F]..|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|.)|.)/su;

const REPETITION = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/u;

/** Follows the steps through a text. */
function run(steps: readonly Step[], characters: readonly string[]): boolean {
  let current: number[] = [];
  for (let at = 0; at <= characters.length; at++) {
    const seen = new Set<number>();
    const reached: number[] = [];
    // A match may begin anywhere.
    for (const start of [...current, 0]) {
      if (reach(steps, start, seen, reached, characters, at)) return true;
    }
    const character = characters[at];
    if (character === undefined) return false;
    current = reached.flatMap((index) => {
      const step = steps[index];
      return step?.type === "character" && step.fits(character) ? index + 1 : [];
    });
  }
  return false;
}

/** Adds the steps that wait for a character and are reached without one; true at the match. */
function reach(
  steps: readonly Step[],
  start: number,
  seen: Set<number>,
  reached: number[],
  characters: readonly string[],
  at: number,
): boolean {
  const queue = [start];
  for (let index = queue.pop(); index !== undefined; index = queue.pop()) {
    if (seen.has(index)) continue;
    seen.add(index);
    const step = steps[index];
    switch (step?.type) {
      case "match":
        return true;
      case "fork":
        queue.push(...step.to);
        break;
      case "place":
        if (isAt(step.place, characters, at)) queue.push(index + 1);
        break;
      case "character":
        reached.push(index);
    }
  }
  return false;
}

function isAt(place: Place, characters: readonly string[], at: number): boolean {
  if (place === "start") return at === 0;
  if (place === "end") return at === characters.length;
  const [before, after] = [at - 1, at].map((index) => /^\w$/.test(characters[index] ?? ""));
  return (before !== after) === (place === "boundary");
}
