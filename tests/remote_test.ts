/**
 * The real program against a server for remote agents, over HTTP and over a WebSocket.
 *
 * @module
 */

import assert from "node:assert/strict";
import { answerLine } from "./support/answer_line.ts";
import { openPty } from "./support/pty.ts";
import { type Refusal, RemoteServer, type RemoteServerOptions } from "./support/remote_server.ts";
import {
  MAIN_COMMAND,
  openSandbox,
  runMain,
  type RunResult,
  type Sandbox,
} from "./support/run_main.ts";
import { openScreen } from "./support/screen.ts";

interface Setting {
  readonly server: RemoteServer;
  readonly sandbox: Sandbox;
  readonly url: string;
  /** Runs the program with the server as its agent. */
  run(...args: readonly string[]): Promise<RunResult>;
  /** Writes the user's configuration: a row for the server, and what else is given. */
  configure(row: Record<string, unknown>, rest?: Record<string, unknown>): Promise<void>;
}

const TRANSPORTS = { HTTP: "httpUrl", WebSocket: "wsUrl" } as const;

const ENV = { STAND_IN_TOKEN: "t0p-s3cret" };
const TOKEN = ["--token", "${env:STAND_IN_TOKEN}"];

/** A test over both transports. */
function overBoth(
  name: string,
  options: RemoteServerOptions,
  test: (setting: Setting) => Promise<void>,
): void {
  for (const [transport, key] of Object.entries(TRANSPORTS)) {
    Deno.test(`over ${transport} ${name}`, async () => {
      await using server = new RemoteServer(options);
      await using sandbox = await openSandbox();
      const url = server[key];
      await test({
        server,
        sandbox,
        url,
        run: (...args) => runMain(sandbox, [...args, "--url", url], { env: ENV }),
        async configure(row, rest = {}) {
          const directory = `${sandbox.home}/.config/mm-repl`;
          await Deno.mkdir(directory, { recursive: true });
          const config = { agents: { far: { url, ...row } }, ...rest };
          await Deno.writeTextFile(`${directory}/config.jsonc`, JSON.stringify(config));
        },
      });
    });
  }
}

const count = (server: RemoteServer, method: string) =>
  server.methods.filter((other) => other === method).length;

overBoth("a prompt is answered, in the server's own shape of updates", {}, async ({ run }) => {
  const said = await run("-p", "hello there");
  assert.deepEqual([said.status, said.stdout.trim()], [0, "you said: hello there"]);
  const { status, stdout } = await run("-p", "tool", "--output", "stream-json");
  assert.equal(status, 0);
  assert.match(stdout, /"title":"local\/git-diff"/);
  assert.match(stdout, /"status":"completed"/);
});

overBoth("a prompt is answered, in the standard's shape of updates", {
  updates: "standard",
}, async ({ run }) => {
  const { status, stdout } = await run("-p", "hello there");
  assert.deepEqual([status, stdout.trim()], [0, "you said: hello there"]);
});

overBoth("mode and model are chosen, and a change by the server is taken", {}, async (setting) => {
  const { run, server } = setting;
  const { status, stdout } = await run(
    ...["-p", "mode manual", "--mode", "trusted", "--model", "large", "--output", "stream-json"],
  );
  assert.equal(status, 0);
  const params = (method: string) => server.calls.find((call) => call.method === method)?.params;
  assert.equal(params("session/set_mode")?.modeId, "trusted");
  assert.equal(params("session/set_model")?.modelId, "large");
  assert.match(stdout, /"current_mode_update".*"manual"|"manual".*"current_mode_update"/);
});

