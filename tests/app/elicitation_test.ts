import assert from "node:assert/strict";
import { Elicitations } from "../../src/app/elicitation.ts";
import { QuestionQueue } from "../../src/app/questions.ts";
import { MethodRouter } from "../../src/client/router.ts";
import {
  ask,
  END_TURN,
  eventually,
  HANDSHAKE,
  PROMPT,
  type Step,
} from "../support/scripted_agent.ts";
import { openProgram, type TestProgram } from "./program_support.ts";

const form = (id: unknown): Step =>
  ask(id, "elicitation/create", {
    mode: "form",
    message: "How shall it be painted?",
    requestedSchema: {
      type: "object",
      properties: {
        colour: { type: "string", title: "Colour", enum: ["blue", "red"] },
        coats: { type: "integer", title: "Coats", minimum: 1 },
      },
      required: ["colour", "coats"],
    },
  });

const page = (id: unknown, url: string): Step =>
  ask(id, "elicitation/create", { mode: "url", message: "Sign here", url, elicitationId: "e1" });

/** Waits for a question and gives the answer: an option's label, text after `=`, `null` for Esc. */
async function answer(program: TestProgram, label: string | null, before?: string) {
  const { app } = program;
  await eventually(
    `a question for ${label}`,
    () => app.state.questions[0] !== undefined && app.state.questions[0].id !== before,
  );
  const [question] = app.state.questions;
  assert.ok(question);
  if (label === null) app.answer(question.id, { type: "dismissed" });
  else if (label.startsWith("=")) app.answer(question.id, { type: "text", text: label.slice(1) });
  else {
    const option = question.options.find((one) => one.label === label);
    assert.ok(option, `${label} is none of ${JSON.stringify(question)}`);
    app.answer(question.id, { type: "option", id: option.id });
  }
  return question;
}

async function results(program: TestProgram, id: unknown) {
  return (await program.agent.answersTo(id)).map(({ result, error }) => result ?? error);
}

Deno.test("an agent's form is asked, checked and sent; forms and pages are offered to it", async () => {
  await using program = await openProgram([
    ...HANDSHAKE,
    PROMPT,
    form("f"),
    { expectAnswer: "f" },
    END_TURN,
  ]);
  const sent = program.app.submit("go");
  const { body, store } = await answer(program, "Fill it in");
  assert.equal(body[0], "How shall it be painted?");
  assert.equal(store, program.app.state.active);
  await answer(program, "red");
  await answer(program, "=none");
  await answer(program, "=2");
  await answer(program, "Send them");
  await sent;
  assert.deepEqual(await results(program, "f"), [
    { action: "accept", content: { colour: "red", coats: 2 } },
  ]);
  assert.deepEqual(program.notices(), [
    "The agent asked: How shall it be painted? — answered | Colour: red\nCoats: 2",
  ]);
  const [initialize] = await program.agent.received();
  assert.deepEqual(
    (initialize?.params as { clientCapabilities: { elicitation: unknown } }).clientCapabilities
      .elicitation,
    { form: {}, url: {} },
  );
});

Deno.test("two forms are asked one after the other, and declined and cancelled apart", async () => {
  await using program = await openProgram([
    ...HANDSHAKE,
    PROMPT,
    form(1),
    form(2),
    { expectAnswer: 1 },
    { expectAnswer: 2 },
    END_TURN,
  ]);
  const sent = program.app.submit("go");
  await answer(program, "Decline");
  assert.equal(program.app.state.questions.length <= 1, true);
  await answer(program, null);
  await sent;
  assert.deepEqual(await results(program, 1), [{ action: "decline" }]);
  assert.deepEqual(await results(program, 2), [{ action: "cancel" }]);
  assert.deepEqual(program.notices(), [
    "The agent asked: How shall it be painted? — declined",
    "The agent asked: How shall it be painted? — left unanswered",
  ]);
});

Deno.test("a cancelled turn takes its form with it", async () => {
  await using program = await openProgram([
    ...HANDSHAKE,
    PROMPT,
    form(1),
    { expectAnswer: 1 },
    { respond: { stopReason: "cancelled" }, to: "session/prompt" },
  ]);
  const { app } = program;
  const sent = app.submit("go");
  await eventually("the form is asked", () => app.state.questions.length === 1);
  app.cancelTurn();
  await sent;
  assert.deepEqual(app.state.questions, []);
  assert.deepEqual(await results(program, 1), [{ action: "cancel" }]);
});

Deno.test("a form that the agent takes back disappears", async () => {
  await using program = await openProgram([
    ...HANDSHAKE,
    PROMPT,
    form(1),
    { untilFile: ".asked" },
    { send: { method: "$/cancel_request", params: { requestId: 1 } } },
    { expectAnswer: 1 },
    END_TURN,
  ]);
  const { app, agent } = program;
  const sent = app.submit("go");
  await eventually("the form is asked", () => app.state.questions.length === 1);
  await Deno.writeTextFile(`${agent.directory}/.asked`, "");
  await sent;
  assert.deepEqual(app.state.questions, []);
  const [error] = await results(program, 1);
  assert.equal((error as { code: number }).code, -32800);
});

