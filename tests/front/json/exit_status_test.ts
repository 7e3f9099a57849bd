/**
 * Every row of the table of errors, reached by the real program: its code in the document of
 * `--output json`, and its exit status.
 *
 * @module
 */

import assert from "node:assert/strict";
import { ERROR_TABLE, type ErrorCode } from "../../../src/base/errors.ts";
import { runInShell } from "../../support/run_in_shell.ts";
import { openSandbox, runMain } from "../../support/run_main.ts";
import {
  askPermission,
  commandLine,
  END_TURN,
  HANDSHAKE,
  INITIALIZE,
  isAlive,
  PROMPT,
  say,
  scriptedAgent,
  type Step,
  update,
} from "../../support/scripted_agent.ts";
import { runScript, spawnRun, stop } from "./runs.ts";
import { loadSchema } from "./schemas.ts";

const { assertExact } = await loadSchema("json.schema.json");

/** What leads to a code: what the agent does, and the arguments besides the prompt. */
interface Case {
  readonly steps?: readonly Step[];
  readonly args?: readonly string[];
  /** What the answer is, beside the failure. */
  readonly text?: string;
}

const TURN: readonly Step[] = [...HANDSHAKE, PROMPT, say("partial")];
const internal = (message: string): Step => ({ fail: { code: -32603, message } });

const CASES: Readonly<Record<ErrorCode, Case | "a signal" | "the reader" | "elsewhere">> = {
  turn_failed: { steps: [...TURN, internal("overloaded")], text: "partial" },
  refusal: { steps: [...TURN, stop("refusal")], text: "partial" },
  agent_died: { steps: [...TURN, { die: "SIGKILL" }], text: "partial" },
  not_supported: {
    steps: [...HANDSHAKE, { expect: "session/set_mode" }, {
      fail: { code: -32601, message: "Method not found" },
    }],
    args: ["--mode", "plan"],
  },
  session_not_found: {
    steps: [
      { expect: "initialize" },
      { respond: { protocolVersion: 1, agentCapabilities: { loadSession: true } } },
      { expect: "session/load" },
      { fail: { code: -32602, message: "unknown session" } },
    ],
    args: ["--resume", "gone"],
  },
  request_failed: {
    steps: [...HANDSHAKE, { expect: "session/set_mode" }, internal("not now")],
    args: ["--mode", "plan"],
  },
  tool: "elsewhere",
  internal: "elsewhere",
  usage: { args: ["--yolo", "--permissions", "deny"] },
  config: { args: ["--config", "/no/such/file.jsonc"] },
  agent_not_found: { args: ["--agent", "no-such-agent"] },
  agent_directory: { args: ["--cwd", "/no/such/directory"] },
  agent_exited: { steps: [{ expect: "initialize" }, { exit: 9 }] },
  agent_silent: {
    steps: [{ expect: "initialize" }, { hang: true }],
    args: ["--config", "$CONFIG"],
  },
  protocol_version: {
    steps: [{ expect: "initialize" }, { respond: { protocolVersion: 2, agentCapabilities: {} } }],
  },
  handshake: { steps: [...INITIALIZE, { expect: "session/new" }, internal("no model")] },
  permission_denied: {
    steps: [...TURN, askPermission(1, "c"), { expectAnswer: 1 }, END_TURN],
    text: "partial",
  },
  timeout: { steps: [...TURN, { hang: true }], args: ["--timeout", "1"], text: "partial" },
  auth: {
    steps: [...INITIALIZE, { expect: "session/new" }, {
      fail: { code: -32000, message: "Authentication required" },
    }],
  },
  max_tokens: { steps: [...TURN, stop("max_tokens")], text: "partial" },
  max_turn_requests: { steps: [...TURN, stop("max_turn_requests")], text: "partial" },
  cancelled: { steps: [...TURN, stop("cancelled")], text: "partial" },
  unknown_stop_reason: { steps: [...TURN, stop("brand_new")], text: "partial" },
  hangup: "a signal",
  interrupted: "a signal",
  output_closed: "the reader",
  output_failed: "the reader",
  quit: "a signal",
  terminated: "a signal",
};

