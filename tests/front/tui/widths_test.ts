/**
 * Wide, joined and combining characters, text from right to left, and screens of every width.
 *
 * @module
 */

import assert from "node:assert/strict";
import { assertScrollbackUntouched, bytes, count, withTui } from "./harness.ts";

/** What takes two cells. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]|\p{RGI_Emoji}/v;

for (const columns of [20, 21, 22]) {
  Deno.test(`wide characters up to the last of ${columns} columns wrap and are sent as typed`, async () => {
    const text = `${"日本語".repeat(6)}한글x`;
    await withTui(async ({ pty, screen, told }) => {
      await pty.write(text);
      await screen.waitFor((s) => s.text().replace(/[›\s]/g, "").endsWith(text));
      const { column, row } = screen.cursor;
      await pty.write("\x1b[D\x1b[D\x1b[C");
      await screen.waitFor((s) => s.cursor.column !== column || s.cursor.row !== row);
      await pty.write("\x7f\x05\r");
      await screen.waitFor(/you said/);
      await pty.write("\x04");
      assert.deepEqual((await told()).submitted, [`${"日本語".repeat(6)}한x`]);
    }, { columns });
  });
}

Deno.test("text from right to left is written in its order, unstyled within", async () => {
  await withTui(async ({ pty, screen, enter }) => {
    await enter("say مرحبا gpt-5 שלום");
    await screen.waitFor((s) => s.text().includes("idle") && count(s.text(), "gpt-5") === 2);
    await pty.write("\x04");
    await pty.exited;
    assert.ok(bytes(pty).includes("مرحبا gpt-5 שלום"));
  });
});

Deno.test("a table of wide and combining characters has straight borders", async () => {
  await withTui(async ({ screen, enter }) => {
    await enter("table");
    await screen.waitFor((s) => s.text().includes("└") && s.text().includes("idle"));
    const rows = screen.text().split("\n").filter((row) => /^[┌│├└]/.test(row));
    assert.equal(rows.length, 7);
    // A wide character takes two cells and is one character of the row's text.
    const cells = (row: string) =>
      [...new Intl.Segmenter().segment(row)].reduce(
        (sum, { segment }) => sum + (WIDE.test(segment) ? 2 : 1),
        0,
      );
    assert.deepEqual([...new Set(rows.map(cells))].length, 1, rows.join("\n"));
  });
});

Deno.test("on 300 columns lines are as wide as the screen, and nothing is lost", async () => {
  await withTui(async ({ pty, screen, enter }) => {
    await enter("paragraph 200");
    await screen.waitFor((s) => s.text().includes("word200") && s.text().includes("idle"));
    const lines = screen.text().split("\n").filter((line) => line.startsWith("word"));
    assert.ok(lines.length <= 6, `${lines.length} lines`);
    assert.deepEqual(
      screen.all().match(/word\d+/g),
      Array.from({ length: 200 }, (_, i) => `word${i + 1}`),
    );
    await enter("markdown");
    await screen.waitFor((s) => s.text().includes("└") && s.text().includes("idle"));
    assertScrollbackUntouched(pty);
  }, { columns: 300 });
});

Deno.test("on 10 columns and 3 rows everything is reached, and nothing is lost", async () => {
  await withTui(async ({ pty, screen, enter, told }) => {
    await enter("paragraph 30");
    await screen.waitFor((s) => s.all().includes("word30") && s.text().includes("idle"));
    assert.deepEqual(
      screen.all().match(/word\d+/g),
      Array.from({ length: 30 }, (_, i) => `word${i + 1}`),
    );
    for (const command of ["tool", "markdown", "table", "code 5"]) await enter(command);
    await screen.waitFor((s) => s.all().includes("code 5") && s.text().includes("idle"));
    await pty.write("?");
    await screen.waitFor((s) => s.all().includes("Ctrl-C"));
    await pty.write("a long text that wraps\x03");
    await enter("ask");
    await screen.waitFor("┃");
    await new Promise((resolve) => setTimeout(resolve, 600));
    await pty.write("1");
    await screen.waitFor((s) => s.unwrapped().includes("chosen:"));
    await pty.write("\x04");
    assert.equal(await pty.exited, 0);
    assert.deepEqual((await told()).answers, [{ type: "option", id: "yes" }]);
    assertScrollbackUntouched(pty);
  }, { columns: 10, rows: 3 });
});
