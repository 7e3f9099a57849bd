import assert from "node:assert/strict";
import type { Question } from "../../../src/app/view.ts";
import { openKeymap } from "../../../src/front/tui/keys.ts";
import { QuestionPanel, QUIET_MS } from "../../../src/front/tui/question_panel.ts";
import type { PanelResult } from "../../../src/front/tui/question_result.ts";
import { themeNamed } from "../../../src/front/tui/theme.ts";
import { SessionStore } from "../../../src/model/session_store.ts";

const VIEW = {
  theme: themeNamed("plain"),
  width: 60,
  now: 0,
  thoughts: "folded" as const,
  expandKey: "Ctrl-O",
  dropKey: "Alt-V",
};
const ESC = "\x1b";

class Asked {
  time = 0;
  readonly panel: QuestionPanel;

  constructor(question: Partial<Question> = {}) {
    const options = ["Always", "This session", "Ask me later", "No"].map((label, index) => ({
      id: `o${index + 1}`,
      label,
    }));
    this.panel = new QuestionPanel(
      { id: "q", kind: "choice", title: "Which?", body: ["all of it"], options, ...question },
      openKeymap(),
      () => this.time,
    );
  }

  text(rows = 20): string {
    return this.panel.draw(VIEW, rows).lines.join("\n");
  }

  type(text: string, begun = false): PanelResult {
    return this.panel.handle({ type: "text", text }, { begun, completing: false });
  }

  key(data: string, begun = false, completing = false): PanelResult {
    return this.panel.handle({ type: "key", data }, { begun, completing });
  }

  paste(text: string): PanelResult {
    return this.panel.handle({ type: "paste", text }, { begun: false, completing: false });
  }

  quiet(): this {
    this.text();
    this.time += QUIET_MS;
    return this;
  }
}

Deno.test("every option is shown in order, and its digit answers with its id", () => {
  const asked = new Asked();
  assert.match(asked.text(), /1\) Always\n.*2\) This session\n.*3\) Ask me later\n.*4\) No/);
  assert.deepEqual(asked.quiet().type("3"), {
    type: "answered",
    answer: { type: "option", id: "o3" },
  });
});

Deno.test("no key counts before half a second of quiet after the painting", () => {
  const asked = new Asked();
  assert.equal(asked.type("1").type, "taken");
  asked.text();
  asked.time += QUIET_MS - 1;
  assert.equal(asked.type("1").type, "taken");
  asked.time += QUIET_MS - 1;
  assert.equal(asked.key("\r").type, "taken");
  assert.equal(asked.key(ESC).type, "taken");
  asked.time += QUIET_MS;
  assert.equal(asked.type("1").type, "answered");
});

Deno.test("text that is being written goes on to the editor", () => {
  const asked = new Asked();
  asked.text();
  assert.equal(asked.type("1", true).type, "passed");
  asked.quiet();
  assert.equal(asked.type("hello", true).type, "passed");
  assert.equal(asked.type("1", true).type, "passed");
});

Deno.test("what goes to the text takes the focus there, however long the person pauses", () => {
  for (
    const write of [
      (asked: Asked) => asked.type("add "),
      (asked: Asked) => asked.quiet().type("add "),
      (asked: Asked) => asked.quiet().paste("1\r"),
      (asked: Asked) => asked.quiet().key("\x7f", true),
    ]
  ) {
    const asked = new Asked();
    asked.text();
    assert.equal(write(asked).type, "passed");
    asked.quiet();
    for (const text of ["1", "v"]) assert.equal(asked.type(text, true).type, "passed");
    for (const data of ["\x1b[B", "\r"]) assert.equal(asked.key(data, true).type, "passed");
    assert.match(asked.text(), /Tab: back to the question · you are typing a prompt$/);
  }
});

Deno.test("text that stood there when the question came leaves the focus with the question", () => {
  assert.equal(new Asked().quiet().type("1", true).type, "answered");
});

Deno.test("Tab or Esc gives the focus back; the next key needs the quiet again", () => {
  for (const back of ["\t", ESC]) {
    const asked = new Asked().quiet();
    asked.type("add ");
    assert.equal(asked.quiet().key(back, true, true).type, "passed", "a list is open");
    assert.equal(asked.key(back, true).type, "taken");
    assert.doesNotMatch(asked.text(), /back to the question/);
    assert.equal(asked.type("1", true).type, "taken");
    assert.equal(asked.key("\x1b[B", true).type, "taken");
    assert.equal(asked.key(ESC, true).type, "taken");
    assert.equal(asked.quiet().type("1", true).type, "answered");
  }
});

Deno.test("the list of keys is no text", () => {
  const asked = new Asked().quiet();
  assert.equal(asked.type("?").type, "passed");
  assert.doesNotMatch(asked.text(), /back to the question/);
});

Deno.test("a line of text is asked for without the cursor while another text is written", () => {
  const asked = new Asked({ kind: "text", options: [] });
  assert.ok(asked.panel.draw(VIEW, 9).cursor);
  asked.type("draft");
  assert.equal(asked.panel.draw(VIEW, 9).cursor, undefined);
  assert.match(asked.text(), /Tab: back to the question · you are typing a prompt$/);
  asked.key("\t", true);
  assert.equal(asked.quiet().type("typed", true).type, "taken");
  assert.deepEqual(asked.key("\r", true), {
    type: "answered",
    answer: { type: "text", text: "typed" },
  });
});

Deno.test("nothing is chosen beforehand: Enter needs an arrow key first", () => {
  const asked = new Asked().quiet();
  assert.equal(asked.key("\r").type, "taken");
  assert.match(asked.text(), /nothing is chosen yet/);
  asked.time += QUIET_MS;
  asked.key("\x1b[B");
  asked.key("\x1b[B");
  assert.match(asked.text(), /▸ 2\) This session/);
  assert.deepEqual(asked.key("\r"), { type: "answered", answer: { type: "option", id: "o2" } });
});

