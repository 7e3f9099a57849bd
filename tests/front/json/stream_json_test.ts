/**
 * `--output stream-json` is what its schema says.
 *
 * @module
 */

import assert from "node:assert/strict";
import { asArray, asObject, asString } from "../../../src/base/guards.ts";
import type { SessionEventType } from "../../../src/model/session.ts";
import { agentCommand, openSandbox, runMain, type Sandbox } from "../../support/run_main.ts";
import {
  ask,
  askPermission,
  commandLine,
  END_TURN,
  HANDSHAKE,
  INITIALIZE,
  PROMPT,
  say,
  scriptedAgent,
  type Step,
  update,
} from "../../support/scripted_agent.ts";

import { loadSchema } from "./schemas.ts";

const { schema, isValid, isExact, assertExact } = await loadSchema("stream-json.schema.json");

/** Whether an event may be in the stream. */
const IN_STREAM: Readonly<Record<SessionEventType, boolean>> = {
  session_opened: true,
  replay_started: false,
  replay_ended: false,
  update_received: true,
  prompt_sent: true,
  cancel_requested: true,
  turn_ended: true,
  permission_asked: true,
  permission_answered: true,
  tool_logged: true,
  terminal_created: true,
  terminal_output: true,
  terminal_exited: true,
  command_started: false,
  file_written: true,
  title_listed: true,
  mode_changed: true,
  model_changed: true,
  config_changed: true,
  notice_added: true,
  disconnected: true,
};

/** The lines of a run, each checked against the schema. */
async function stream(sandbox: Sandbox, agent: string, ...args: readonly string[]) {
  const { stdout, status } = await runMain(sandbox, [
    "--agent",
    agent,
    "--output",
    "stream-json",
    ...args,
  ]);
  const lines = stdout.trimEnd().split("\n").map((line) => asObject(JSON.parse(line)));
  lines.forEach(assertExact);
  const [first] = lines;
  assert.deepEqual([first?.type, first?.version], ["run_started", 1]);
  const last = lines.at(-1);
  assert.deepEqual([last?.type, last?.status], ["run_ended", status]);
  return { lines, types: lines.map(({ type }) => String(type)), error: asObject(last?.error) };
}

async function scripted(steps: readonly Step[], ...args: readonly string[]) {
  await using agent = await scriptedAgent(steps);
  await using sandbox = await openSandbox({ "a.txt": "old\n" });
  return await stream(sandbox, commandLine(agent), "-p", "go", ...args);
}

Deno.test("the schema of stream-json names exactly the events that there are", () => {
  const named = asArray(schema.oneOf).map((branch) => {
    const { type } = asObject(asObject(branch).properties);
    return asString(asObject(type).const);
  });
  const events = Object.entries(IN_STREAM).flatMap(([type, is]) => is ? type : []);
  assert.deepEqual(named.toSorted(), [...events, "run_ended", "run_started"].toSorted());
});

Deno.test("a line with a member that is missing or wrong is not what the schema says", () => {
  const line = { type: "mode_changed", modeId: "plan", at: 1 };
  assert.ok(isValid(line));
  assert.ok(isValid({ ...line, further: 1 }) && !isExact({ ...line, further: 1 }));
  for (const wrong of [{ modeId: 1 }, { modeId: undefined }, { type: "new" }, { at: "now" }]) {
    assert.equal(isValid(JSON.parse(JSON.stringify({ ...line, ...wrong }))), false);
  }
});

Deno.test("stream-json of a turn with everything in it is what the schema says", async () => {
  const terminal: Step[] = [
    ask(1, "terminal/create", { command: "echo", args: ["hi"] }),
    { expectAnswer: 1 },
  ];
  const { types, error } = await scripted(
    [
      ...INITIALIZE,
      { expect: "session/new" },
      {
        respond: {
          sessionId: "s1",
          modes: { currentModeId: "a", availableModes: [{ id: "a", name: "A" }] },
          models: { currentModelId: "m", availableModels: [{ modelId: "m", name: "M" }] },
        },
      },
      { expect: "session/set_mode" },
      { respond: {} },
      { expect: "session/set_model" },
      { respond: {} },
      PROMPT,
      say("half \ud83d"),
      { send: update({ sessionUpdate: "tool_call", toolCallId: "c", title: "Look" }) },
      askPermission(2, "c"),
      { expectAnswer: 2 },
      ...terminal,
      ask(3, "fs/write_text_file", { path: "$DIR/new.txt", content: "new\n" }),
      { expectAnswer: 3 },
      END_TURN,
    ],
    "--mode",
    "a",
    "--model",
    "m",
  );
  for (
    const type of [
      "session_opened",
      "mode_changed",
      "model_changed",
      "prompt_sent",
      "update_received",
      "permission_asked",
      "permission_answered",
      "terminal_created",
      "turn_ended",
    ]
  ) assert.ok(types.includes(type), `${type} in ${types}`);
  assert.equal(error.code, "permission_denied");
});

Deno.test("stream-json tells of client tools, commands and written files", async () => {
  await using sandbox = await openSandbox({
    "tools/say.ts": `export const description = "Says it.";
export function handler(_, { progress, log }) { progress("soon"); log("now"); return "it"; }
`,
  });
  const args = ["--trust-tools", "--yolo", "-p", "call say {}", "-p", "run echo hi"];
  const agent = agentCommand("--discovery", "request");
  const { types } = await stream(sandbox, agent, ...args);
  for (const type of ["tool_logged", "terminal_output", "terminal_exited", "permission_answered"]) {
    assert.ok(types.includes(type), `${type} in ${types}`);
  }
});

Deno.test("stream-json tells why a run has failed, whatever the cause", async () => {
  const failed = await scripted([
    ...HANDSHAKE,
    PROMPT,
    { stderr: "no quota\n" },
    { fail: { code: -32603, message: "Internal error", data: { details: "no quota" } } },
  ]);
  assert.deepEqual([failed.error.code, asObject(failed.error.rpc).code], ["turn_failed", -32603]);

  const died = await scripted([...HANDSHAKE, PROMPT, { stderr: "ouch\n" }, { die: "SIGKILL" }]);
  assert.equal(died.error.code, "agent_died");
  assert.ok(died.types.includes("disconnected"), String(died.types));

  const late = await scripted([...HANDSHAKE, PROMPT, say("x"), { hang: true }], "--timeout", "1");
  assert.equal(late.error.code, "timeout");
  assert.ok(late.types.includes("cancel_requested"), String(late.types));

  const early = await scripted([{ expect: "initialize" }, { exit: 9 }]);
  assert.equal(early.error.code, "agent_exited");
  assert.ok(early.types.includes("notice_added"), String(early.types));
});

Deno.test("stream-json leaves the history of a resumed session out", async () => {
  const { types } = await scripted(
    [
      { expect: "initialize" },
      { respond: { protocolVersion: 1, agentCapabilities: { loadSession: true } } },
      { expect: "session/load" },
      say("old"),
      { respond: null },
      PROMPT,
      say("new"),
      END_TURN,
    ],
    "--resume",
    "s1",
  );
  assert.deepEqual(types, [
    "run_started",
    "session_opened",
    "prompt_sent",
    "update_received",
    "turn_ended",
    "run_ended",
  ]);
});
