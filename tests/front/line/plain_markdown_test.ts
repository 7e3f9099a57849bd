import assert from "node:assert/strict";
import { plainMarkdown } from "../../../src/front/line/plain_markdown.ts";

Deno.test("plainMarkdown() writes a table of two columns as names with their values", () => {
  assert.deepEqual(plainMarkdown("| agent | demo |\n| --- | --- |\n| mode | `a\\|b` |\n"), [
    "agent: demo",
    "mode: a|b",
  ]);
});

Deno.test("plainMarkdown() writes wider rows as sentences with the names of their columns", () => {
  const table = "| open | title | new |\n| --- | --- | --- |\n| s1 | One |  |\n| s2 |  | 3 |";
  assert.deepEqual(plainMarkdown(`Sessions:\n\n${table}\n`), [
    "Sessions:",
    "",
    "s1; title: One",
    "s2; new: 3",
  ]);
});

Deno.test("plainMarkdown() leaves other lines alone, without control characters", () => {
  assert.deepEqual(plainMarkdown("- a \u001b[2Jb | c\n"), ["- a b | c"]);
});

Deno.test("plainMarkdown() says in a word which row is in force", () => {
  const table = "|  | mode | name |\n| --- | --- | --- |\n| ● | `a` | Alpha |\n|  | `b` | Beta |";
  assert.deepEqual(plainMarkdown(table), ["now; mode: a; name: Alpha", "mode: b; name: Beta"]);
});
