/**
 * The terminal front end in a real pseudo-terminal, read back through a terminal emulator.
 *
 * @module
 */

import assert from "node:assert/strict";
import { openPty } from "../../support/pty.ts";
import { openScreen } from "../../support/screen.ts";
import {
  assertRestored,
  assertScrollbackUntouched,
  bytes,
  count,
  later,
  PROGRAM,
  QUIET_MS,
  withTui,
} from "./harness.ts";

Deno.test("a prompt is answered with Markdown, rendered, and Ctrl-D leaves", async () => {
  await withTui(async ({ pty, screen, enter, told }) => {
    await enter("markdown");
    await screen.waitFor((s) => s.text().includes("└") && s.text().includes("idle"));
    const text = screen.all();
    assert.match(text, /› markdown/);
    assert.match(text, /^Title$/m);
    assert.match(text, /Some bold text, a link \(https:\/\/example\.com\/x\) and code\./);
    assert.match(text, /│ 日本語 │ x │/);
    assert.equal(count(text, "const answer = 42;"), 1);
    await pty.write("\x04");
    assert.equal(await pty.exited, 0);
    assert.deepEqual((await told()).submitted, ["markdown"]);
    await assertRestored(pty);
    assertScrollbackUntouched(pty);
    assert.doesNotMatch(screen.text(), /idle/, "the status line goes away");
  });
});

Deno.test("a tool call shows its state in words, and escape sequences do not get through", async () => {
  await withTui(async ({ pty, screen, enter }) => {
    await enter("tool");
    await screen.waitFor(/✓ Run tests · done/);
    await screen.waitFor("3 passed");
    assertScrollbackUntouched(pty);
    assert.ok(!bytes(pty).includes("evil"));
  });
});

Deno.test("a long answer is complete in the scrollback, every line once", async () => {
  await withTui(async ({ pty, screen, enter }) => {
    await enter("lines 200");
    await screen.waitFor((s) => s.all().includes("line 200 of") && s.text().includes("idle"));
    const all = screen.all();
    for (let i = 1; i <= 200; i++) assert.equal(count(all, `line ${i} of`), 1, `line ${i}`);
    await enter("code 150");
    await screen.waitFor((s) => s.all().includes("code 150 here") && s.text().includes("idle"));
    for (let i = 1; i <= 150; i++) assert.equal(count(screen.all(), `code ${i} here`), 1);
    assertScrollbackUntouched(pty);
  }, { rows: 12 });
});

Deno.test("a paragraph higher than the screen is complete", async () => {
  await withTui(async ({ pty, screen, enter }) => {
    await enter("paragraph 600");
    await screen.waitFor((s) => s.all().includes("word600") && s.text().includes("idle"));
    const words = screen.all().match(/word\d+/g) ?? [];
    assert.deepEqual(words, Array.from({ length: 600 }, (_, i) => `word${i + 1}`));
    assertScrollbackUntouched(pty);
  }, { columns: 40, rows: 10 });
});

Deno.test("resizing while an answer streams prints nothing twice and loses nothing", async () => {
  await withTui(async ({ pty, screen, enter }) => {
    const resize = async (columns: number, rows: number) => {
      screen.resize(columns, rows);
      await pty.resize(columns, rows);
    };
    await enter("lines 300");
    await screen.waitFor("line 40 of");
    await resize(40, 10);
    await screen.waitFor((s) => s.all().includes("line 120 of"));
    await resize(120, 40);
    await screen.waitFor((s) => s.all().includes("line 200 of"));
    await resize(30, 6);
    await screen.waitFor((s) => s.all().includes("line 300 of") && s.text().includes("idle"));
    const all = screen.unwrapped();
    for (let i = 1; i <= 300; i++) assert.equal(count(all, `line ${i} of`), 1, `line ${i}`);
    assert.equal(count(all, "› lines 300"), 1);
    assert.equal(count(all, "idle"), 1);
    assertScrollbackUntouched(pty);
  }, { columns: 80, rows: 24 });
});

Deno.test("a screen of 10 columns and 3 rows works", async () => {
  await withTui(async ({ pty, screen, enter }) => {
    await enter("lines 3");
    await screen.waitFor((s) => s.unwrapped().includes("answer") && s.text().includes("idle"));
    await enter("ask");
    await screen.waitFor("┃");
    await pty.write("\x03\x03");
    assertScrollbackUntouched(pty);
  }, { columns: 10, rows: 3 });
});