overBoth("the token of a variable signs in, and is written nowhere", {
  token: ENV.STAND_IN_TOKEN,
}, async ({ run, server, sandbox }) => {
  const { status, stdout, stderr } = await run(
    "-p",
    "hi",
    "--trace",
    "trace",
    ...TOKEN,
    "--verbose",
  );
  assert.deepEqual([status, stdout.trim()], [0, "you said: hi"], stderr);
  assert.deepEqual(
    server.calls.find(({ method }) => method === "authenticate")?.params,
    { methodId: "token", token: ENV.STAND_IN_TOKEN },
  );
  const trace = await Deno.readTextFile(`${sandbox.project}/trace`);
  assert.match(trace, /authenticate/);
  for await (const text of textFiles(sandbox.home)) assert.doesNotMatch(text, /s3cret/);
  assert.doesNotMatch(trace + stdout + stderr, /s3cret/);
});

overBoth("a wrong token is one clear error", { token: "right" }, async ({ run, server }) => {
  const { status, stdout, stderr } = await run("-p", "hi", ...TOKEN);
  assert.deepEqual([status, stdout], [6, ""]);
  assert.match(stderr, /Cannot sign in to .*The token is not valid \(AuthenticationError, /);
  assert.equal(count(server, "authenticate"), 1);
  assert.equal(count(server, "session/new"), 0);
  const without = await run("-p", "hi");
  assert.equal(without.status, 6);
  assert.match(without.stderr, /Authentication required.*\n.*--token/);
  const missing = await run("-p", "hi", "--token", "${env:NOT_SET}");
  assert.equal(missing.status, 2);
  assert.match(missing.stderr, /the environment variable NOT_SET is not set/);
});

overBoth("headers come from the configuration, a private file included", {
  header: ["x-key", "k3y-s3cret"],
}, async ({ run, configure, server, sandbox }) => {
  await configure({ headers: { "X-Key": "${file:key}" } });
  const file = `${sandbox.home}/.config/mm-repl/key`;
  await Deno.writeTextFile(file, "k3y-s3cret\n", { mode: 0o600 });
  const { status, stdout, stderr } = await run("-p", "hi");
  assert.deepEqual([status, stdout.trim()], [0, "you said: hi"], stderr);
  assert.ok(server.headers.every((headers) => headers.get("x-key") === "k3y-s3cret"));
  const wrong = await run("-p", "hi", "--header", "x-key: no");
  assert.equal(wrong.status, 6);
  assert.match(wrong.stderr, /does not accept the credentials \(HTTP 401\)/);
  await Deno.chmod(file, 0o644);
  const open = await run("-p", "hi");
  assert.equal(open.status, 2);
  assert.match(open.stderr, /others can read it.*\n?.*chmod 600/);
});

overBoth(
  "files and terminals of this machine are closed to a remote agent",
  {},
  async (setting) => {
    const { run, configure, server, sandbox } = setting;
    await sandbox.write("note.txt", "the note");
    for (const prompt of ["read", "write"]) {
      const { stdout } = await run("-p", `${prompt} ${sandbox.project}/note.txt`);
      assert.match(stdout, /refused \(-32601\)/);
    }
    assert.match((await run("-p", "run echo hi")).stdout, /refused \(-32601\)/);
    const capabilities = () =>
      server.calls.findLast(({ method }) => method === "initialize")?.params.clientCapabilities;
    const { fs, terminal } = capabilities() as { fs: unknown; terminal: unknown };
    assert.deepEqual(fs, { readTextFile: false, writeTextFile: false });
    assert.equal(terminal, false);

    await configure({ fs: "all", terminal: true });
    assert.match((await run("-p", `read ${sandbox.project}/note.txt`)).stdout, /the note/);
    assert.match((await run("-p", `write ${sandbox.project}/new.txt`)).stdout, /done/);
    assert.equal(await Deno.readTextFile(`${sandbox.project}/new.txt`), "written");
    assert.match((await run("-p", "run echo from-here")).stdout, /from-here/);
    assert.match((await run("-p", "read /etc/hostname")).stdout, /refused \(-\d+\)/);
  },
);

overBoth("a permission question of a remote agent follows the rules", {}, async ({ run }) => {
  assert.match((await run("-p", "permission", "--permissions", "allow")).stdout, /yes/);
  const denied = await run("-p", "permission");
  assert.match(denied.stdout, /no/);
  assert.equal(denied.status, 4);
});

overBoth(
  "extension methods are listed, explained, checked and called",
  {},
  async ({ run, server }) => {
    assert.match((await run("ext")).stdout, /_cleveragents\/plan\/use action_name=…/);
    assert.match((await run("ext", "help", "plan/correct")).stdout, /decision_id: string/);
    const use = await run("ext", "plan/use", "action_name=fix", "project_names=a,b");
    assert.deepEqual([use.status, JSON.parse(use.stdout).state], [0, "draft"]);
    const call = server.calls.findLast(({ method }) => method === "_cleveragents/plan/use");
    assert.deepEqual(call?.params, { action_name: "fix", project_names: ["a", "b"] });
    const list = await run("ext", "plan/list");
    assert.equal(list.stdout, "PLAN_ID  ACTION_NAME  STATE\nplan-1   fix          draft\n");
    const json = await run("ext", "plan/list", "--json");
    assert.deepEqual(JSON.parse(json.stdout)[0].plan_id, "plan-1");
    const before = server.calls.length;
    const unsent = await run("ext", "plan/status");
    assert.deepEqual([unsent.status, /plan_id is missing/.test(unsent.stderr)], [2, true]);
    assert.ok(!server.methods.slice(before).includes("_cleveragents/plan/status"));
  },
);

overBoth("an error has its name, its message and its data", {}, async ({ run }) => {
  const unknown = await run("ext", "plan/status", "plan_id=nope");
  assert.equal(unknown.status, 1);
  assert.match(
    unknown.stderr,
    /Plan not found: \{"plan_id":"nope"\} \(ResourceNotFoundError, code -32001\)/,
  );
  const turn = await run("-p", "error -32006");
  assert.equal(turn.status, 1);
  assert.match(turn.stderr, /BudgetExceededError, code -32006/);
});

overBoth("codes mean nothing special to a server that does not say so", {
  advertise: false,
}, async ({ run }) => {
  const { status, stderr } = await run("-p", "error -32002");
  assert.equal(status, 1);
  assert.doesNotMatch(stderr, /AuthenticationError/);
  assert.match(stderr, /code -32002/);
});

overBoth("a connection that drops in a turn ends it, and nothing is sent again", {}, async (s) => {
  const { status, stdout, stderr } = await s.run("-p", "drop");
  assert.deepEqual([status, stdout.trim()], [1, "partial"]);
  assert.match(stderr, /the server closed/);
  assert.equal(count(s.server, "session/prompt"), 1);
});

overBoth("ids may be numbers, and text may be a list", {}, async ({ run }) => {
  const { status, stdout } = await run("-p", "numbers", "--output", "stream-json");
  assert.equal(status, 0);
  const ends = stdout.split("\n").filter((line) => /"tool_call_update"/.test(line)).join("\n");
  assert.match(ends, /"toolCallId":"7"[^\n]*"completed"|"completed"[^\n]*"toolCallId":"7"/);
  assert.match(ends, /"toolCallId":"8"[^\n]*"failed"|"failed"[^\n]*"toolCallId":"8"/);
  assert.equal((await run("-p", "numbers")).stdout.trim(), "one, two");
});

Deno.test("over HTTP what a status means is said of one request, too", async () => {
  await using server = new RemoteServer();
  await using sandbox = await openSandbox();
  const page = "<html><head><title>Night shift</title></head><body>x</body></html>";
  const cases: [Refusal, number, RegExp][] = [
    [{ status: 403 }, 6, /refuses access \(HTTP 403\): as told\n.*Check the token or headers/],
    [{ status: 401 }, 6, /does not accept the credentials/],
    [{ status: 409 }, 1, /in use by another connection.*\n.*\/reconnect/],
    [{ status: 502, body: page, stalls: true }, 1, /\(HTTP 502\): Night shift\n.*Try again later/],
    [
      { status: 429, body: '{"error":"slow down"}', headers: { "retry-after": "9" } },
      1,
      /\(HTTP 429\): slow down; it asks to wait 9 s/,
    ],
    [{ status: 405, body: "" }, 1, /takes no ACP messages at this address \(HTTP 405\)\n/],
    [{ status: 413 }, 1, /too large.*\n.*Send less/],
  ];
  for (const [refusal, status, message] of cases) {
    server.refusals.set("session/prompt", refusal);
    const run = await runMain(sandbox, ["-p", "x", "--url", server.httpUrl]);
    assert.equal(run.status, status, run.stderr);
    assert.match(run.stderr, message);
    assert.doesNotMatch(run.stderr, /internal error|-32603|<html>/);
    assert.equal(run.stderr.match(/HTTP \d+/g)?.length, 1, run.stderr);
  }
});

Deno.test("over HTTP a server that refuses the start without end is told by what it says", async () => {
  await using server = new RemoteServer();
  await using sandbox = await openSandbox();
  server.refusals.set("initialize", { status: 503, body: "closed for today", stalls: true });
  const { status, stderr } = await runMain(sandbox, ["-p", "x", "--url", server.httpUrl]);
  assert.equal(status, 3);
  assert.match(stderr, /Cannot connect to http:\S+: .*\(HTTP 503\): closed for today/);
  server.refusals.clear();
  server.refusals.set("session/new", { status: 404 });
  const later = await runMain(sandbox, ["-p", "x", "--url", server.httpUrl]);
  assert.equal(later.status, 3);
  assert.match(later.stderr, /Lost the agent at http:\S+: .*\(HTTP 404\)/);
  server.refusals.set("initialize", { status: 401 });
  const stranger = await runMain(sandbox, ["-p", "x", "--url", server.httpUrl]);
  assert.equal(stranger.status, 6);
  assert.match(stranger.stderr, /Cannot connect to http:\S+: .*\(HTTP 401\)/);
});

overBoth("a server that does not answer the start is not called a command", {}, async (setting) => {
  const { configure, sandbox, url } = setting;
  await configure({}, { startTimeout: 0.3 });
  const end = Promise.withResolvers<Response>();
  const silent = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request) =>
      request.headers.get("upgrade") === "websocket"
        ? Deno.upgradeWebSocket(request).response
        : end.promise,
  );
  const port = `:${silent.addr.port}/`;
  const { status, stderr } = await runMain(sandbox, [
    ...["-p", "x", "--url", url.replace(/:\d+\//, port)],
  ]);
  assert.equal(status, 3);
  assert.match(
    stderr,
    /Cannot connect to \S+: no answer to initialize within 0.3 s\n.*Check the URL/,
  );
  assert.doesNotMatch(stderr, /command|Cannot start/);
  end.resolve(new Response(null));
  await silent.shutdown();
});

overBoth("secrets are told by nobody, however the connection fails", {}, async (setting) => {
  const { sandbox, url } = setting;
  // Nothing is ever answered: connections end as soon as something was sent.
  const rude = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const serving = (async () => {
    for await (const connection of rude) {
      await connection.read(new Uint8Array(4_000));
      connection.close();
    }
  })();
  for (const port of [(rude.addr as Deno.NetAddr).port, 1]) {
    const address = url.replace("://", "://us3r:pa55word@").replace(/:\d+\//, `:${port}/`);
    const { status, stderr, stdout } = await runMain(sandbox, [
      ...["-p", "x", "--url", `${address}?key=q-s3cret`, "--header", "X-Key: h-s3cret"],
      ...["--verbose", "--trace", "trace"],
    ]);
    assert.equal(status, 3);
    assert.match(stderr, /Cannot connect to/);
    const trace = await Deno.readTextFile(`${sandbox.project}/trace`);
    assert.doesNotMatch(stderr + stdout + trace, /s3cret|pa55word/);
    for await (const text of textFiles(sandbox.home)) assert.doesNotMatch(text, /s3cret|pa55word/);
  }
  rude.close();
  await serving;
});

Deno.test("over HTTP a server that repeats a header in its error does not have it shown", async () => {
  await using server = new RemoteServer({ echo: "x-key" });
  await using sandbox = await openSandbox();
  server.status = 401;
  const run = await runMain(sandbox, [
    ...["-p", "x", "--url", server.httpUrl, "--header", "X-Key: h-s3cret", "--verbose"],
  ]);
  assert.equal(run.status, 6);
  assert.match(run.stderr, /\(HTTP 401\): as told, \*\*\*/);
  assert.doesNotMatch(run.stderr, /s3cret/);
});

overBoth("a large message and an answer to nothing do no harm", {}, async ({ run }) => {
  const big = await run("-p", "big 10000000");
  assert.deepEqual([big.status, big.stdout.trim().length], [0, 10_000_000]);
  const stray = await run("-p", "stray");
  assert.deepEqual([stray.status, stray.stdout.trim()], [0, "stray"]);
});

for (const events of ["bytes", "glued"] as const) {
  Deno.test(`over HTTP events may come as ${events}`, async () => {
    await using server = new RemoteServer({ events });
    await using sandbox = await openSandbox();
    const { status, stdout } = await runMain(sandbox, ["-p", "héllo 🙂", "--url", server.httpUrl]);
    assert.deepEqual([status, stdout.trim()], [0, "you said: héllo 🙂"]);
  });
}

Deno.test("over HTTP what is no agent is named", async () => {
  await using server = new RemoteServer({ events: "type" });
  await using sandbox = await openSandbox();
  const html = await runMain(sandbox, ["-p", "x", "--url", server.httpUrl.replace("acp", "html")]);
  assert.equal(html.status, 3);
  assert.match(html.stderr, /does not speak ACP \(it answered with text\/html\)/);
  const type = await runMain(sandbox, ["-p", "x", "--url", server.httpUrl]);
  assert.notEqual(type.status, 0);
  assert.match(type.stderr, /text\/plain/);
});

overBoth("in a terminal the token is asked for without echo, and a lost connection comes back", {
  token: "typed-s3cret",
}, async ({ server, sandbox, url }) => {
  const [command = "deno", ...rest] = MAIN_COMMAND;
  const pty = await openPty({
    command,
    args: [...rest, "--plain", "--url", url],
    cwd: sandbox.project,
    env: { ...sandbox.env, TERM: "xterm-256color" },
  });
  try {
    const screen = openScreen(pty);
    await screen.waitFor(/How do you want to sign in/);
    await answerLine(pty, "1\n", () => screen.unwrapped().includes("will not be shown"));
    const opened = () => count(server, "session/new") === 2;
    await answerLine(pty, "typed-s3cretX\x7f\r", opened);
    await pty.write("hello\n");
    await screen.waitFor(/you said: hello/);
    await pty.write("/ext namespace/list\n");
    await screen.waitFor(/team/);
    await pty.write("/fork\n");
    await screen.waitFor(/goes on from ses_1/);
    server.drop();
    await screen.waitFor(/Connected again/);
    assert.equal(count(server, "authenticate"), 2);
    await pty.write("back\n");
    await screen.waitFor(/you said: back/);
    assert.doesNotMatch(screen.unwrapped(), /s3cret/);
    await pty.write("/exit\n");
    assert.equal(await pty.exited, 0);
  } finally {
    await pty.kill();
  }
});

async function* textFiles(directory: string): AsyncGenerator<string> {
  for await (const { name, isDirectory, isFile } of Deno.readDir(directory)) {
    const path = `${directory}/${name}`;
    if (isDirectory) yield* textFiles(path);
    else if (isFile) yield await Deno.readTextFile(path);
  }
}
