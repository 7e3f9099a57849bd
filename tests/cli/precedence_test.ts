/**
 * Which of several settings counts, in the real program: flags, then the project's file, then the
 * user's.
 *
 * @module
 */

import assert from "node:assert/strict";
import { openSandbox, runMain, type Sandbox } from "../support/run_main.ts";
import {
  askPermission,
  commandLine,
  END_TURN,
  HANDSHAKE,
  INITIALIZE,
  PROMPT,
  scriptedAgent,
  SESSION,
} from "../support/scripted_agent.ts";

const OPTIONS = [{
  id: "m",
  name: "Model",
  category: "model",
  type: "select",
  currentValue: "agents",
  options: ["agents", "users", "projects", "files", "flags"].map((value) => ({
    value,
    name: value,
  })),
}];

async function configure({ home }: Sandbox, text: string): Promise<void> {
  await Deno.mkdir(`${home}/.config/mm-repl`, { recursive: true });
  await Deno.writeTextFile(`${home}/.config/mm-repl/config.jsonc`, text);
}

Deno.test("a flag goes before the project's file, that before the user's, which --config replaces", async () => {
  await using sandbox = await openSandbox({ "other.jsonc": '{ "model": "files" }' });
  await configure(sandbox, '{ "model": "users" }');
  const model = async (...args: readonly string[]) => {
    await using agent = await scriptedAgent([
      ...INITIALIZE,
      { expect: "session/new" },
      { respond: { sessionId: SESSION, configOptions: OPTIONS } },
      { expect: "session/set_config_option" },
      { respond: {} },
      PROMPT,
      END_TURN,
    ]);
    const run = await runMain(sandbox, ["--agent", commandLine(agent), "-p", "go", ...args]);
    assert.equal(run.status, 0, run.stderr);
    return (await agent.received()).find(({ method }) => method === "session/set_config_option")
      ?.params;
  };
  const chosen = (value: string) => ({ sessionId: SESSION, configId: "m", value });
  assert.deepEqual(await model(), chosen("users"));
  assert.deepEqual(await model("--config", "other.jsonc"), chosen("files"));
  await sandbox.write(".mm-repl.jsonc", '{ "model": "projects" }');
  assert.deepEqual(await model(), chosen("projects"));
  assert.deepEqual(await model("--config", "other.jsonc"), chosen("projects"));
  assert.deepEqual(await model("--model", "flags"), chosen("flags"));
});

Deno.test("a flag goes before both files about permissions, too, but not before a deny", async () => {
  await using sandbox = await openSandbox({ ".mm-repl.jsonc": '{ "permissions": "deny" }' });
  const asked = async (...args: readonly string[]) => {
    await using agent = await scriptedAgent([
      ...HANDSHAKE,
      PROMPT,
      askPermission(1, "c"),
      { expectAnswer: 1 },
      END_TURN,
    ]);
    const run = await runMain(sandbox, ["--agent", commandLine(agent), "-p", "go", ...args]);
    const [answer] = await agent.answersTo(1);
    return [run.status, JSON.stringify(answer?.result).includes('"y"')];
  };
  await configure(sandbox, '{ "permissions": "allow" }');
  assert.deepEqual(await asked(), [4, false], "the project's file may narrow");
  assert.deepEqual(await asked("--permissions", "allow"), [0, true]);
  assert.deepEqual(await asked("--yolo"), [0, true]);
  await configure(sandbox, '{ "permissionRules": [{ "tool": "*", "action": "deny" }] }');
  assert.deepEqual(await asked("--yolo"), [0, false], "nobody had to be asked");
});
