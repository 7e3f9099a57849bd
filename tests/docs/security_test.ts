/**
 * Every claim about security names a test, and the test is there.
 *
 * @module
 */

import assert from "node:assert/strict";
import { ROOT } from "../support/project.ts";
import { loadDocument } from "./documents.ts";

/** A test as it is cited: `_name_ (`file`)`. */
const CITED = /_([^_]+)_\s+\(`(tests\/[^`]+)`\)/g;

const markdown = await loadDocument("docs/security.md");

Deno.test("every test that the notes on security cite is there, by this name", async () => {
  const missing: string[] = [];
  let count = 0;
  for (const [, name = "", file = ""] of markdown.matchAll(CITED)) {
    count++;
    const plain = name.replace(/\s+/g, " ");
    const source = await Deno.readTextFile(`${ROOT}/${file}`).catch(() => "");
    if (!source.includes(plain)) missing.push(`${file}: ${plain}`);
  }
  assert.ok(count > 30, `${count} tests are cited`);
  assert.deepEqual(missing, []);
});

Deno.test("what somebody cannot do is claimed with a test, each time", () => {
  const claims = markdown.split(/^#+ /m).flatMap((part) => {
    const cannot = part.split(/^(?:It|They) can$/m)[0] ?? "";
    if (!/cannot$/m.test(cannot)) return [];
    return cannot.slice(cannot.search(/cannot$/m)).split(/^- /m).slice(1);
  });
  assert.ok(claims.length > 20, `${claims.length} claims`);
  assert.deepEqual(claims.filter((claim) => claim.match(CITED) === null), []);
});
