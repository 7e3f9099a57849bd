import assert from "node:assert/strict";
import { codeSpan, fence, link, quote } from "../../src/model/markdown.ts";
import { rawOutputText } from "../../src/model/raw_output.ts";
import { diffText } from "../../src/model/tool_output.ts";

Deno.test("fence() takes more marks than its text has", () => {
  assert.equal(fence("a\n```\nb\n", "diff"), "````diff\na\n```\nb\n````");
});

Deno.test("fence() leaves the middle of long text out and counts it", () => {
  const lines = fence(Array.from({ length: 1000 }, (_, index) => `${index}`).join("\n")).split(
    "\n",
  );
  assert.equal(lines.length, 203);
  assert.equal(lines[100], "99");
  assert.equal(lines[101], "… 800 lines left out …");
  assert.equal(lines[102], "900");
  assert.ok(fence("x".repeat(10_000)).length < 2100);
});

Deno.test("codeSpan() keeps any text inside", () => {
  assert.equal(codeSpan("a"), "`a`");
  assert.equal(codeSpan("`a``"), "``` `a`` ```");
  assert.equal(codeSpan("a\nb"), "`a⏎b`");
  assert.equal(codeSpan(""), "` `");
});

Deno.test("link() cannot be left by name or target", () => {
  assert.equal(link("a](b)", "x> (c\nd"), "[a\\](b)](<x%3E%20(c⏎d>)");
});

Deno.test("quote() marks every line", () => {
  assert.equal(quote("a\n\nb"), "> a\n>\n> b");
});

Deno.test("diffText() counts lines and shows hunks", () => {
  assert.deepEqual(diffText("a\nb\n", "a\nc\n"), {
    change: "edit",
    added: 1,
    removed: 1,
    hunks: "@@ -1,2 +1,2 @@\n a\n-b\n+c",
  });
  assert.deepEqual(diffText(undefined, "a\nb"), {
    change: "new",
    added: 2,
    removed: 0,
    hunks: "@@ -0,0 +1,2 @@\n+a\n+b",
  });
  assert.equal(diffText("", "a").change, "edit");
  assert.equal(diffText("a", "").change, "emptied");
  assert.deepEqual(diffText("a", "a"), { change: "edit", added: 0, removed: 0, hunks: "" });
});

Deno.test("diffText() gives up on what would take too long", () => {
  const text = (word: string) => Array.from({ length: 5000 }, (_, i) => `${word} ${i}`).join("\n");
  assert.deepEqual(diffText(text("a"), text("b")), { change: "edit", added: 5000, removed: 5000 });
});

Deno.test("rawOutputText() finds the text that a person wants", () => {
  assert.equal(rawOutputText("a"), "a");
  assert.equal(rawOutputText({ stdout: "a\n", stderr: "b", exitCode: 0 }), "a\n\nb");
  assert.equal(rawOutputText([1]), "[\n  1\n]");
  assert.equal(rawOutputText(1n), "(cannot be shown)");
});
