import fc from "fast-check";
import assert from "node:assert/strict";
import { openKeymap } from "../../../src/front/tui/keys.ts";
import { widthOf } from "../../../src/front/tui/layout.ts";
import { PromptEditor } from "../../../src/front/tui/prompt_editor.ts";
import { themeNamed } from "../../../src/front/tui/theme.ts";

/** A text and a place in it, counted in graphemes: what an editor comes to. */
class Model {
  text: string[] = [];
  at = 0;

  insert(text: string): void {
    const parts = graphemes(text);
    this.text.splice(this.at, 0, ...parts);
    this.at += parts.length;
  }

  apply(key: keyof typeof KEYS): void {
    const start = this.text.lastIndexOf("\n", this.at - 1) + 1;
    const next = this.text.indexOf("\n", this.at);
    const end = next < 0 ? this.text.length : next;
    if (key === "backspace" && this.at > 0) this.text.splice(--this.at, 1);
    if (key === "delete" && this.at < this.text.length) this.text.splice(this.at, 1);
    if (key === "left" && this.at > 0) this.at--;
    if (key === "right" && this.at < this.text.length) this.at++;
    if (key === "home") this.at = this.at === 0 ? 0 : start;
    if (key === "end") this.at = end;
  }
}

const KEYS = {
  backspace: "\x7f",
  delete: "\x1b[3~",
  left: "\x1b[D",
  right: "\x1b[C",
  home: "\x01",
  end: "\x05",
} as const;

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

function graphemes(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Pieces that stay what they are beside each other. */
const typed = fc.constantFrom("a", "Z", " ", "日", "é", "👩‍👩‍👧", "!", "ab");
const pasted = fc.array(fc.constantFrom("x", "한", "\n", "\r\n", " "), { maxLength: 6 })
  .map((parts) => parts.join(""));
const action = fc.oneof(
  fc.record({ kind: fc.constant("type" as const), text: typed }),
  fc.record({ kind: fc.constant("paste" as const), text: pasted }),
  fc.record({
    kind: fc.constant("key" as const),
    key: fc.constantFrom(...Object.keys(KEYS) as (keyof typeof KEYS)[]),
  }),
);

Deno.test("the editor holds what a plain model of it holds, whatever is typed and pasted", () => {
  openKeymap();
  fc.assert(
    fc.property(
      fc.array(action, { maxLength: 40 }),
      fc.integer({ min: 1, max: 40 }),
      (all, width) => {
        const host = { rows: () => 24, changed: () => {} };
        const editor = new PromptEditor(host, themeNamed("plain"), 10);
        const model = new Model();
        for (const one of all) {
          if (one.kind === "key") {
            editor.handleInput(KEYS[one.key]);
            model.apply(one.key);
          } else if (one.kind === "type") {
            for (const part of one.text === "ab" ? "ab" : [one.text]) editor.handleInput(part);
            model.insert(one.text);
          } else {
            editor.paste(one.text);
            model.insert(one.text.replaceAll("\r\n", "\n"));
          }
          const { lines } = editor.draw(width);
          assert.ok(lines.every((line) => widthOf(line) <= width), JSON.stringify(lines));
          assert.equal(editor.getText(), model.text.join(""));
        }
        assert.equal(editor.takeText(), model.text.join(""));
        assert.ok(editor.empty);
      },
    ),
    { numRuns: 300 },
  );
});
