/**
 * Client tools in the real program, with the embedded agent as mini-me in both of its modes.
 *
 * @module
 */

import assert from "node:assert/strict";
import { agentCommand, openSandbox, runMain, type Sandbox } from "../support/run_main.ts";

const GREET = `export const description = "Greets.";
export const inputSchema = {
  type: "object",
  properties: { name: { type: "string" }, loud: { type: "boolean", default: false } },
  required: ["name"],
};
export const permissions = { read: ["."] };
export async function handler({ name, loud }, ctx) {
  ctx.progress("greeting " + name);
  ctx.log("in " + ctx.cwd);
  const greeting = await Deno.readTextFile(ctx.cwd + "/greeting.txt");
  return greeting.trim() + ", " + (loud ? name.toUpperCase() : name);
}
`;

const FILES = { "tools/greet.ts": GREET, "greeting.txt": "Hello\n" };

/** Lets the agent call the tool, and gives the answer and what else was said. */
async function callByAgent(sandbox: Sandbox, agent: string, ...flags: readonly string[]) {
  const args = ["--trust-tools", "--agent", agent, ...flags, "-p", 'call greet {"name": "you"}'];
  return await runMain(sandbox, args);
}

Deno.test("a tool is called in every mode of the agent, however tools are offered that can reach it", async (t) => {
  const modes = ["request", "meta"] as const;
  for (const mode of modes) {
    const agent = agentCommand("--discovery", mode, "--yolo");
    for (const discovery of ["auto", ...modes]) {
      await t.step(`agent ${mode}, offered ${discovery}`, async () => {
        await using sandbox = await openSandbox(FILES);
        const run = await callByAgent(sandbox, agent, "--discovery", discovery);
        const reaches = discovery === "auto" || discovery === mode ||
          // An agent that asks is answered, whatever it was told before.
          mode === "request";
        assert.match(run.stdout, reaches ? /Hello, you/ : /no client tools/, run.stderr);
        const says = run.stderr.match(/acp\.clientTools\.discovery: request/g)?.length ?? 0;
        assert.equal(says, mode === "meta" && discovery !== "meta" ? 1 : 0, run.stderr);
      });
    }
  }
});

Deno.test("auto remembers the mode of an agent, and follows it when it is changed", async () => {
  await using sandbox = await openSandbox(FILES);
  // One command whose mode is in a file, as mini-me's is in its agent file.
  const agent = `sh -c "exec ${agentCommand().replaceAll("'", "")} --yolo --discovery $(cat mode)"`;
  const starts = async (mode: string) => {
    await sandbox.write("mode", mode);
    const trace = `${sandbox.home}/trace.jsonl`;
    await Deno.writeTextFile(trace, "");
    const run = await callByAgent(sandbox, agent, "--trace", trace);
    assert.match(run.stdout, /Hello, you/, run.stderr);
    return (await Deno.readTextFile(trace)).match(/"method":"initialize"/g)?.length;
  };
  assert.equal(await starts("meta"), 2);
  assert.equal(await starts("meta"), 1);
  assert.equal(await starts("request"), 1);
  assert.equal(await starts("request"), 1);
  assert.equal(await starts("meta"), 2);
});

Deno.test("what a tool says about its call is on stderr, never on stdout", async () => {
  await using sandbox = await openSandbox(FILES);
  const agent = agentCommand("--discovery", "request", "--yolo");
  const run = await callByAgent(sandbox, agent);
  assert.doesNotMatch(run.stdout, /greeting you/);
  assert.match(run.stderr, /^ {2}greet: greeting you\n {2}greet: in \/.*project$/m);
});

