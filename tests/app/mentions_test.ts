import assert from "node:assert/strict";
import { parseMentions, withoutMentions, writeMention } from "../../src/app/mentions.ts";

/** The likeliest path of each mention. */
const first = (text: string) => parseMentions(text).mentions.map(({ paths }) => paths[0]);

Deno.test("parseMentions() reads escaped and quoted paths with spaces", () => {
  assert.deepEqual(first('see @my\\ notes.txt, @"my notes.txt" and so on'), [
    "my notes.txt,",
    "my notes.txt",
  ]);
  assert.deepEqual(first("@a\\(b\\).md"), ["a(b).md"]);
  assert.deepEqual(first("@é.txt @src"), ["é.txt", "src"]);
});

Deno.test("parseMentions() offers the path without the punctuation that follows it", () => {
  assert.deepEqual(parseMentions("(@x.ts).").mentions, [{ paths: ["x.ts).", "x.ts)", "x.ts"] }]);
  assert.deepEqual(parseMentions("@what?!").mentions, [{ paths: ["what?!", "what?", "what"] }]);
});

Deno.test("parseMentions() keeps escaped punctuation in the path", () => {
  assert.deepEqual(parseMentions("@a\\).").mentions, [{ paths: ["a).", "a)"] }]);
});

Deno.test("parseMentions() leaves e-mail addresses and escaped at signs alone", () => {
  assert.deepEqual(parseMentions("mail me@host.org"), { text: "mail me@host.org", mentions: [] });
  assert.deepEqual(parseMentions("a \\@x.ts b"), { text: "a @x.ts b", mentions: [] });
  assert.deepEqual(parseMentions("@ alone, @"), { text: "@ alone, @", mentions: [] });
});

Deno.test("parseMentions() keeps the text, unclosed quotes included", () => {
  const text = 'see @"open and @x\n@y @"" end\\';
  assert.equal(parseMentions(text).text, text);
});

Deno.test("writeMention() writes what parseMentions() reads back", () => {
  for (const path of ["x.ts", "my notes.txt", "a(b).md", 'say "hi".md', "back\\slash", "a, b!"]) {
    const [mention] = parseMentions(`see ${writeMention(path)}`).mentions;
    assert.equal(mention?.paths[0], path);
  }
  assert.equal(writeMention("src/a.ts"), "@src/a.ts");
});

Deno.test("withoutMentions() keeps every character and mentions nothing", () => {
  for (const text of ["@@ -1 +1 @@", "@a.ts @b", "\\@x", "a@b", '@"c d"', "@", "no sign"]) {
    assert.deepEqual(parseMentions(withoutMentions(text)), { text, mentions: [] });
  }
});
