import assert from "node:assert/strict";
import fc from "fast-check";
import { MarkdownStream } from "../../../src/front/tui/markdown_stream.ts";
import { themeNamed } from "../../../src/front/tui/theme.ts";

const WIDTH = 50;
const theme = themeNamed("plain");

const DOCUMENT = `# Title
Text right below, with **bold** and a [link](https://example.com/x).
Setext
---

- one
- two
  - nested

  with a paragraph

  \`\`\`sh
  - not an item
  \`\`\`
- three

1. first
2. second

> quoted
> more

| a | b |
|---|---|
| 1 | 2 |
| 日本 | 3 |

\`\`\`ts
const a = 1;

- still code
\`\`\`
Text after the code.

***
The end`;

function render(pieces: readonly string[], rows = 100, width = WIDTH): string[] {
  const stream = new MarkdownStream(theme);
  const lines: string[] = [];
  for (const piece of pieces) {
    stream.push(piece, width);
    lines.push(...stream.take(width, rows));
    stream.live(width);
  }
  stream.end(width);
  return [...lines, ...stream.take(width, rows)];
}

function split(text: string, size: number): string[] {
  return text.match(new RegExp(`[^]{1,${size}}`, "gu")) ?? [];
}

Deno.test("any way of cutting a message into pieces gives the same lines", () => {
  const whole = render([DOCUMENT]);
  fc.assert(fc.property(fc.integer({ min: 1, max: 60 }), (size) => {
    assert.deepEqual(render(split(DOCUMENT, size)), whole);
  }));
});

Deno.test("blocks come out rendered, with one blank line between", () => {
  const text = render([DOCUMENT]).join("\n");
  assert.match(text, /^Title\n\nText right below, with bold and a link/);
  assert.match(text, /link\n?\s?\(https:\/\/example\.com\/x\)/);
  assert.match(text, /- one\n- two\n {4}- nested/);
  assert.match(text, /1\. first\n2\. second\n\n│ quoted\n│ more\n\n┌/);
  assert.match(text, /│ 日本 │ 3 │/);
  assert.match(text, /```ts\n {2}const a = 1;\n\n? {0,2}\n? {2}- still code\n```\n\nText after/);
  assert.doesNotMatch(text, /\n\n\n/);
});

Deno.test("a block is given out as soon as it is whole", () => {
  const stream = new MarkdownStream(theme);
  stream.push("one\n\ntwo", WIDTH);
  assert.deepEqual(stream.take(WIDTH, 100), ["one"]);
  assert.deepEqual(stream.live(WIDTH), ["", "two"]);
});

Deno.test("lines of code are given out one by one", () => {
  const stream = new MarkdownStream(theme);
  stream.push("```\na\nb\nc", WIDTH);
  assert.deepEqual(stream.take(WIDTH, 100), ["```", "  a", "  b"]);
  assert.deepEqual(stream.live(WIDTH), ["  c"]);
});

Deno.test("a block higher than its room loses and repeats nothing", () => {
  const words = Array.from({ length: 400 }, (_, i) => `w${i}`).join(" ");
  const seen = render(split(words, 11), 3).join(" ").split(" ");
  assert.deepEqual(seen, words.split(" "));
});

Deno.test("a change of width in the middle of a high block loses and repeats nothing", () => {
  const words = Array.from({ length: 400 }, (_, i) => `w${i}`);
  const stream = new MarkdownStream(theme);
  const lines: string[] = [];
  for (const [index, word] of words.entries()) {
    const width = 20 + 7 * (Math.floor(index / 60) % 3);
    stream.push(`${word} `, width);
    lines.push(...stream.take(width, 3));
  }
  stream.end(20);
  lines.push(...stream.take(20, 3));
  assert.deepEqual(lines.join(" ").split(" "), words);
});

