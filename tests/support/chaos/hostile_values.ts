/**
 * Texts and values that somebody should have checked.
 *
 * @module
 */

import type { Random } from "./random.ts";

/** Stands in everything that must not reach a terminal as a sequence. */
export const MARK = "PWNED";

/** Sequences that a terminal would obey. None of them is one that the program itself writes. */
export const SEQUENCES: readonly string[] = [
  `\x1b]0;${MARK}\x07`,
  `\x1b]2;${MARK}\x1b\\`,
  `\x1b]52;c;UFdORUQ=\x07`,
  `\x1b]8;;https://${MARK}.example/\x1b\\click\x1b]8;;\x1b\\`,
  `\x1b]4;1;rgb:00/00/00\x1b\\`,
  `\x1b]777;notify;${MARK};${MARK}\x07`,
  `\x1bP+q${MARK}\x1b\\`,
  `\x1bP$q"p\x1b\\`,
  `\x1b_${MARK}\x1b\\`,
  `\x1b_Gf=100;${MARK}\x1b\\`,
  `\x1b]1337;File=inline=1:${MARK}\x07`,
  `\x1b^${MARK}\x1b\\`,
  "\x1b[2J",
  "\x1b[3J",
  "\x1b[H",
  "\x1b[5;5H",
  "\x1b[99S",
  "\x1b[5L",
  "\x1b[?1049h",
  "\x1b[?1000h",
  "\x1b[?1003;1006h",
  "\x1b[?7l",
  "\x1b[20h",
  "\x1b[6n",
  "\x1b[c",
  "\x1b[21t",
  "\x1b[5i",
  "\x1b[8m",
  "\x1b[5;7m",
  "\x1b[!p",
  "\x1bc",
  "\x1b#8",
  "\x1b(0",
  "\x1b%G",
  "\x1bM",
  "\x1b7",
  "\x0e",
  "\x08\x08\x08\x08",
  "\x7f",
  "\x00",
  "\x05",
  "\x0b\x0c",
  "\x9b2J",
  `\x9d0;${MARK}\x9c`,
  `\x90${MARK}\x9c`,
  "\x84\x85\x8d",
];

const PLAIN: readonly string[] = [
  "hello",
  "a\r\nb",
  "\r",
  "over\rwritten",
  "\t\t|",
  "日本語のテキスト",
  "👨‍👩‍👧‍👦🏳️‍🌈",
  "é\u0301\u0301\u0301\u0301",
  "ก็ำ",
  "مرحبا gpt-5",
  "\u202egnp.exe\u202c",
  "\u2066\u2067\u2069",
  "\u200b\u200d\ufeff\u00ad",
  "\u{e0041}\u{e0042}",
  "\ud83d",
  "\ude00",
  "\ufffe\uffff",
  "# title\n\n- a\n  - b\n",
  "```ts\nconst x = 1;",
  "```\n````\n~~~\n",
  "| a | b |\n|---|---|\n| 1 |",
  "<script>alert(1)</script> &amp; &#27;[2J",
  "[link](javascript:alert(1)) ![i](file:///etc/passwd) <https://x.example>",
  "https://example.org/?q=\x1b[31m",
  "****__`_*`",
  "> ".repeat(200),
  "x".repeat(300),
  " ".repeat(500),
  "",
  "\n\n\n\n",
];

/** A text of a few pieces, some of them hostile. */
export function hostileText(random: Random): string {
  const pieces = random.list(random.int(1, 6), () => {
    const sequence = random.pick(SEQUENCES);
    switch (random.int(0, 5)) {
      case 0:
        return sequence;
      case 1:
        return sequence.slice(0, random.int(0, sequence.length));
      case 2:
        return sequence.slice(random.int(0, sequence.length));
      default:
        return random.pick(PLAIN);
    }
  });
  return pieces.join(random.pick(["", " ", "\n"]));
}

/** Any value, of any type and some depth. */
export function junk(random: Random, depth = 2): unknown {
  const kinds = depth > 0 ? 13 : 9;
  switch (random.int(0, kinds)) {
    case 0:
      return null;
    case 1:
      return random.chance(0.5);
    case 2:
      return random.pick([0, -1, 1.5, 1e308, -0, 2 ** 53, 4294967296]);
    case 3:
      return "";
    case 4:
    case 5:
      return hostileText(random);
    case 6:
      return [];
    case 7:
      return {};
    case 8:
      return random.pick(["__proto__", "constructor", "toString", "end_turn", "completed", "text"]);
    case 9:
      return nested(random.pick([20, 2_000]));
    case 10:
    case 11:
      return random.list(random.int(1, 4), () => junk(random, depth - 1));
    default:
      return Object.fromEntries(
        random.list(random.int(1, 4), () => [
          random.pick(["type", "text", "content", "id", "__proto__", "\x1b[31m", "name", ""]),
          junk(random, depth - 1),
        ]),
      );
  }
}

function nested(depth: number): unknown {
  let value: unknown = `bottom ${MARK}`;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { value };
  return value;
}

/** A copy of the value with some of its parts replaced, taken away or doubled. */
export function mutated(random: Random, value: unknown, rate = 0.15): unknown {
  if (random.chance(rate)) return junk(random);
  if (Array.isArray(value)) {
    const items = value.map((item) => mutated(random, item, rate));
    return random.chance(rate) ? [...items, ...items] : items;
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).filter(() => !random.chance(rate))
      .map(([key, item]) => [key, mutated(random, item, rate)]),
  );
}
