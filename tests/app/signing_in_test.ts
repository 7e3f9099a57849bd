import assert from "node:assert/strict";
import { END_TURN, eventually, PROMPT, say, type Step } from "../support/scripted_agent.ts";
import { openProgram, type TestProgram } from "./program_support.ts";

const METHODS = [
  { id: "login", name: "Sign in", description: "with the browser" },
  { id: "key", name: "API key" },
];
const REQUIRED: Step = { fail: { code: -32000, message: "Authentication required" } };
const NEW: Step = { expect: "session/new" };
const OPENED: Step = { respond: { sessionId: "s1" } };
const AUTHENTICATE: Step[] = [{ expect: "authenticate" }, { respond: {} }];

const initialize = (authMethods: readonly unknown[] = METHODS, auth = {}): Step[] => [
  { expect: "initialize" },
  { respond: { protocolVersion: 1, agentCapabilities: { auth }, authMethods } },
];

async function sent({ agent }: TestProgram, method: string) {
  return (await agent.received()).filter((message) => message.method === method);
}

/** Waits for the chooser and takes one of its options; `null` is Esc. */
async function choose({ app }: TestProgram, id: string | null) {
  await eventually("the question is asked", () => app.state.questions.length === 1);
  const [question] = app.state.questions;
  assert.ok(question);
  app.answer(question.id, id === null ? { type: "dismissed" } : { type: "option", id });
  return question;
}

Deno.test("a session that needs signing in is opened after it, and the prompt goes out once", async () => {
  await using program = await openProgram([
    ...initialize(),
    NEW,
    REQUIRED,
    ...AUTHENTICATE,
    NEW,
    OPENED,
    PROMPT,
    say("hi"),
    END_TURN,
  ]);
  const prompt = program.app.submit("hello");
  const { options } = await choose(program, "login");
  assert.deepEqual(options, [
    { id: "login", label: "Sign in", hint: "with the browser" },
    { id: "key", label: "API key" },
  ]);
  await prompt;
  assert.equal(await program.app.startError, undefined);
  assert.deepEqual((await sent(program, "authenticate")).map(({ params }) => params), [
    { methodId: "login" },
  ]);
  assert.equal((await sent(program, "session/prompt")).length, 1);
  assert.deepEqual(program.texts("agent"), ["hi"]);
});

Deno.test("who does not choose keeps the prompt, and /login goes on from there", async () => {
  await using program = await openProgram([
    ...initialize(),
    NEW,
    REQUIRED,
    ...AUTHENTICATE,
    NEW,
    OPENED,
    PROMPT,
    END_TURN,
  ]);
  const { app } = program;
  const prompt = app.submit("hello");
  await choose(program, null);
  assert.equal((await app.startError)?.code, "auth");
  assert.match(program.notices().join("\n"), /login \(Sign in\), key \(API key\)\. \/login/);
  assert.deepEqual(app.state.queue, ["hello"]);
  const second = app.submit("again");
  assert.match(
    program.notices().join("\n"),
    /The prompt is kept.*\/login signs in, opens the session and sends it/,
  );
  assert.equal(app.unqueue(), "again");
  await app.submit("/login key");
  await Promise.all([prompt, second]);
  assert.deepEqual((await sent(program, "authenticate"))[0]?.params, { methodId: "key" });
  assert.equal((await sent(program, "session/prompt")).length, 1);
});

Deno.test("signing in that fails, or does not help, is not tried for ever", async () => {
  await using refused = await openProgram([
    ...initialize(),
    NEW,
    REQUIRED,
    { expect: "authenticate" },
    { fail: { code: -32000, message: "wrong key" } },
  ]);
  await choose(refused, "key");
  assert.match((await refused.app.startError)?.message ?? "", /Cannot sign in.*wrong key/);
  assert.equal((await sent(refused, "session/new")).length, 1);

  await using useless = await openProgram([
    ...initialize(),
    NEW,
    REQUIRED,
    ...AUTHENTICATE,
    NEW,
    REQUIRED,
  ]);
  await choose(useless, "login");
  assert.equal((await useless.app.startError)?.code, "auth");
  assert.equal((await sent(useless, "authenticate")).length, 1);
  assert.equal((await sent(useless, "session/new")).length, 2);
  assert.deepEqual(useless.app.state.questions, []);
});

Deno.test("an agent without a way to sign in is not asked about one", async () => {
  await using program = await openProgram([...initialize([]), NEW, REQUIRED]);
  assert.equal((await program.app.startError)?.code, "auth");
  await program.app.submit("/login");
  assert.match(program.notices().join("\n"), /offers no way/);
});

