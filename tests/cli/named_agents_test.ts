/**
 * Agents by name, and the environment and directory that they start in, with the real program.
 *
 * @module
 */

import assert from "node:assert/strict";
import { agentCommand, openSandbox, runMain, type Sandbox } from "../support/run_main.ts";
import {
  ask,
  END_TURN,
  HANDSHAKE,
  PROMPT,
  say,
  type ScriptedAgent,
  scriptedAgent,
} from "../support/scripted_agent.ts";

async function configure({ home }: Sandbox, config: unknown): Promise<void> {
  await Deno.mkdir(`${home}/.config/mm-repl`, { recursive: true });
  await Deno.writeTextFile(`${home}/.config/mm-repl/config.jsonc`, JSON.stringify(config));
}

async function params({ received }: ScriptedAgent, method: string) {
  return (await received()).find((message) => message.method === method)?.params as
    | Record<string, unknown>
    | undefined;
}

/** An agent that writes down where it runs and with what, and is no agent. */
const WITNESS = `sh -c 'pwd > where; env > variables; exit 1'`;

Deno.test("every column of a named agent's row is used", async () => {
  await using agent = await scriptedAgent([
    { expect: "initialize" },
    { respond: { protocolVersion: 1, agentCapabilities: { mcpCapabilities: { http: true } } } },
    { expect: "session/new" },
    {
      respond: {
        sessionId: "s1",
        modes: {
          currentModeId: "a",
          availableModes: [{ id: "a", name: "A" }, { id: "b", name: "B" }],
        },
        configOptions: [{
          id: "m",
          name: "Model",
          category: "model",
          type: "select",
          currentValue: "small",
          options: [{ value: "small", name: "S" }, { value: "big", name: "B" }],
        }],
      },
    },
    { expect: "session/set_mode" },
    { respond: {} },
    { expect: "session/set_config_option" },
    { respond: {} },
    PROMPT,
    ask("p", "session/request_permission", {
      toolCall: { toolCallId: "c", kind: "search", title: "Look" },
      options: [{ optionId: "y", name: "Yes", kind: "allow_once" }],
    }),
    { expectAnswer: "p" },
    END_TURN,
  ]);
  await using sandbox = await openSandbox({ "sub dir/é.txt": "x" });
  const { command, args } = agent.spec;
  // The shell tells what the agent was started with, and then is the agent.
  const script = `pwd > '${sandbox.home}/where'; env > '${sandbox.home}/variables'; exec "$0" "$@"`;
  await configure(sandbox, {
    permissions: "deny",
    agents: {
      mine: {
        command: "sh",
        args: ["-c", script, command, ...args],
        env: { LINES: "x\ny", LANG: "of the row" },
        cwd: "sub dir",
        mcpServers: { web: { url: "http://127.0.0.1:9", headers: { A: "b" } } },
        permissions: "reads",
        model: "big",
        mode: "b",
        discovery: "request",
        fs: "write",
      },
    },
    mcpServers: { db: { command: "db-mcp", args: ["--ro"], env: { TOKEN: "x=y" } } },
  });
  const run = await runMain(sandbox, ["--agent", "mine", "--trust-tools", "-p", "go"]);
  assert.equal(run.status, 0, run.stderr);
  const read = (name: string) => Deno.readTextFile(`${sandbox.home}/${name}`);
  assert.equal(await read("where"), `${sandbox.project}/sub dir\n`);
  const variables = await read("variables");
  assert.match(variables, /^LINES=x\ny$/m);
  assert.match(variables, /^LANG=of the row$/m);
  const session = await params(agent, "session/new");
  assert.equal(session?.cwd, sandbox.project);
  assert.deepEqual(session?.mcpServers, [
    { name: "db", command: "db-mcp", args: ["--ro"], env: [{ name: "TOKEN", value: "x=y" }] },
    { type: "http", name: "web", url: "http://127.0.0.1:9", headers: [{ name: "A", value: "b" }] },
  ]);
  const { fs } = (await params(agent, "initialize"))?.clientCapabilities as { fs: unknown };
  assert.deepEqual(fs, { readTextFile: false, writeTextFile: true });
  assert.equal((await params(agent, "session/set_mode"))?.modeId, "b");
  assert.equal((await params(agent, "session/set_config_option"))?.value, "big");
  assert.deepEqual((await agent.answersTo("p"))[0]?.result, {
    outcome: { outcome: "selected", optionId: "y" },
  });
});

Deno.test("values of servers and their headers are in no trace and in no message", async () => {
  await using sandbox = await openSandbox();
  await configure(sandbox, {
    mcpServers: {
      db: { command: "db-mcp", env: { SETTING: "sesame-1" } },
      web: { type: "http", url: "http://127.0.0.1:9", headers: { A: "sesame-2" } },
    },
  });
  const args = ["--agent", agentCommand(), "--trace", "trace.ndjson", "-p", "echo hi"];
  const run = await runMain(sandbox, args);
  assert.equal(run.stdout, "hi\n");
  assert.match(run.stderr, /cannot reach MCP servers by http: "web" is left out/);
  const trace = await Deno.readTextFile(`${sandbox.project}/trace.ndjson`);
  assert.match(trace, /db-mcp/);
  assert.doesNotMatch(trace + run.stderr, /sesame/);
});

