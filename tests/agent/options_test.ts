import assert from "node:assert/strict";
import {
  AGENT_OPTION_ROWS,
  DEFAULT_AGENT_OPTIONS,
  parseAgentOptions,
} from "../../src/agent/mod.ts";
import { MmError } from "../../src/base/errors.ts";

Deno.test("parseAgentOptions() gives the defaults when nothing is said", () => {
  assert.deepEqual(parseAgentOptions({}), DEFAULT_AGENT_OPTIONS);
});

Deno.test("every row shows the default that is in force", () => {
  for (const row of AGENT_OPTION_ROWS) {
    assert.equal(row.parse(row.default), DEFAULT_AGENT_OPTIONS[row.key], row.flag);
    assert.ok(row.values && row.description);
  }
  const keys = AGENT_OPTION_ROWS.map(({ key }) => key).sort();
  assert.deepEqual(keys, Object.keys(DEFAULT_AGENT_OPTIONS).sort());
});

Deno.test("parseAgentOptions() reads every flag", () => {
  const flags = {
    discovery: "request",
    permissions: "ask",
    yolo: true,
    timeout: "1.5s",
    "max-output": "100",
    enabled: "false",
    pause: "0",
  };
  assert.deepEqual(parseAgentOptions(flags), {
    discovery: "request",
    permissions: "ask",
    yolo: true,
    timeoutMs: 1500,
    maxOutput: 100,
    enabled: false,
    pauseMs: 0,
  });
});

Deno.test("parseAgentOptions() refuses a value that a flag does not take", () => {
  const wrong = { discovery: "auto", timeout: "soon", "max-output": "-1", yolo: "maybe" };
  for (const [flag, value] of Object.entries(wrong)) {
    assert.throws(() => parseAgentOptions({ [flag]: value }), (error) => {
      assert.ok(error instanceof MmError && error.code === "usage");
      assert.ok(error.message.includes(`--${flag} ${value}`));
      return true;
    });
  }
});