Deno.test("a question is answered by a digit after half a second of quiet", async () => {
  await withTui(async ({ pty, screen, enter, told }) => {
    await enter("ask");
    await screen.waitFor("1) Allow");
    assert.match(screen.text(), /\$ rm -rf build/);
    await later(QUIET_MS);
    await pty.write("1");
    await screen.waitFor("chosen: yes");
    assert.match(screen.text(), /answered “Allow” \(you\)/);
    await pty.write("\x04");
    assert.deepEqual((await told()).answers, [{ type: "option", id: "yes" }]);
  });
});

Deno.test("keys that follow the text, pasted text and Enter do not answer a question", async () => {
  await withTui(async ({ pty, screen, enter, told }) => {
    await enter("ask");
    await screen.waitFor("1) Allow");
    for (const key of ["1", "\r", "2", "\x1b[200~1\r\x1b[201~"]) await pty.write(key);
    await screen.waitFor("› 1");
    await screen.waitFor("Tab: back to the question");
    await pty.write("\t");
    await screen.waitFor("digit, or arrows and Enter");
    await later(QUIET_MS);
    await pty.write("\r");
    await screen.waitFor("nothing is chosen yet");
    assert.match(screen.text(), /1\) Allow/);
    await later(QUIET_MS);
    await pty.write("\x1b");
    await screen.waitFor("chosen: no");
    assert.match(screen.text(), /› 1/, "the draft is still there");
    await pty.write("\x03\x04");
    const { answers, submitted } = await told();
    assert.deepEqual(answers, [{ type: "dismissed" }]);
    assert.deepEqual(submitted, ["ask"]);
  });
});

Deno.test("a digit in a half-written prompt belongs to the prompt, and Enter queues it", async () => {
  await withTui(async ({ pty, screen, enter, told }) => {
    await enter("ask");
    await screen.waitFor("1) Allow");
    await later(QUIET_MS);
    await pty.write("add ");
    await screen.waitFor("Tab: back to the question");
    await later(QUIET_MS);
    await pty.write("1");
    await screen.waitFor("› add 1");
    assert.match(screen.text(), /1\) Allow/);
    await pty.write("\r");
    await screen.waitFor("queued: add 1");
    await pty.write("\t");
    await screen.waitFor("digit, or arrows and Enter");
    await later(QUIET_MS);
    await pty.write("2");
    await screen.waitFor("you said: add 1");
    await pty.write("\x04");
    const { answers, submitted } = await told();
    assert.deepEqual(answers, [{ type: "option", id: "no" }]);
    assert.deepEqual(submitted, ["ask", "add 1"]);
  });
});

Deno.test("what was answered is told whole, however long the question was", async () => {
  await withTui(async ({ pty, screen, enter }) => {
    await enter("choose");
    await screen.waitFor("1) Yes");
    await later(QUIET_MS);
    await pty.write("1");
    await screen.waitFor("chosen: option");
    const told = screen.text().replace(/\n */g, " ");
    assert.match(told, /\? Here is a file .* Let the model use them\? — Yes, and remember it/);
  }, { columns: 60 });
});

Deno.test("Ctrl-C cancels the turn, clears the text, and twice on an empty line leaves", async () => {
  await withTui(async ({ pty, screen, enter, told }) => {
    await enter("wait");
    await screen.waitFor("working");
    await pty.write("draft");
    await screen.waitFor("› draft");
    await pty.write("\x03");
    await screen.waitFor("idle");
    assert.match(screen.text(), /› draft/, "cancelling keeps the text");
    await pty.write("\x03");
    await screen.waitFor((s) => !s.text().includes("draft"));
    await pty.write("\x03");
    await screen.waitFor("again leaves");
    await pty.write("\x03");
    assert.equal(await pty.exited, 130);
    assert.deepEqual((await told()).submitted, ["wait"]);
    await assertRestored(pty);
  });
});

Deno.test("Enter while the agent works queues, and Up takes the last one back", async () => {
  await withTui(async ({ pty, screen, enter }) => {
    await enter("wait");
    await screen.waitFor("working");
    await enter("second");
    await screen.waitFor("queued: second");
    await screen.waitFor("1 queued");
    await pty.write("\x1b[A");
    await screen.waitFor((s) => s.text().includes("› second") && !s.text().includes("queued:"));
  });
});