Deno.test("a page is shown with its host and opened only when the person says so", async () => {
  const tricky = "https://bank.example@evil.example/a?b=c";
  await using program = await openProgram([
    ...HANDSHAKE,
    PROMPT,
    page(1, tricky),
    { expectAnswer: 1 },
    { send: { method: "elicitation/complete", params: { elicitationId: "e1" } } },
    page(2, "file:///etc/passwd"),
    { expectAnswer: 2 },
    page(3, "https://good.example/"),
    { expectAnswer: 3 },
    END_TURN,
  ]);
  await using browser = await fakeBrowser(0);
  const sent = program.app.submit("go");
  const asked = await answer(program, "Open it in the browser");
  assert.equal(asked.title, "The agent asks you to visit evil.example");
  assert.ok(asked.body.includes(`page: ${tricky}`));
  assert.ok(asked.body.includes("host: evil.example"));
  assert.ok(asked.body.some((line) => /before the @/.test(line)));
  const next = await answer(program, "I open it myself", asked.id);
  assert.match(next.title, /good\.example/);
  await sent;
  assert.deepEqual(await results(program, 1), [{ action: "accept" }]);
  assert.deepEqual(await results(program, 2), [{ action: "decline" }]);
  assert.deepEqual(await results(program, 3), [{ action: "accept" }]);
  assert.deepEqual(await browser.opened(), [tricky]);
  assert.match(program.notices().join("\n"), /has what it needed from evil\.example/);
  assert.match(program.notices().join("\n"), /no web page: declined/);
});

Deno.test("a page that has done its work before the browser has taken it is told once it is agreed", async () => {
  const notices: string[] = [];
  const questions = new QuestionQueue(() => {});
  const router = new MethodRouter();
  const opened = Promise.withResolvers<string | undefined>();
  const elicitations = new Elicitations({
    questions,
    store: () => undefined,
    notice: (_severity, text) => notices.push(text),
    openUrl: () => opened.promise,
  });
  elicitations.register(router, true);
  const complete = () => router.notification("elicitation/complete")?.({ elicitationId: "e1" });
  const params = { mode: "url", message: "", url: "https://good.example/", elicitationId: "e1" };
  const context = { requestId: 1, signal: new AbortController().signal };
  const result = elicitations.handle(params, context);
  await eventually("it is asked", () => questions.questions.length === 1);
  questions.answer("q1", { type: "option", id: "open" });
  complete();
  assert.deepEqual(notices, []);
  opened.resolve(undefined);
  assert.deepEqual(await result, { action: "accept" });
  assert.match(notices.join("\n"), /agreed\n.*has what it needed from good\.example$/);
  complete();
  assert.equal(notices.length, 2);
});

Deno.test("a page that cannot be opened is left to the person", async () => {
  await using program = await openProgram([
    ...HANDSHAKE,
    PROMPT,
    page(1, "https://good.example/"),
    { expectAnswer: 1 },
    END_TURN,
  ]);
  await using _browser = await fakeBrowser(3);
  const sent = program.app.submit("go");
  const { id } = await answer(program, "Open it in the browser");
  const again = await answer(program, "Decline", id);
  assert.ok(again.body.some((line) => /status 3/.test(line)));
  await sent;
  assert.deepEqual(await results(program, 1), [{ action: "decline" }]);
});

Deno.test("forms are declined, and not offered, where nobody can be asked", async () => {
  await using program = await openProgram([
    ...HANDSHAKE,
    PROMPT,
    form(1),
    { expectAnswer: 1 },
    END_TURN,
  ], { interactive: false });
  await program.app.prompt("go");
  assert.deepEqual(await results(program, 1), [{ action: "decline" }]);
  const [initialize] = await program.agent.received();
  assert.equal(JSON.stringify(initialize).includes("elicitation"), false);
});

/** An opener of pages that writes down what it opens and ends with this status. */
async function fakeBrowser(status: number) {
  const directory = await Deno.makeTempDir({ prefix: "mm-browser-" });
  const log = `${directory}/opened`;
  const name = Deno.build.os === "darwin" ? "open" : "xdg-open";
  const script = `#!/bin/sh\nprintf '%s\\n' "$1" >> '${log}'\nexit ${status}\n`;
  await Deno.writeTextFile(`${directory}/${name}`, script, { mode: 0o755 });
  const path = Deno.env.get("PATH") ?? "";
  Deno.env.set("PATH", `${directory}:${path}`);
  return {
    opened: async () => (await Deno.readTextFile(log)).trim().split("\n"),
    async [Symbol.asyncDispose]() {
      Deno.env.set("PATH", path);
      await Deno.remove(directory, { recursive: true });
    },
  };
}