Deno.test("a prompt that needs signing in goes out once more after it", async () => {
  await using program = await openProgram([
    ...initialize(),
    NEW,
    OPENED,
    PROMPT,
    REQUIRED,
    ...AUTHENTICATE,
    PROMPT,
    say("hi"),
    END_TURN,
  ]);
  const prompt = program.app.submit("hello");
  await choose(program, "login");
  await prompt;
  assert.equal((await sent(program, "session/prompt")).length, 2);
  assert.equal((await sent(program, "session/new")).length, 1);
  assert.deepEqual(program.texts("agent"), ["hi"]);
});

Deno.test("a prompt that was half answered, or whose sign-in was refused, waits for /retry", async () => {
  await using half = await openProgram([
    ...initialize(),
    NEW,
    OPENED,
    PROMPT,
    say("I beg"),
    { ...REQUIRED, to: "session/prompt" } as Step,
    ...AUTHENTICATE,
  ]);
  const prompt = half.app.submit("hello");
  await choose(half, "login");
  await prompt;
  assert.match(half.notices().join("\n"), /had begun to answer: \/retry/);
  assert.equal((await sent(half, "session/prompt")).length, 1);

  await using never = await openProgram([...initialize(), NEW, OPENED, PROMPT, REQUIRED]);
  const lost = never.app.submit("hello");
  await choose(never, null);
  await lost;
  assert.match(never.notices().join("\n"), /The prompt is kept: \/login signs in, \/retry/);
});

Deno.test("signing in that takes its time can be given up", async () => {
  await using program = await openProgram([
    ...initialize(),
    NEW,
    REQUIRED,
    { expect: "authenticate" },
    { expect: "$/cancel_request" },
    { hang: true },
  ]);
  await choose(program, "login");
  const { title } = await choose(program, "stop");
  assert.match(title, /signs you in: Sign in/);
  assert.equal((await program.app.startError)?.code, "auth");
});

Deno.test("a terminal method runs the agent's own program and is never sent", async () => {
  const methods = [{
    id: "tui",
    type: "terminal",
    name: "Log in",
    args: ["--login"],
    env: { A: "b c" },
  }];
  const script: Step[] = [...initialize(methods), NEW, REQUIRED, NEW, OPENED, PROMPT, END_TURN];
  await using program = await openProgram(script, {
    laterRuns: [[{ exit: 0 }]],
  });
  program.app.lendTerminal = async (work) => await work();
  await choose(program, "tui");
  await program.app.submit("hello");
  assert.equal(await program.app.startError, undefined);
  assert.equal((await program.agent.pids()).length, 2);
  assert.deepEqual(await sent(program, "authenticate"), []);
  const [first] = await program.agent.received();
  const { clientCapabilities } = first?.params as { clientCapabilities: { auth: unknown } };
  assert.deepEqual(clientCapabilities.auth, { terminal: true });
});

Deno.test("a terminal method that fails says so; without a terminal to lend it is shown", async () => {
  const methods = [{
    id: "tui",
    type: "terminal",
    name: "Log in",
    args: ["--login"],
    env: { A: "b c" },
  }];
  const script: Step[] = [...initialize(methods), NEW, REQUIRED, NEW, OPENED];
  await using failed = await openProgram(script, { laterRuns: [[{ exit: 3 }]] });
  failed.app.lendTerminal = async (work) => await work();
  await choose(failed, "tui");
  assert.match((await failed.app.startError)?.message ?? "", /ended with status 3/);

  await using shown = await openProgram(script);
  await choose(shown, "tui");
  const { body } = await choose(shown, "done");
  assert.match(body[0] ?? "", /^A='b c' \S+ run -A .* --login$/);
  assert.equal(await shown.app.startError, undefined);
});

Deno.test("/logout signs out only where the agent offers it", async () => {
  await using offered = await openProgram([
    ...initialize(METHODS, { logout: {} }),
    NEW,
    OPENED,
    { expect: "logout" },
    { respond: {} },
  ]);
  await offered.app.startError;
  await offered.app.submit("/logout");
  assert.match(offered.notices().join("\n"), /Signed out/);
  await using other = await openProgram([...initialize(), NEW, OPENED]);
  await other.app.startError;
  await other.app.submit("/logout");
  assert.match(other.notices().join("\n"), /Cannot sign out: the agent does not offer it/);
  assert.deepEqual(await sent(other, "logout"), []);
});
