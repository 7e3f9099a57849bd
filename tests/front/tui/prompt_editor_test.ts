import assert from "node:assert/strict";
import fc from "fast-check";
import { NEVER_PLAIN } from "../../../src/base/invisible.ts";
import { openKeymap } from "../../../src/front/tui/keys.ts";
import { PromptEditor } from "../../../src/front/tui/prompt_editor.ts";
import { widthOf } from "../../../src/front/tui/layout.ts";
import { themeNamed } from "../../../src/front/tui/theme.ts";

const UP = "\x1b[A";
const DOWN = "\x1b[B";

function editor(historySize: number): PromptEditor {
  openKeymap();
  const host = { rows: () => 24, changed: () => {} };
  return new PromptEditor(host, themeNamed("plain"), historySize);
}

function up(editor: PromptEditor, times: number): string {
  editor.draw(80);
  for (let i = 0; i < times; i++) editor.handleInput(UP);
  return editor.getText();
}

Deno.test("the arrow keys reach everything that is kept, and no more", () => {
  const entered = Array.from({ length: 500 }, (_, i) => `entry ${i}`);
  const long = editor(1_000);
  long.addEarlier(entered);
  assert.equal(up(long, 500), "entry 0");
  const short = editor(3);
  short.addEarlier(entered);
  assert.equal(up(short, 10), "entry 497");
  const none = editor(0);
  none.addEarlier(entered);
  none.addToHistory("now");
  assert.equal(up(none, 1), "");
});

Deno.test("what is entered while earlier input is loaded comes after it", () => {
  const one = editor(10);
  one.addToHistory("now");
  one.addEarlier(["first", "second"]);
  one.addToHistory("now");
  one.addToHistory("later");
  assert.deepEqual(one.entered, ["first", "second", "now", "later"]);
  assert.equal(up(one, 3), "second");
});

Deno.test("what is fetched back has the cursor at its end, and the arrow keys go on from there", () => {
  const one = editor(10);
  for (const text of ["oldest", "first\nsecond", "newest"]) one.addToHistory(text);
  assert.equal(up(one, 1), "newest");
  one.handleInput("X");
  assert.equal(one.getText(), "newestX");
  one.handleInput("\x15");
  assert.equal(one.getText(), "");
  assert.equal(up(one, 2), "first\nsecond");
  assert.deepEqual(one.getCursor(), { line: 1, col: 6 });
  assert.equal(up(one, 1), "oldest");
  one.handleInput(DOWN);
  assert.equal(one.getText(), "first\nsecond");
  one.handleInput(DOWN);
  assert.equal(one.getText(), "newest");
  one.handleInput(DOWN);
  assert.equal(one.getText(), "");
});

Deno.test("in an entry that is being looked at, the arrow keys move between its lines", () => {
  const one = editor(10);
  for (const text of ["oldest", "first\nsecond"]) one.addToHistory(text);
  up(one, 1);
  one.handleInput("\x1b[D");
  one.handleInput(UP);
  assert.equal(one.getCursor().line, 0);
  one.handleInput("!");
  assert.equal(one.getText(), "first!\nsecond");
});

Deno.test("a text that is too long to be shown is not fetched back", () => {
  const one = editor(10);
  one.addToHistory("x".repeat(40_000));
  assert.deepEqual(one.entered, []);
});

Deno.test("a short paste is shown with its tabs, a long one as a mark, and both are sent as they are", () => {
  const one = editor(10);
  for (const text of ["\ta\tb", `${"x".repeat(12)}\t\t日本\ty`]) {
    one.setText("");
    one.paste(text);
    const { lines } = one.draw(16);
    assert.ok(lines.every((line) => widthOf(line) <= 16 && !line.includes("\t")), lines.join("|"));
    assert.equal(one.takeText(), text);
  }
  const long = "\tx\n".repeat(11);
  one.paste(long);
  assert.equal(one.getText(), "[paste #1 +12 lines]");
  assert.equal(one.takeText(), long);
});

Deno.test("what is drawn of a text has no controls and fits, and the text is given back as it was", () => {
  const unit = fc.constantFrom(
    ...[
      "a",
      " ",
      "日",
      "\n",
      "\u009b",
      "\u0085",
      "\u202e",
      "\u2028",
      "\u2066",
      "\ufeff",
      "\u{e0001}",
    ],
    ...["\ue400", "\u{10f000}", "👩‍💻", "\ufdd0"],
  );
  const text = fc.array(unit, { maxLength: 60 }).map((units) => units.join(""));
  const way = fc.constantFrom("type", "paste", "set", "earlier");
  fc.assert(fc.property(text, way, fc.integer({ min: 6, max: 40 }), (text, way, width) => {
    const one = editor(100);
    if (way === "type") {
      for (const character of text) one.handleInput(character === "\n" ? "\x1b\r" : character);
    } else if (way === "paste") one.paste(text);
    else if (way === "set") one.setText(text);
    else {
      one.addEarlier([text]);
      assert.deepEqual(one.entered, [text]);
      up(one, 1);
    }
    for (const line of one.draw(width).lines) {
      assert.doesNotMatch(line, new RegExp(NEVER_PLAIN, "u"));
      assert.ok(widthOf(line) <= width, JSON.stringify(line));
    }
    assert.equal(one.takeText(), text);
  }));
});
