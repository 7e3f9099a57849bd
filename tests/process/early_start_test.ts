import assert from "node:assert/strict";
import { startEarly } from "../../src/process/early_start.ts";
import type { ProcessSpec } from "../../src/process/spawn.ts";

const sleeper: ProcessSpec = { command: "sleep", args: ["60"], cwd: "/" };

Deno.test("startEarly() gives the process that runs already, once, and others after it", async () => {
  const start = startEarly(sleeper);
  const [first, second] = await Promise.all([start(sleeper), start(sleeper)]);
  try {
    assert.notEqual(first.pid, second.pid);
  } finally {
    await Promise.all([first.stop({ graceMs: 0 }), second.stop({ graceMs: 0 })]);
  }
});

Deno.test("startEarly() tells why it failed to the one who asks for the process", async () => {
  const start = startEarly({ ...sleeper, command: "/nonexistent/agent" });
  await assert.rejects(start(sleeper), { code: "agent_not_found" });
});