for (const [code, how] of Object.entries(CASES) as [ErrorCode, (typeof CASES)[ErrorCode]][]) {
  if (typeof how === "string") continue;
  const { exit } = ERROR_TABLE[code];
  Deno.test(`-p exits with ${exit} for ${code}, and says so in its document and on stderr`, async () => {
    await using agent = await scriptedAgent(how.steps ?? []);
    await using sandbox = await openSandbox();
    const config = `${sandbox.home}/impatient.jsonc`;
    await Deno.writeTextFile(config, '{ "startTimeout": 1 }');
    const args = (how.args ?? []).map((arg) => arg.replace("$CONFIG", config));
    const named = args.includes("--agent") ? [] : [
      "--agent",
      [
        agent.spec.command,
        ...agent.spec.args,
      ].map((word) => `'${word}'`).join(" "),
    ];
    const run = await runMain(sandbox, [...named, "-p", "go", "--output", "json", ...args]);
    const document = JSON.parse(run.stdout);
    assertExact(document);
    assert.deepEqual([document.error?.code, run.status], [code, exit], run.stderr);
    assert.equal(document.text, how.text ?? "");
    assert.notEqual(run.stderr.trim(), "");
    assert.doesNotMatch(run.stderr, /^\s+at .*\.ts:\d+/m);
    for (const pid of await agent.pids()) assert.equal(await isAlive(pid), false);
  });
}

Deno.test("-p exits with 0 when the turn ends, and only then", async () => {
  const run = await runScript([...TURN, END_TURN], ["-p", "go", "--output", "json"]);
  const { text, stopReason, error } = JSON.parse(run.stdout);
  assert.deepEqual([text, stopReason, error, run.status], ["partial", "end_turn", null, 0]);
  const zero = Object.values(ERROR_TABLE).filter(({ exit }) => (exit as number) === 0);
  assert.deepEqual(zero, []);
});

const SIGNALS = {
  hangup: "SIGHUP",
  interrupted: "SIGINT",
  quit: "SIGQUIT",
  terminated: "SIGTERM",
} as const;

for (const [code, signal] of Object.entries(SIGNALS)) {
  const { exit } = ERROR_TABLE[code as keyof typeof SIGNALS];
  Deno.test(`-p ends on ${signal} with ${exit} and a whole document`, async () => {
    const call: Step = {
      send: update({ sessionUpdate: "tool_call", toolCallId: "c", title: "Look" }),
    };
    await using agent = await scriptedAgent([...TURN, call, { hang: true }]);
    await using sandbox = await openSandbox();
    const child = spawnRun(agent, sandbox, ["-p", "go", "--output", "json"]);
    const stdout = new Response(child.stdout).text();
    let said = "";
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
      const before = said.includes("Look: started");
      said += text;
      if (!before && said.includes("Look: started")) child.kill(signal);
    }
    const document = JSON.parse(await stdout);
    const { code: status } = await child.status;
    assert.deepEqual([document.error.code, status], [code, exit]);
    assert.equal(document.text, "partial");
    for (const pid of await agent.pids()) assert.equal(await isAlive(pid), false);
  });
}

Deno.test("-p … | head -1 shows the first line, ends the agent, exits with 141 and says nothing", async () => {
  await using agent = await scriptedAgent([
    ...HANDSHAKE,
    PROMPT,
    { repeat: [say("a line of text that goes on\n")], times: 20_000 },
    { expect: "session/cancel" },
  ]);
  await using sandbox = await openSandbox();
  const [program = "", ...args] = [Deno.execPath(), "run", "-A", "--no-check"];
  const main = new URL("../../../main.ts", import.meta.url).pathname;
  const command = [agent.spec.command, ...agent.spec.args].map((word) => `'${word}'`).join(" ");
  const { stdout, stderr } = await new Deno.Command("bash", {
    args: [
      "-c",
      '"$@" | head -1; echo "status ${PIPESTATUS[0]}"',
      "bash",
      program,
      ...args,
      main,
      "--agent",
      command,
      "-p",
      "go",
    ],
    cwd: sandbox.project,
    clearEnv: true,
    env: { ...sandbox.env },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  assert.equal(decoder.decode(stdout), "a line of text that goes on\nstatus 141\n");
  assert.equal(decoder.decode(stderr), "");
  for (const pid of await agent.pids()) assert.equal(await isAlive(pid), false);
});

Deno.test("-p says that a full disk could not take the answer, and exits with its own status", async () => {
  await using agent = await scriptedAgent([...TURN, END_TURN]);
  await using sandbox = await openSandbox();
  const { status, stderr } = await runInShell(
    sandbox,
    ["--agent", commandLine(agent), "-p", "go"],
    { script: '"$@" > /dev/full' },
  );
  assert.equal(status, ERROR_TABLE.output_failed.exit);
  assert.match(stderr, /Cannot write to stdout/);
});
