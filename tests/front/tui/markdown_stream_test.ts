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

Deno.test("a message without any blank line is given out in bounded pieces", () => {
  const line = "a line of text without a blank line after it\n";
  const lines = render([line.repeat(2_000)]);
  assert.equal(lines.length, 2_000);
  assert.equal(render(["x".repeat(50_000)], 100, 100).join("").length, 50_000);
});