Deno.test("rows that are in the scrollback already are not given out again", () => {
  const stream = new MarkdownStream(theme);
  stream.push("aaaa bbbb cccc dddd", 5);
  stream.take(5, 10);
  assert.deepEqual(stream.live(5), ["aaaa", "bbbb", "cccc", "dddd"]);
  stream.accept(2);
  stream.push(" eeee", 5);
  stream.end(5);
  assert.deepEqual(stream.take(5, 10), ["cccc", "dddd", "eeee"]);
});

/** A block of so many words; the words are numbered by `next`. */
const BLOCKS: readonly ((next: (count: number) => string, count: number) => string)[] = [
  (next, count) => `${next(count)}\n\n`,
  (next, count) => `${next(2)} **${next(count)}** ${next(3)}\n\n`,
  (next, count) => `${next(2)} _${next(count)}_ and *${next(3)}*\n\n`,
  (next, count) => `\`${next(count)}\` [${next(2)}](http://x.y/${next(1)}) ${next(3)}\n\n`,
  (next, count) => `- ${next(count)}\n- ${next(count)}\n\n`,
  (next, count) => `1. ${next(count)}\n   - ${next(count)}\n2. ${next(count)}\n`,
  (next, count) => `> ${next(count)}\n> ${next(count)}\n\n`,
  (next, count) => `## ${next(1 + count % 5)}\n`,
  (next, count) => `\`\`\`ts\n${next(count)}\n${next(count)}\n\`\`\`\n`,
  (next, count) => `${next(count)}\n${next(count)}\n- ${next(3)}\n`,
  (next) => `| ${next(1)} | ${next(1)} |\n|---|---|\n| ${next(1)} | ${next(1)} |\n\n`,
];

const message = fc.array(
  fc.tuple(fc.constantFrom(...BLOCKS), fc.integer({ min: 1, max: 30 })),
  { minLength: 1, maxLength: 6 },
).map((blocks) => {
  let word = 0;
  const next = (count: number) => Array.from({ length: count }, () => `w${++word}`).join(" ");
  return blocks.map(([block, count]) => block(next, count)).join("");
});

/** Letters and digits, without what lays them out. */
function letters(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "");
}

Deno.test("in any room nothing of a message is lost, and nothing comes twice", () => {
  const room = fc.record({
    rows: fc.integer({ min: 1, max: 6 }),
    width: fc.integer({ min: 20, max: 60 }),
    size: fc.integer({ min: 1, max: 25 }),
  });
  fc.assert(
    fc.property(message, room, (text, { rows, width, size }) => {
      assert.equal(letters(render(split(text, size), rows, width).join("")), letters(text));
    }),
    { numRuns: 400 },
  );
});

Deno.test("rows that the window has moved are given out, and the message goes on behind them", () => {
  const words = Array.from({ length: 120 }, (_, index) => `w${index} `);
  const move = fc.record({
    /** The word after which the window changes. */
    at: fc.nat(words.length),
    width: fc.integer({ min: 10, max: 60 }),
    /** Live rows that still change. */
    open: fc.nat(2),
  });
  fc.assert(fc.property(fc.array(move, { maxLength: 8 }), fc.integer(), (moves, emphasis) => {
    const stream = new MarkdownStream(theme);
    const lines: string[] = [];
    let width = 40;
    for (const [index, word] of words.entries()) {
      const marks = index % 17 === Math.abs(emphasis) % 17 ? "**" : "";
      stream.push(`${marks}${word}`, width);
      lines.push(...stream.take(width, 4));
      const live = stream.live(width);
      const moved = moves.find(({ at }) => at === index);
      if (moved === undefined) continue;
      lines.push(...live.slice(0, stream.accept(live.length - moved.open)));
      width = moved.width;
    }
    stream.end(width);
    lines.push(...stream.take(width, 4));
    assert.equal(letters(lines.join("")), letters(words.join("")));
  }));
});

Deno.test("a message without any blank line is given out in bounded pieces", () => {
  const line = "a line of text without a blank line after it\n";
  const lines = render([line.repeat(2_000)]);
  assert.equal(lines.length, 2_000);
  assert.equal(render(["x".repeat(50_000)], 100, 100).join("").length, 50_000);
});
