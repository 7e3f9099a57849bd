import assert from "node:assert/strict";
import { renderMarkdown } from "../../../src/front/tui/markdown.ts";
import { MarkdownStream } from "../../../src/front/tui/markdown_stream.ts";
import { themeNamed } from "../../../src/front/tui/theme.ts";

const plain = themeNamed("plain");
const dark = themeNamed("dark");

function stream(source: string): string[] {
  const lines: string[] = [];
  const markdown = new MarkdownStream(plain);
  for (const piece of source.match(/[^]{1,5}/g) ?? []) {
    markdown.push(piece, 70);
    lines.push(...markdown.take(70, 100));
  }
  markdown.end(70);
  return [...lines, ...markdown.take(70, 100)];
}

Deno.test("columns of a table are aligned as the Markdown wants it", () => {
  const table = "| name | size | where |\n|:--|--:|:-:|\n| a | 1 | x |\n| 日本 | 1000 | `left` |\n";
  assert.deepEqual(renderMarkdown(table, 60, plain), [
    "┌──────┬──────┬────────┐",
    "│ name │ size │ where  │",
    "├──────┼──────┼────────┤",
    "│ a    │    1 │   x    │",
    "│ 日本 │ 1000 │ `left` │",
    "└──────┴──────┴────────┘",
  ]);
});

for (const [where, before, shown] of [["a list", "  ", "  "], ["a quotation", "> > ", "│ │ "]]) {
  Deno.test(`columns of a table in ${where} are aligned, too`, () => {
    const table = "| name | size |\n|--|--:|\n| a | 1 |\n| b | 1000 |\n";
    const first = where === "a list" ? "- item\n\n" : "> > text\n> >\n";
    const source = first + table.replace(/^(?=.)/gm, before ?? "");
    const lines = renderMarkdown(source, 60, plain);
    const rows = ["│ a    │    1 │", "│ b    │ 1000 │", "└──────┴──────┘"];
    assert.deepEqual(lines.slice(-3), rows.map((row) => `${shown}${row}`));
    // deno-lint-ignore no-control-regex
    const bare = (line: string) => line.replace(/\x1b\[[0-9;]*m/g, "").trimEnd();
    assert.deepEqual(renderMarkdown(source, 60, dark).map(bare), lines);
  });
}

Deno.test("a table without sides stays as it is, whatever stands in its cells", () => {
  const lines = renderMarkdown("| a | b |\n|---|---|\n| x │ y | 1 |\n", 60, plain);
  assert.ok(lines.includes("│ x │ y │ 1 │"));
});

Deno.test("a table in code is no table", () => {
  const source = "```\n| a |\n|--:|\n```\n\n| long name | b |\n|---|--:|\n| x | 1 |\n| y | 22 |\n";
  const text = renderMarkdown(source, 60, plain).join("\n");
  assert.match(text, /│ x {9}│ {2}1 │\n│ y {9}│ 22 │/);
});

Deno.test("an address is a hyperlink to itself, over the ends of lines as well", () => {
  const address = "https://example.com/a/path/that/is/longer/than/the/line";
  const lines = renderMarkdown(`- see ${address}, please`, 30, dark);
  const parts = lines.flatMap((line) => // deno-lint-ignore no-control-regex
  [...line.matchAll(/\x1b\]8;;([^\x1b]+)\x1b\\([^\x1b]*)\x1b\]8;;\x1b\\/g)]);
  assert.ok(parts.length >= 2);
  assert.ok(parts.every(([, target]) => target === address));
  assert.equal(parts.map(([, , text]) => text).join(""), address);
});

Deno.test("a link shows where it leads, and is no link elsewhere", () => {
  const [line = ""] = renderMarkdown("[bank](https://evil.example/bank.com) now", 70, dark);
  assert.match(line, /bank/);
  assert.ok(
    line.includes("\x1b]8;;https://evil.example/bank.com\x1b\\https://evil.example/bank.com"),
  );
  assert.equal(line.split("\x1b]8;;").length, 3);
});

Deno.test("links by name lead where the message has said before", () => {
  const lines = stream("[docs]: https://example.com/docs\n\nRead [the page][docs] or [docs].\n");
  assert.equal(
    lines.join("\n"),
    "Read the page (https://example.com/docs) or docs\n(https://example.com/docs).",
  );
});

Deno.test("a definition that comes after its link is shown, another one is not", () => {
  const lines = stream(
    "Read [the page][1] and [2].\n\n- an item\n\n[1]: https://example.com/1\n[2]: <https://e.org> 'T'\n[3]: https://unused.example\n\nEnd.",
  );
  assert.equal(
    lines.join("\n"),
    "Read [the page][1] and [2].\n\n- an item\n\n[1]: https://example.com/1\n[2]: https://e.org 'T'\n\nEnd.",
  );
});

Deno.test("definitions within code are code", () => {
  const lines = stream("```\n[1]: https://example.com\n```\n");
  assert.ok(lines.includes("  [1]: https://example.com"));
});

Deno.test("a picture by its address is a link to it", () => {
  assert.deepEqual(renderMarkdown('![a cat](https://e.org/cat.png "T") here', 70, plain), [
    "image: a cat (https://e.org/cat.png) here",
  ]);
  assert.deepEqual(renderMarkdown("write `![](x)` so", 70, plain), ["write `![](x)` so"]);
});

Deno.test("a footnote or a remark that looks like a definition is shown where it stands", () => {
  assert.deepEqual(stream("[note]: done\n\n[WARN]: deprecated.\n"), [
    "[note]: done",
    "",
    "[WARN]: deprecated.",
  ]);
  const lines = stream("It is so[^1] and so[^2].\n\n[^1]: Indeed\n[^2]: As was said before\n");
  assert.match(lines.join("\n"), /\[\^1\]: Indeed[^]*\[\^2\]: As was said before/);
});

Deno.test("no word of a message is left out, whatever Markdown and HTML make of it", () => {
  const sources = [
    ...["<!-- one two -->", "<details><summary>one</summary>\n\ntwo\n\n</details>", "<one>"],
    ...["one <span>two</span>", "$one$ \\(two\\)", "[one][two]", "[one](two)", "[](one)"],
    ...["<one@two.org>", "one\n===\ntwo\n---\n", "1. one\n   two\n2. three", "> one\ntwo"],
    ...["- one\n\n      two\n", "**one *two* three**", "one\\\ntwo", "one<br>two", "[x]: one"],
    ...["| one | two |\n|---|---|\n| three |\n", "| a |\n|---|\n\none", "<script>one</script>"],
    ...["Vec<one> and Map<two, three>", "```\none", "    one\n\n    two", "- [ ] one\n- [X] two"],
  ];
  for (const source of sources) {
    const text = stream(`${source}\n`).join("\n");
    for (const [word] of source.matchAll(/\b(?:one|two|three)\b/g)) {
      assert.ok(text.includes(word), `${word} of ${source}: ${text}`);
    }
  }
});
