import assert from "node:assert/strict";
import { highlightLines, loadHighlighter } from "../../../src/front/tui/highlight.ts";
import { themeNamed } from "../../../src/front/tui/theme.ts";

const dark = themeNamed("dark");
// deno-lint-ignore no-control-regex
const bare = (line: string) => line.replace(/\x1b\[[\d;]*m/g, "");

Deno.test("code is coloured by what it is, a piece that looks the same as one", async () => {
  await loadHighlighter();
  const [comment, statement] = highlightLines('/** a <b> @x */\nreturn "a & b" + 1;', "ts", dark);
  assert.equal(comment, dark.style("comment", "/** a <b> @x */"));
  const [word, text, number] = [
    dark.style("keyword", "return"),
    dark.style("string", '"a & b"'),
    dark.style("number", "1"),
  ];
  assert.equal(statement, `${word} ${text} + ${number};`);
});

Deno.test("what goes over the ends of lines is coloured in each of them", async () => {
  await loadHighlighter();
  const string = (text: string) => dark.style("string", text);
  assert.deepEqual(highlightLines("`a\n\nb`", "js", dark), [string("`a"), "", string("b`")]);
});

Deno.test("a language within another one is coloured, too", async () => {
  await loadHighlighter();
  const [line = ""] = highlightLines("<script>let a = 1;</script>", "html", dark);
  assert.ok(line.includes(dark.style("keyword", "let")), JSON.stringify(line));
  assert.ok(line.includes(dark.style("name", "</script>")), JSON.stringify(line));
});

Deno.test("no character of code is lost, whatever it is and is said to be", async () => {
  await loadHighlighter();
  const code = "a < b && c > 'd'\n\t\"&amp;\" <!-- x --> `${1}` </style>\n@@ -1 +1 @@\n+日本\n\n";
  for (const language of ["ts", "html", "css", "md", "diff", "python", "bash", "", "nosuch"]) {
    assert.equal(highlightLines(code, language, dark).map(bare).join("\n"), code, language);
  }
});