Deno.test("tools call reads arguments from stdin, and works in another directory when told so", async () => {
  await using sandbox = await openSandbox({ ...FILES, "other/greeting.txt": "Salve\n" });
  const call = (args: readonly string[], stdin?: string) =>
    runMain(sandbox, ["tools", "call", "--trust-tools", ...args], { stdin });
  const piped = await call(["greet", "-"], '{\n  "name": "you",\n  "loud": true\n}\n');
  assert.deepEqual([piped.status, piped.stdout], [0, "Hello, YOU\n"]);
  const elsewhere = await call(["greet", "--session-cwd", "other", "name=12"]);
  assert.deepEqual([elsewhere.status, elsewhere.stdout], [0, "Salve, 12\n"]);
  assert.match(elsewhere.stderr, /log: in .*\/project\/other\n/);
  const wrong = await call(["greet", "-"], "[1]");
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /Cannot read the arguments: they are not a JSON object/);
});

Deno.test("tools list and check give everything as JSON; check exits with 1 for a problem", async () => {
  await using sandbox = await openSandbox({
    ...FILES,
    "tools/broken.ts": "export const x: = 1;\n",
  });
  for (const [command, status] of [["list", 0], ["check", 1]] as const) {
    const run = await runMain(sandbox, ["tools", command, "--json"]);
    assert.equal(run.status, status, run.stderr);
    const { tools, problems } = JSON.parse(run.stdout);
    assert.deepEqual(
      tools.map(({ name, model, permissions, origin, method }: Record<string, unknown>) => [
        name,
        (model as { name: string }).name,
        permissions,
        origin,
        method,
      ]),
      [["greet", "client_greet", { read: ["."] }, "project", "_org.mini-me.repl/tools/greet"]],
    );
    assert.match(tools[0].model.description, /Required parameters: name/);
    const [{ reason, ...place }] = problems;
    const file = `${sandbox.project}/tools/broken.ts`;
    assert.deepEqual([problems.length, place], [1, { file, line: 1, column: 17 }]);
    assert.match(reason, /xpect/);
  }
});

/** Tools that misbehave, with what the agent is told. */
const TROUBLE: { readonly [name: string]: readonly [body: string, told: RegExp] } = {
  throws: [`throw new Error("no luck");`, /throws failed: no luck/],
  rejects_later: [
    `setTimeout(() => Promise.reject(new Error("late")), 10); await new Promise(() => {});`,
    /rejects_later failed: an error was not caught: Error: late/,
  ],
  loops: ["for (;;);", /loops failed: it took longer than its limit of 1 s/],
  exits: ["Deno.exit(0);", /exits failed: it ended itself/],
  prints: [
    `console.log('{"jsonrpc":"2.0","method":"session/cancel"}'); console.error("x"); return "quiet";`,
    /quiet/,
  ],
  reads: [
    `return Deno.readTextFileSync(Deno.env.get("HOME") + "/.ssh/id");`,
    /Requires env access/,
  ],
  huge: [`return "x".repeat(11_000_000);`, /huge failed: its result has 10\.5 MB/],
};

Deno.test("whatever a tool does, the program answers the next prompt, and nothing of it is left", async () => {
  const files = Object.entries(TROUBLE).map(([name, [body]]) => [
    `tools/${name}.ts`,
    `export const description = "x";
    export const timeout = 1_000;
    export async function handler() { ${body} }
    `,
  ]);
  await using sandbox = await openSandbox({ ...Object.fromEntries(files), ...FILES });
  const agent = agentCommand("--discovery", "request", "--yolo");
  const args = Object.keys(TROUBLE)
    .flatMap((name) => ["-p", `call ${name} {}`, "-p", 'call greet {"name": "you"}']);
  const run = await runMain(sandbox, ["--trust-tools", "--agent", agent, ...args]);
  for (const [name, [, told]] of Object.entries(TROUBLE)) assert.match(run.stdout, told, name);
  const good = run.stdout.match(/Hello, you/g)?.length;
  assert.equal(good, Object.keys(TROUBLE).length, run.stdout + run.stderr);
  assert.doesNotMatch(run.stdout, /session\/cancel/);
  const { stdout } = await new Deno.Command("ps", { args: ["-eo", "args"] }).output();
  assert.ok(!new TextDecoder().decode(stdout).includes(sandbox.project));
});
