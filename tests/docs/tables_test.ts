/**
 * The documents say what the tables of the code say.
 *
 * @module
 */

import assert from "node:assert/strict";
import { assertSays, DOCUMENTS, loadDocument, partNames, partOf } from "./documents.ts";
import { TABLES } from "./tables.ts";

for (const name of DOCUMENTS) {
  Deno.test(`the tables of ${name} have the rows of the code`, async () => {
    const markdown = await loadDocument(name);
    const parts = partNames(markdown).filter((part) => part in TABLES);
    const expected = parts.map(async (part) => ({
      place: partOf(markdown, part),
      text: `\n${await TABLES[part]?.()}\n\n`,
    }));
    await assertSays(name, await Promise.all(expected));
  });
}

Deno.test("every table of the code is in a document", async () => {
  const markdown = await Promise.all(DOCUMENTS.map(loadDocument));
  const parts = markdown.flatMap(partNames);
  assert.deepEqual(Object.keys(TABLES).filter((name) => !parts.includes(name)), []);
});
