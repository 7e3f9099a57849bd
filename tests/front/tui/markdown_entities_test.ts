import assert from "node:assert/strict";
import { decodeEntities } from "../../../src/front/tui/markdown_entities.ts";
import { renderMarkdown } from "../../../src/front/tui/markdown.ts";
import { themeNamed } from "../../../src/front/tui/theme.ts";

function rendered(source: string): string {
  return renderMarkdown(source, 60, themeNamed("plain")).join("\n");
}

Deno.test("characters that are written by their names are shown as they are meant", () => {
  assert.equal(rendered("x &lt; y &amp; z&nbsp;&mdash; &#169; &#x20AC;"), "x < y & z\xa0— © €");
  assert.equal(rendered("# Q&amp;A\n"), "Q&A");
  assert.equal(rendered("> a &gt; b"), "│ a > b");
});

Deno.test("what is no name of a character stays as it is written", () => {
  const text = "R&D, a & b, &nothing; &lt without its end, &#x110000000;";
  assert.equal(rendered(text), text);
});

Deno.test("a character that is written by its name is never a mark of Markdown", () => {
  assert.equal(
    rendered("&#42;no emphasis&#42; &lt;b&gt; &lt;!-- a --&gt;"),
    "*no emphasis* <b> <!-- a -->",
  );
  assert.equal(rendered("&#35; no heading"), "# no heading");
  assert.equal(rendered("&amp;lt; is how &lt; is written"), "&lt; is how < is written");
  assert.match(rendered("| a &#124; b | c |\n|--|--|\n| d | e |"), /│ a \| b │ c │/);
});

Deno.test("in code such names are what they look like", () => {
  assert.equal(
    rendered("`&lt;` is ``&lt; ` &amp;`` in HTML &gt;"),
    "`&lt;` is `&lt; ` &amp;` in HTML >",
  );
  for (const fence of ["```", "~~~"]) {
    const code = `- item\n  ${fence}html\n  &lt;\n`;
    assert.match(rendered(`${code}  ${fence}\n\n  &gt;`), /&lt;[^]*\n {2}>$/);
    assert.match(rendered(code), /&lt;/, "a block that is still open");
  }
  assert.match(rendered("    &lt;"), /&lt;/);
});

Deno.test("a comment and a picture beside code are shown as well", () => {
  assert.equal(rendered("<!-- why --> see `code`"), "<!-- why --> see `code`");
  assert.equal(rendered("`a` ![b](https://c.example)"), "`a` image: b (https://c.example)");
  assert.equal(rendered("`<!-- a -->`"), "`<!-- a -->`");
});

Deno.test("a backslash takes a name its meaning, and two do not", () => {
  assert.equal(rendered("\\&lt; and \\\\&lt;"), "&lt; and \\<");
});

Deno.test("an address that is written with names leads where it is meant to", () => {
  const [line = ""] = renderMarkdown("see https://a.example/?x=1&amp;y=2", 60, themeNamed("dark"));
  assert.ok(line.includes("\x1b]8;;https://a.example/?x=1&y=2\x1b\\"), JSON.stringify(line));
});

Deno.test("a character that no terminal may get is shown by what it is", () => {
  assert.equal(rendered("a&#27;[31mb &#x202e;c &#155;d"), "a␛[31mb <U+202E>c ›d");
  assert.equal(rendered("| a&#10;b |\n|--|\n| c&NewLine;d |").split("\n").length, 5);
});

Deno.test("names of characters in a long text take no time", () => {
  const began = performance.now();
  decodeEntities(`${"\\".repeat(100_000)}&lt;`);
  decodeEntities("&lt;".repeat(25_000));
  decodeEntities(`${"`` ` ".repeat(20_000)}&`);
  assert.ok(performance.now() - began < 5_000);
});
