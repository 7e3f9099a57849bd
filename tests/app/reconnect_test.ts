import assert from "node:assert/strict";
import { mayPass, Reconnect } from "../../src/app/reconnect.ts";
import type { RemoteServer } from "../support/remote_server.ts";
import { until } from "../support/run_main.ts";
import { HandClock, openRemote } from "./remote_program.ts";

Deno.test("Reconnect waits longer each time, and gives up in the end", () => {
  const clock = new HandClock();
  let attempts = 0;
  const reconnect = new Reconnect(() => attempts++, clock);
  assert.equal(reconnect.active, false);
  const pauses: number[] = [];
  for (let pause = reconnect.next(); pause !== undefined; pause = reconnect.next()) {
    pauses.push(pause);
    assert.deepEqual(clock.waiting, [pause]);
    clock.fire();
  }
  assert.equal(attempts, pauses.length);
  assert.ok(pauses.length >= 5);
  assert.deepEqual(pauses, pauses.toSorted((a, b) => a - b));
  assert.ok((pauses.at(-1) ?? 0) <= 60_000);
  assert.equal(reconnect.active, false);
  assert.deepEqual(clock.waiting, []);
});

Deno.test("Reconnect begins anew only after a connection that lasted", () => {
  const clock = new HandClock();
  const reconnect = new Reconnect(() => {}, clock);
  const [first, second] = [reconnect.next(), reconnect.next()];
  reconnect.connected();
  assert.equal(reconnect.active, false);
  const third = reconnect.next();
  assert.ok(first && second && third && first < second && second < third);
  reconnect.connected();
  clock.fire();
  assert.equal(reconnect.next(), first);
  reconnect.stop();
  assert.deepEqual([reconnect.active, clock.waiting], [false, []]);
});

Deno.test("mayPass() tells what another try may mend", () => {
  assert.equal(mayPass("agent_died"), true);
  assert.equal(mayPass("handshake"), true);
  assert.equal(mayPass("auth"), false);
  assert.equal(mayPass("protocol_version"), false);
});

const TRANSPORTS = {
  HTTP: (server: RemoteServer) => server.httpUrl,
  WebSocket: (server: RemoteServer) => server.wsUrl,
};

for (const [name, url] of Object.entries(TRANSPORTS)) {
  Deno.test(`over ${name} a lost connection is opened again, and nothing is sent twice`, async () => {
    await using program = await openRemote(url);
    const { app, clock, server } = program;
    assert.equal(await app.startError, undefined);
    await app.submit("drop everything");
    await until(() => app.state.phase === "disconnected", "the loss is seen");
    await until(() => clock.waiting.length === 1, "a try is waited for");
    assert.equal(app.state.reconnecting, 1);
    assert.match(program.text(), /Try 1 in 1 s/);
    clock.fire();
    await until(() => app.state.phase === "ready", "it is connected again");
    assert.equal(app.state.reconnecting, undefined);
    assert.match(program.text(), /Connected again .*interrupted.*\/retry/);
    const count = (method: string) => server.methods.filter((other) => other === method).length;
    assert.deepEqual(
      ["initialize", "session/new", "session/resume", "session/prompt"].map(count),
      [2, 1, 1, 1],
    );
    await app.submit("hello");
    assert.match(program.text(), /you said: hello/);
  });

  Deno.test(`over ${name} a server that restarts in a turn is told so, and gets nothing twice`, async () => {
    await using program = await openRemote(url);
    const { app, clock, server } = program;
    await app.startError;
    const turn = app.submit("hang");
    await until(() => /partial/.test(program.text()), "the turn has begun");
    await server.stop();
    await turn;
    await until(() => app.state.reconnecting === 1, "the loss is seen");
    server.start();
    clock.fire();
    await until(() => app.state.phase === "ready", "it is connected again");
    assert.match(program.text(), /Lost the agent .*Try 1 in 1 s.*Connected again .*\/retry/s);
    assert.equal(server.methods.filter((method) => method === "session/prompt").length, 1);
    await app.submit("hello");
    assert.match(program.text(), /you said: hello/);
  });

  Deno.test(`over ${name} a server that is away is tried again, stopped and forced by hand`, async () => {
    await using program = await openRemote(url);
    const { app, clock, server } = program;
    await app.startError;
    await server.stop();
    await until(() => app.state.reconnecting === 1, "the loss is seen");
    clock.fire();
    await until(() => app.state.reconnecting === 2, "the first try has failed");
    assert.match(program.text(), /does not take connections.*Try 2 in 2 s/);
    await app.submit("/reconnect stop");
    assert.equal(app.state.reconnecting, undefined);
    assert.deepEqual(clock.waiting, []);
    server.start();
    await app.submit("/reconnect");
    assert.equal(app.state.phase, "ready");
    await app.submit("hello");
    assert.match(program.text(), /you said: hello/);
  });
}