Deno.test("a paste of several lines is sent by the later Enter only, exactly as it was", async () => {
  await withTui(async ({ pty, screen, told }) => {
    await pty.write("\x1b[200~line1\rline2\r\n\tx\x1b[20");
    await later(20);
    await pty.write("1~");
    await screen.waitFor((s) => s.text().trimEnd().endsWith("› line1\n  line2\n     x"));
    assert.equal(screen.cursor.column, 6);
    await pty.write("\x01\x1b[C!\x05\x7f\r");
    await screen.waitFor("you said: line1");
    await pty.write("\x1b[200~a \x1b[201~ rm -rf x\r\x1b[201~");
    await screen.waitFor("rm -rf x");
    await pty.write("\x03\x04");
    assert.deepEqual((await told()).submitted, ["line1\nline2\n\t!"]);
  });
});

Deno.test("a paste of 2 MB is one mark and is sent whole", async () => {
  const text = Array.from({ length: 50_000 }, (_, i) => `log line number ${i} with some text`)
    .join("\n");
  await withTui(async ({ pty, screen, told }) => {
    await pty.write(`\x1b[200~${text}\x1b[201~`);
    await screen.waitFor("[paste #1 +50000 lines]");
    await pty.write("x\x7f\x1b[D\x1b[C\r");
    await screen.waitFor("you said: log line number 0");
    await pty.write("\x04");
    assert.deepEqual((await told()).submitted, [text]);
  });
});

Deno.test("typing wide, joined and combining characters edits whole ones", async () => {
  await withTui(async ({ pty, screen, told }) => {
    await pty.write("한글あ😀👨‍👩‍👧e\u0301ก็");
    await screen.waitFor("한글あ");
    await pty.write("\x1b[D\x1b[D\x7fx");
    await screen.waitFor("x");
    await pty.write("\r");
    await screen.waitFor("you said");
    await pty.write("\x04");
    assert.deepEqual((await told()).submitted, ["한글あ😀xe\u0301ก็"]);
  }, { columns: 20 });
});