Deno.test("Enter alone takes what is preset, and says so; arrow keys choose something else", () => {
  const asked = new Asked({ preset: "o3" }).quiet();
  assert.match(asked.text(), /digit, or arrows; Enter takes 3 ·/);
  assert.deepEqual(asked.key("\r"), { type: "answered", answer: { type: "option", id: "o3" } });
  const other = new Asked({ preset: "o3" }).quiet();
  other.key("\x1b[B");
  assert.match(other.text(), /Enter takes 1 ·/);
  assert.deepEqual(other.key("\r"), { type: "answered", answer: { type: "option", id: "o1" } });
});

Deno.test("Esc dismisses", () => {
  assert.deepEqual(new Asked().quiet().key(ESC), {
    type: "answered",
    answer: { type: "dismissed" },
  });
});

Deno.test("with more than nine options the first of two digits waits for the second", () => {
  const options = Array.from({ length: 15 }, (_, i) => ({ id: `o${i + 1}`, label: "same name" }));
  const two = new Asked({ options }).quiet();
  assert.equal(two.type("1").type, "taken");
  assert.deepEqual(two.type("2"), { type: "answered", answer: { type: "option", id: "o12" } });
  const one = new Asked({ options }).quiet();
  one.type("1");
  assert.deepEqual(one.panel.takeDigits(), {
    type: "answered",
    answer: { type: "option", id: "o1" },
  });
});

Deno.test("what does not fit is counted, and v asks for all of it", () => {
  const body = Array.from({ length: 50 }, (_, i) => `line ${i}`);
  const asked = new Asked({ body }).quiet();
  assert.match(asked.text(12), /… 45 more lines: v prints all/);
  assert.equal(asked.panel.draw(VIEW, 12).lines.length, 12);
  assert.equal(asked.type("v").type, "view");
});

Deno.test("remarks stand above what is asked", () => {
  const { lines } = new Asked().panel.draw(VIEW, 20, ["question 1 of 3"]);
  assert.match(lines.join("\n"), /^┃ question 1 of 3\n┃ Which\?/);
});

Deno.test("invisible characters and sequences in what is asked are shown as what they are", () => {
  const asked = new Asked({ title: "run\u202e this", body: ["rm\x1b[8m -rf /"] });
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(asked.text(), /[\x1b\u202e]/);
  assert.match(asked.text(), /\[8m -rf \//);
});

Deno.test("a line of text is answered with Enter; a secret is not shown", () => {
  const asked = new Asked({ kind: "secret", options: [] }).quiet();
  for (const key of "key") asked.type(key);
  assert.match(asked.text(), /> •••/);
  assert.deepEqual(asked.key("\r"), { type: "answered", answer: { type: "text", text: "key" } });
  assert.equal(asked.panel.describe({ type: "text", text: "key" }), "answered");
});

Deno.test("a question that nobody could read to its end says how much of it is missing", () => {
  const endless = "🙂".repeat(500_000);
  const asked = new Asked({
    title: endless,
    body: ["short", endless],
    options: [{ id: "yes", label: endless, hint: endless }],
  });
  // 800,000 UTF-16 units of the body are too many, and so are those of the title.
  assert.match(asked.text(1_000_000), /800000 MORE CHARACTERS, NOT SHOWN[^]*800000 MORE/);
  assert.match(asked.text(1_000_000), /1\) 🙂/);
});

Deno.test("a line of text is shown without its control characters, and answered with them", () => {
  const asked = new Asked({ kind: "text", options: [] }).quiet();
  asked.type("a\u202eb");
  asked.paste("c\u009b2J\x1b[2Jd\n");
  assert.match(asked.text(), /^┃ > a\ufffdbc\ufffd2J\[2Jd$/m);
  assert.deepEqual(asked.key("\r"), {
    type: "answered",
    answer: { type: "text", text: "a\u202ebc\u009b2J[2Jd" },
  });
});

Deno.test("the keys that a question names are the ones that are in force", () => {
  const keys = openKeymap({ close: "f2", viewAll: "w", choose: "f3" });
  const question = { id: "q", kind: "permission", title: "t", body: [], options: [] } as const;
  let time = 0;
  const panel = new QuestionPanel(
    { ...question, options: [{ id: "a", label: "A" }] },
    keys,
    () => time,
  );
  const text = () => panel.draw(VIEW, 20).lines.join("\n");
  assert.match(text(), /arrows and F3 · w prints all · F2 refuses/);
  const draft = { begun: false, completing: false };
  assert.equal(panel.handle({ type: "text", text: "w" }, draft).type, "taken");
  time += QUIET_MS;
  assert.equal(panel.handle({ type: "text", text: "w" }, draft).type, "view");
  const other = new QuestionPanel(question, openKeymap({ viewAll: "f4" }), () => time);
  other.draw(VIEW, 20);
  time += QUIET_MS;
  assert.equal(other.handle({ type: "key", data: "\x1bOS" }, draft).type, "view");
  openKeymap();
});

Deno.test("a question about a call says that it comes from another machine", () => {
  const store = new SessionStore("/p");
  store.dispatch({
    type: "update_received",
    update: {
      sessionUpdate: "tool_call",
      toolCallId: "c",
      title: "ls",
      rawInput: { command: "ls" },
    },
  });
  const origin = "The request comes from the remote host h.example";
  const asked = new Asked({ kind: "permission", toolCallId: "c", store, origin });
  assert.match(
    asked.text(),
    /Which\?\n┃ The request comes from the remote host h\.example\n┃ \$ ls/,
  );
});