Deno.test("a connection is not tried again when credentials are no longer accepted", async () => {
  await using program = await openRemote(TRANSPORTS.HTTP);
  const { app, clock, server } = program;
  await app.startError;
  server.status = 401;
  server.drop();
  await until(() => app.state.phase === "disconnected", "the loss is seen");
  clock.fire();
  await until(() => /does not accept the credentials/.test(program.text()), "the reason is told");
  await until(() => app.state.phase === "disconnected", "it has ended");
  assert.equal(app.state.reconnecting, undefined);
  assert.deepEqual(clock.waiting, []);
});

Deno.test("Reconnect waits as long as a server asks, within bounds", () => {
  const clock = new HandClock();
  const reconnect = new Reconnect(() => {}, clock);
  assert.equal(reconnect.next(90_000), 90_000);
  assert.ok((reconnect.next(10) ?? 0) > 10);
  assert.ok((reconnect.next(1e12) ?? Infinity) <= 600_000);
  reconnect.stop();
});

Deno.test("a server that asks to be left alone for a while is", async () => {
  await using program = await openRemote(TRANSPORTS.HTTP);
  const { app, clock, server } = program;
  await app.startError;
  server.refusals.set("initialize", { status: 503, headers: { "retry-after": "77" } });
  server.drop();
  await until(() => app.state.reconnecting === 1, "the loss is seen");
  clock.fire();
  await until(() => app.state.reconnecting === 2, "the first try has failed");
  assert.match(program.text(), /HTTP 503\): as told; it asks to wait 77 s Try 2 in 77 s/);
  assert.deepEqual(clock.waiting, [77_000]);
});

Deno.test("a session that another connection has is opened again before the next prompt", async () => {
  await using program = await openRemote(TRANSPORTS.HTTP);
  const { app, server } = program;
  await app.startError;
  server.refusals.set("session/prompt", { status: 409, body: "busy elsewhere" });
  await app.submit("one");
  assert.match(program.text(), /in use by another connection.*\(HTTP 409\): busy elsewhere/);
  assert.equal(app.state.phase, "ready");

  server.refusals.set("session/resume", { status: 409 });
  const kept = app.submit("two");
  await until(() => app.state.unopened === true, "it cannot be opened");
  await until(() => /The prompt is kept: \/reconnect/.test(program.text()), "it is said");
  await app.submit("/reconnect");
  assert.match(
    program.text(),
    /Cannot go on with session ses_1[^]*Cannot go on with session ses_1/,
  );

  server.refusals.clear();
  await app.submit("/reconnect");
  assert.match(program.text(), /The session is open again/);
  await kept;
  assert.match(program.text(), /you said: two/);
  server.refusals.set("session/prompt", { status: 409 });
  await app.submit("three");
  server.refusals.clear();
  const resumed = server.methods.filter((method) => method === "session/resume").length;
  await app.submit("four");
  assert.match(program.text(), /you said: four/);
  assert.equal(server.methods.filter((method) => method === "session/resume").length, resumed + 1);
  assert.doesNotMatch(program.text(), /you said: (?:one|three)/);
  // Whatever request says so first.
  server.refusals.set("session/set_mode", { status: 409 });
  await app.submit("/mode trusted");
  assert.match(program.text(), /Cannot set the mode trusted: the session is in use by another/);
  server.refusals.clear();
  await app.submit("five");
  assert.match(program.text(), /you said: five/);
  assert.equal(server.methods.filter((method) => method === "session/resume").length, resumed + 2);
  await app.submit("/reconnect");
  assert.match(program.text(), /Cannot reconnect: the agent is connected/);
});