Deno.test("values that are known to be secret are in no trace and in no error, whoever says them", async () => {
  await using sandbox = await openSandbox();
  const said = ["sesame-env-1", "sesame-arg-2", "sesame-srv-3", "sesame-own-4", "sesame-cmd-5"];
  await using agent = await scriptedAgent([
    ...HANDSHAKE,
    { expect: "session/prompt" },
    ask("t", "terminal/create", {
      command: "true",
      args: [],
      env: [{ name: "DB_PASSWORD", value: said[4] }],
    }),
    { expectAnswer: "t" },
    { stderr: `stderr says ${said.join(" and ")}\n` },
    { line: `noise says ${said.join(" and ")}` },
    say(`message says ${said.join(" and ")}`),
    {
      fail: { code: -32603, message: "Internal error", data: `no ${said.join(", ")}` },
      to: "session/prompt",
    },
  ]);
  const { command, args } = agent.spec;
  await configure(sandbox, {
    agents: {
      told: { command, args: [...args, "--token", said[1]], env: { MY_API_KEY: said[0], N: "1" } },
    },
    mcpServers: { db: { command: "db", args: [`--password=${said[2]}`] } },
  });
  const run = await runMain(
    sandbox,
    ["--agent", "told", "--trace", "trace.ndjson", "--verbose", "-p", "go"],
    { env: { SOME_SECRET: "sesame-own-4" } },
  );
  assert.equal(run.status, 1);
  assert.match(run.stdout, /^message says sesame-env-1/);
  const trace = await Deno.readTextFile(`${sandbox.project}/trace.ndjson`);
  for (const text of ["stderr", "noise", "message"]) {
    assert.match(trace, new RegExp(`${text} says \\*{3} and \\*{3}`), trace);
  }
  assert.match(run.stderr, /stderr says \*{3}/);
  assert.doesNotMatch(trace + run.stderr, /sesame/);
});

Deno.test("a server without a command or with a value of the wrong type is an error with its key", async () => {
  await using sandbox = await openSandbox();
  for (
    const [server, message] of [
      [{ args: ["x"] }, /mcpServers\.db .*command/],
      [{ command: "x", env: { A: 1 } }, /mcpServers\.db\.env\.A must be a string, not a number/],
    ] as const
  ) {
    await configure(sandbox, { mcpServers: { db: server } });
    const run = await runMain(sandbox, ["--agent", "demo", "-p", "echo hi"]);
    assert.equal(run.status, 2);
    assert.match(run.stderr, message);
    assert.equal(run.stdout, "");
  }
});

Deno.test("the agent starts in the session's directory, through links and odd names, absolute", async () => {
  await using sandbox = await openSandbox({ "my dir é/a.txt": "x" });
  await Deno.symlink(`${sandbox.project}/my dir é`, `${sandbox.project}/link`);
  for (const dir of [".", "my dir é", "link", "./my dir é/../link/"]) {
    await runMain(sandbox, ["--cwd", dir, "--agent", WITNESS, "-p", "x"]);
    const real = await Deno.realPath(`${sandbox.project}/${dir}`);
    assert.equal(await Deno.realPath((await Deno.readTextFile(`${real}/where`)).trim()), real);
    await Deno.remove(`${real}/where`);
  }
  const missing = await runMain(sandbox, ["--cwd", "missing", "--agent", WITNESS, "-p", "x"]);
  assert.equal(missing.status, 3);
  assert.match(missing.stderr, /Cannot work in .*missing: there is no such directory/);
});

Deno.test("the agent inherits our environment and its mark, and nothing that is ours alone", async () => {
  await using sandbox = await openSandbox();
  await runMain(sandbox, ["--agent", WITNESS, "-p", "x"], { env: { GIVEN: "a\nb c" } });
  const variables = await Deno.readTextFile(`${sandbox.project}/variables`);
  assert.match(variables, /^GIVEN=a\nb c$/m);
  const names = variables.match(/^\w+(?==)/gm) ?? [];
  const shells = ["PWD", "OLDPWD", "SHLVL", "_"];
  const known = [...Object.keys(sandbox.env), "GIVEN", "MM_REPL_PROCESS", ...shells];
  assert.deepEqual(names.filter((name) => !known.includes(name)), []);
});

Deno.test("a row may say how a built-in agent is started, and be the default", async () => {
  await using sandbox = await openSandbox();
  await configure(sandbox, {
    agent: "opencode",
    agents: { opencode: { command: "sh", args: ["-c", "pwd > where; exit 1"] } },
  });
  await runMain(sandbox, ["-p", "x"]);
  assert.equal(await Deno.readTextFile(`${sandbox.project}/where`), `${sandbox.project}\n`);
});
