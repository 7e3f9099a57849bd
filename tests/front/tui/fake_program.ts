/**
 * The terminal front end with a scripted program behind it, to be run in a pseudo-terminal. What it
 * was told is written to the file named by the first argument when it ends.
 *
 * @module
 */

import { restoreTerminal, runTui } from "../../../src/front/tui/mod.ts";
import type { ThemeChoice } from "../../../src/app/options.ts";
import { FakeApp } from "./fake_app.ts";

/** Lines between two pauses. */
const BURST = 60;
/** Words between two pauses. */
const BURST_WORDS = 12;

const DOCUMENT = `# Title

Some **bold** text, a [link](https://example.com/x) and \`code\`.

- first
- second

\`\`\`ts
const answer = 42;
\`\`\`

| a | b |
|---|---|
| 日本語 | x |
`;

const TABLE = `| 言語 | emoji | mark |
|---|---:|---|
| 日本語 | 👩‍💻 | éé |
| 한국어 | 🇪🇺 | ก็ |
| العربية | 🙂 | x |
`;

/** A picture of one pixel. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** What the turns seem to have taken: time passes for the session, not for the test. */
const clock = { offset: 0 };

const app = new FakeApp(async (app, text, signal) => {
  const [command, argument] = text.split(" ");
  const count = Number(argument ?? 1);
  switch (command) {
    case "markdown":
      for (const piece of DOCUMENT.match(/[^]{1,7}/g) ?? []) {
        app.say(piece);
        await pause(1);
      }
      return;
    case "lines":
      for (let i = 1; i <= count && !signal.aborted; i++) {
        app.say(`line ${i} of the answer\n\n`);
        await pause(2);
      }
      return;
    case "bursts":
      for (let i = 1; i <= count && !signal.aborted; i++) {
        app.say(`line ${i} of the answer\n\n`);
        await pause(i % BURST === 0 ? 1_200 : 2);
      }
      return;
    case "code":
      app.say("```text\n");
      for (let i = 1; i <= count; i++) app.say(`code ${i} here\n`);
      app.say("```\n");
      return;
    case "paragraph":
      for (let i = 1; i <= count; i++) {
        app.say(`word${i} `);
        if (i % 20 === 0) await pause(1);
      }
      return;
    case "words":
      for (let i = 1; i <= count && !signal.aborted; i++) {
        app.say(`word${i} `);
        await pause(i % BURST_WORDS === 0 ? 500 : 2);
      }
      return;
    case "tool":
      app.update({
        sessionUpdate: "tool_call",
        toolCallId: "c1",
        title: "Run tests",
        kind: "execute",
      });
      await pause(20);
      app.update({
        sessionUpdate: "tool_call_update",
        toolCallId: "c1",
        status: "completed",
        content: [{
          type: "content",
          content: { type: "text", text: "3 passed\u001b[2J\u001b]0;evil\u0007" },
        }],
      });
      return;
    case "ask":
      return await ask(app);
    case "askedit":
      return await ask(app, [{
        type: "diff",
        path: "/home/user/proj/big.txt",
        oldText: Array.from({ length: count }, (_, i) => `line ${i}`).join("\n"),
        newText: Array.from({ length: count }, (_, i) => i % 2 ? `line ${i}` : `new ${i}`).join(
          "\n",
        ),
      }]);
    case "choose":
      return await choose(app);
    case "askduring": {
      const asked = ask(app);
      for (let i = 1; i <= count && !signal.aborted; i++) {
        app.say(`line ${i} of the answer\n\n`);
        await pause(5);
      }
      return await asked;
    }
    case "say":
      for (const piece of text.slice("say ".length)) app.say(piece);
      return;
    case "table":
      for (const piece of TABLE.match(/[^]{1,3}/g) ?? []) {
        app.say(piece);
        await pause(1);
      }
      return;
    case "picture":
      app.say("before");
      app.update({
        sessionUpdate: "agent_message_chunk",
        content: { type: "image", mimeType: "image/png", data: PIXEL },
      });
      return app.say("after");
    case "title":
      app.update({ sessionUpdate: "session_info_update", title: text.slice("title ".length) });
      return app.say("named");
    case "theme":
      return app.choose(argument as ThemeChoice);
    case "took":
      clock.offset += count;
      return app.say("it took a while");
    case "wait":
      return await new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
  }
  app.say(`you said: ${text.slice(0, 60)}`);
}, { now: () => Date.now() + clock.offset });

async function ask(app: FakeApp, content: readonly unknown[] = []): Promise<void> {
  app.update({
    sessionUpdate: "tool_call",
    toolCallId: "p1",
    title: "rm -rf build",
    kind: "execute",
    rawInput: { command: "rm -rf build" },
    content,
  });
  const options = [
    { optionId: "yes", name: "Allow", kind: "allow_once" },
    { optionId: "no", name: "Reject", kind: "reject_once" },
  ];
  app.store.dispatch({
    type: "permission_asked",
    requestId: "r1",
    toolCall: { toolCallId: "p1" },
    options,
  });
  const answer = await app.ask({
    kind: "permission",
    title: "Let the agent run: rm -rf build",
    body: [],
    options: options.map(({ optionId, name }) => ({ id: optionId, label: name })),
    toolCallId: "p1",
    store: app.store,
  });
  const optionId = answer.type === "option" ? answer.id : "no";
  app.store.dispatch({
    type: "permission_answered",
    requestId: "r1",
    answer: { optionId, by: "user" },
  });
  app.update({ sessionUpdate: "tool_call_update", toolCallId: "p1", status: "completed" });
  app.say(`chosen: ${optionId}`);
}

async function choose(app: FakeApp): Promise<void> {
  const answer = await app.ask({
    kind: "choice",
    title:
      "Here is a file that names some client tools, which are programs. Let the model use them?",
    body: [],
    options: [{ id: "yes", label: "Yes, and remember it" }],
  });
  app.say(`chosen: ${answer.type}`);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

for (const [signal, status] of [["SIGTERM", 143], ["SIGHUP", 129], ["SIGINT", 130]] as const) {
  Deno.addSignalListener(signal, () => {
    restoreTerminal();
    Deno.exit(status);
  });
}
const [log, settings = "{}"] = Deno.args;
const status = await runTui(app, { settings: JSON.parse(settings) });
if (log !== undefined) {
  await Deno.writeTextFile(log, JSON.stringify({ submitted: app.submitted, answers: app.answers }));
}
Deno.exit(status);
