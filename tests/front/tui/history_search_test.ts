import assert from "node:assert/strict";
import { HistorySearch } from "../../../src/front/tui/history_search.ts";
import { openKeymap } from "../../../src/front/tui/keys.ts";
import { themeNamed } from "../../../src/front/tui/theme.ts";

const CTRL_R = "\x12";
const BACKSPACE = "\x7f";
const ENTER = "\r";

function search(entries: readonly string[]) {
  const one = new HistorySearch(entries, openKeymap());
  return {
    type: (text: string) => one.handle({ type: "text", text }),
    key: (data: string) => one.handle({ type: "key", data }),
    lines: () => one.draw(40, themeNamed("plain")).lines,
  };
}

Deno.test("the newest match comes first, and the key goes on to older ones", () => {
  const one = search(["git log", "ls", "git diff", "GIT push", "git diff"]);
  one.type("git");
  assert.deepEqual(one.lines(), ["search: git", "  git diff (1 of 3)"]);
  one.key(CTRL_R);
  assert.match(one.lines()[1] ?? "", /GIT push \(2 of 3\)/);
  one.key(CTRL_R);
  one.key(CTRL_R);
  assert.deepEqual(one.key(ENTER), { type: "ended", text: "git log" });
});

Deno.test("a search that finds nothing says so, and Enter takes nothing", () => {
  const one = search(["ls"]);
  one.type("🙂");
  assert.match(one.lines()[1] ?? "", /nothing found/);
  assert.deepEqual(one.key(ENTER), { type: "ended" });
  one.key(BACKSPACE);
  assert.match(one.lines()[1] ?? "", /ls \(1 of 1\)/);
});

Deno.test("any other key ends the search, and what was entered is shown without its sequences", () => {
  const one = search(["two\n\x1b[2Jlines"]);
  assert.match(one.lines()[1] ?? "", /two⏎lines/);
  assert.deepEqual(one.key("\x1b"), { type: "ended" });
});