Deno.test("a prompt whose credentials have expired is not asked to sign in on a dead connection", async () => {
  await using program = await openRemote(TRANSPORTS.HTTP, {
    token: "right",
    signIn: { token: "right" },
  });
  const { app, server } = program;
  await app.startError;
  server.refusals.set("session/prompt", { status: 401 });
  await app.submit("hello");
  await until(() => app.state.phase === "disconnected", "the loss is seen");
  assert.deepEqual(app.state.questions, []);
  assert.match(program.text(), /does not accept the credentials \(HTTP 401\)/);
});

for (const [name, url] of Object.entries(TRANSPORTS)) {
  Deno.test(`over ${name} a question about a file goes with the turn that is cancelled`, async () => {
    await using program = await openRemote(url, { fs: "all" });
    const { app } = program;
    await app.startError;
    const turn = app.submit("read /etc/hostname");
    await until(() => app.state.questions.length === 1, "the question is asked");
    assert.equal(app.cancelTurn(), true);
    assert.deepEqual(app.state.questions, []);
    await turn;
    assert.match(program.text(), /refused \(-\d+\).*outside the session's directories/);
  });
}

Deno.test("a wrong token is refused once; the right one is remembered for a new connection", async () => {
  await using program = await openRemote(TRANSPORTS.WebSocket, { token: "right" });
  const { app, clock, server } = program;
  const answer = async (text: string) => {
    await until(() => app.state.questions[0] !== undefined, "a question is asked");
    const [question] = app.state.questions;
    if (question?.kind === "choice") {
      app.answer(question.id, { type: "option", id: "token" });
      return await answer(text);
    }
    assert.equal(question?.kind, "secret");
    app.answer(question.id, { type: "text", text });
  };
  await answer("wrong");
  assert.equal((await app.startError)?.code, "auth");
  assert.match(program.text(), /The token is not valid/);
  assert.equal(server.methods.filter((method) => method === "authenticate").length, 1);
  const signedIn = app.submit("/login");
  await answer("right");
  await signedIn;
  assert.match(program.text(), /Signed in/);
  await app.submit("drop");
  await until(() => clock.waiting.length === 1, "a try is waited for");
  clock.fire();
  await until(() => app.state.phase === "ready", "it is connected again");
  assert.deepEqual(app.state.questions, []);
  assert.equal(
    server.calls.findLast(({ method }) => method === "authenticate")?.params.token,
    "right",
  );
  assert.doesNotMatch(program.text(), /right\b(?!,)/);
});

Deno.test("a question about a page says which remote host asks", async () => {
  await using program = await openRemote(TRANSPORTS.HTTP);
  const { app, server } = program;
  await app.startError;
  const turn = app.submit("visit https://good.example/");
  await until(() => app.state.questions.length === 1, "the question is asked");
  const [question] = app.state.questions;
  assert.equal(
    question?.body[0],
    `The request comes from the remote host ${new URL(server.httpUrl).host}`,
  );
  app.answer(question.id, { type: "option", id: "decline" });
  await turn;
  assert.match(program.text(), /decline/);
});

Deno.test("a prompt that waits for a session that is gone goes to no other", async () => {
  await using program = await openRemote(TRANSPORTS.WebSocket);
  const { app, clock, server } = program;
  await app.startError;
  void app.submit("hang");
  await until(() => server.methods.includes("session/prompt"), "the first turn runs");
  void app.submit("for the first");
  await app.submit("/new");
  await app.submit("drop everything");
  await until(() => clock.waiting.length === 1, "a try is waited for");
  clock.fire();
  await until(() => app.state.phase === "ready", "it is connected again");
  server.agent.sessions.delete("ses_1");
  await app.submit("/switch 1");
  assert.match(program.text(), /Cannot go on with session ses_1/);
  await app.submit("for the second");
  assert.match(program.text(), /you said: for the second/);
  const prompts = server.calls.filter(({ method }) => method === "session/prompt");
  assert.deepEqual(
    prompts.map(({ params }) => JSON.stringify(params).match(/for the \w+/)?.[0] ?? ""),
    ["", "", "for the second"],
  );
});