Deno.test("with NO_COLOR no attribute is ever written", async () => {
  await withTui(async ({ pty, screen, enter }) => {
    await enter("markdown");
    await screen.waitFor((s) => s.text().includes("└") && s.text().includes("idle"));
    await pty.write("\x04");
    await pty.exited;
    // deno-lint-ignore no-control-regex
    assert.doesNotMatch(bytes(pty), /\x1b\[[0-9;]*m/);
  }, { env: { NO_COLOR: "1" } });
});

Deno.test("Ctrl-Z gives the terminal back to the shell, and fg takes it again", async () => {
  const pty = await openPty({ command: "bash", args: ["--norc", "-i"] });
  try {
    const screen = openScreen(pty);
    await pty.write(`${Deno.execPath()} run -A --no-check ${PROGRAM}\r`);
    await screen.waitFor("idle");
    await pty.write("abc");
    await screen.waitFor("› abc");
    await pty.write("\x1a");
    await screen.waitFor("Stopped");
    await pty.write("stty -a | grep -o '.icanon'; fg\r");
    await screen.waitFor(" icanon");
    await screen.waitFor("› abc");
    await pty.write("d\r");
    await screen.waitFor("you said: abcd");
    await pty.write("\x04");
    await screen.waitFor(/[#$]\s*$/);
  } finally {
    await pty.kill();
  }
});

Deno.test("Enter takes a proposal, and sends a command that is typed to its end", async () => {
  await withTui(async ({ pty, screen, told }) => {
    await pty.write("/he");
    await screen.waitFor("the /help command");
    await pty.write("\r");
    await screen.waitFor((s) => s.text().includes("› /help") && !s.text().includes("the /help"));
    await pty.write("\r");
    await screen.waitFor("you said: /help");
    await pty.write("/exit");
    await screen.waitFor("the /exit command");
    await pty.write("\r");
    await screen.waitFor("you said: /exit");
    await pty.write("\x04");
    assert.deepEqual((await told()).submitted, ["/help ", "/exit"]);
  });
});

Deno.test("Ctrl-R finds earlier input, and Up goes through it", async () => {
  await withTui(async ({ pty, screen, enter }) => {
    await enter("find me");
    await screen.waitFor("you said: find me");
    await pty.write("\x12me");
    await screen.waitFor("search: me");
    await screen.waitFor("find me (1 of 1)");
    await pty.write("\r");
    await screen.waitFor("› find me\n".trimEnd());
    await pty.write("\x03\x1b[A\x1b[A");
    await screen.waitFor((s) => s.text().trimEnd().endsWith("› newer prompt"));
  });
});

Deno.test("Ctrl-G edits the text in the person's editor, which gets every key", async () => {
  const editor = 'sh -c \'read line; printf "%s from %s" "$line" editor > "$1"\' sh';
  await withTui(async ({ pty, screen, told }) => {
    await pty.write("draft");
    await screen.waitFor("› draft");
    await pty.write("\x07");
    await screen.waitFor((s) => !s.text().includes("idle"));
    await pty.write("typed\n");
    await screen.waitFor("› typed from editor");
    await pty.write("\r");
    await screen.waitFor("you said: typed from editor");
    await pty.write("\x04");
    assert.deepEqual((await told()).submitted, ["typed from editor"]);
  }, { env: { VISUAL: editor } });
});

Deno.test("the list of keys is shown for a question mark on an empty line", async () => {
  await withTui(async ({ pty, screen }) => {
    await pty.write("?");
    await screen.waitFor((s) => s.all().includes("Ctrl-C") && s.text().includes("In a question"));
    await pty.write("a?");
    await screen.waitFor("› a?");
  }, { rows: 60 });
});

Deno.test("output that comes while a text is typed leaves the text and the cursor alone", async () => {
  await withTui(async ({ pty, screen, enter, told }) => {
    await enter("lines 100");
    await screen.waitFor("line 3 of");
    const draft = "a text that is longer than the line and therefore wraps once or twice at least";
    await pty.write(draft);
    await screen.waitFor((s) => s.text().includes("at least"));
    await pty.write("\x01X");
    await screen.waitFor((s) => s.all().includes("line 100 of") && s.text().includes("idle"));
    await screen.waitFor("› Xa text");
    await pty.write("\r");
    await screen.waitFor("you said: Xa text");
    await pty.write("\x04");
    assert.deepEqual((await told()).submitted, ["lines 100", `X${draft}`]);
  }, { columns: 40 });
});

Deno.test("after a stop and a continue from outside the keys work again", async () => {
  const pty = await openPty({ command: "bash", args: ["--norc", "-i"] });
  try {
    const screen = openScreen(pty);
    await pty.write(`${Deno.execPath()} run -A --no-check ${PROGRAM}\r`);
    await screen.waitFor("idle");
    await pty.write("abc");
    await screen.waitFor("› abc");
    const children = await Deno.readTextFile(`/proc/${pty.pid}/task/${pty.pid}/children`);
    const pid = Number(children.split(" ")[0]);
    Deno.kill(pid, "SIGSTOP");
    await screen.waitFor("Stopped");
    await pty.write("stty sane; fg\r");
    await screen.waitFor((s) => s.text().trimEnd().endsWith("› abc"));
    await pty.write("d\r");
    await screen.waitFor("you said: abcd");
    await pty.write("\x04");
    await screen.waitFor(/[#$]\s*$/);
  } finally {
    await pty.kill();
  }
});

Deno.test("a question stays while output comes and the window changes, and is answered then", async () => {
  await withTui(async ({ pty, screen, enter, told }) => {
    await enter("askduring 100");
    await screen.waitFor("1) Allow");
    for (const [columns, rows] of [[50, 16], [90, 30]] as const) {
      screen.resize(columns, rows);
      await pty.resize(columns, rows);
      await screen.waitFor((s) => s.text().includes("1) Allow") && s.text().includes("› "));
    }
    await screen.waitFor((s) => s.all().includes("line 100 of"));
    assert.match(screen.text(), /1\) Allow/);
    assert.equal(count(screen.unwrapped(), "┃ $ rm -rf build"), 1);
    await later(QUIET_MS);
    await pty.write("2");
    await screen.waitFor("chosen: no");
    assert.doesNotMatch(screen.text(), /1\) Allow/);
    await pty.write("\x04");
    assert.deepEqual((await told()).answers, [{ type: "option", id: "no" }]);
    assertScrollbackUntouched(pty);
  });
});
