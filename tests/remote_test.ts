/**
 * The real program against a server for remote agents, over HTTP and over a WebSocket.
 *
 * @module
 */

import assert from "node:assert/strict";
import { openPty } from "./support/pty.ts";
import { RemoteServer, type RemoteServerOptions } from "./support/remote_server.ts";
import {
  MAIN_COMMAND,
  openSandbox,
  runMain,
  type RunResult,
  type Sandbox,
  until,
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
    await settle();
    await pty.write("1\n");
    await screen.waitFor(/will not be shown/);
    await settle();
    await pty.write("typed-s3cretX\x7f\r");
    await until(() => count(server, "session/new") === 2, "the session is opened after signing in");
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

/** What is typed at once after a question does not count as its answer. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 600));
}

async function* textFiles(directory: string): AsyncGenerator<string> {
  for await (const { name, isDirectory, isFile } of Deno.readDir(directory)) {
    const path = `${directory}/${name}`;
    if (isDirectory) yield* textFiles(path);
    else if (isFile) yield await Deno.readTextFile(path);
  }
}
