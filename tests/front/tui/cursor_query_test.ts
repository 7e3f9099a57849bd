import assert from "node:assert/strict";
import { CursorQuery } from "../../../src/front/tui/cursor_query.ts";

Deno.test("ask() gives the row of the cursor and the size that the terminal has", async () => {
  const written: string[] = [];
  const query = new CursorQuery((text) => written.push(text));
  const asked = query.ask();
  assert.equal(written.length, 1);
  for (const reply of ["\x1b[?1;2c", "\x1b[24;80R", "\x1b[7;3R"]) query.take(reply);
  assert.deepEqual(await asked, { row: 6, size: { columns: 80, rows: 24 } });
});

Deno.test("a terminal that does not answer is asked again only when it has answered after all", async () => {
  const written: string[] = [];
  const query = new CursorQuery((text) => written.push(text));
  assert.equal(await query.ask(), undefined);
  assert.equal(await query.ask(), undefined);
  assert.equal(written.length, 1);
  query.take("\x1b[24;80R");
  const asked = query.ask();
  assert.equal(written.length, 2);
  query.take("\x1b[24;80R");
  query.take("\x1b[1;1R");
  assert.deepEqual(await asked, { row: 0, size: { columns: 80, rows: 24 } });
});
