import assert from "node:assert/strict";
import { notTaken, parseToolLine, ToolReceptions } from "../../src/api/tool_reception.ts";

Deno.test("parseToolLine() reads what mini-me says about client tools, and nothing else", () => {
  const lines: Record<string, unknown> = {
    '"org.mini-me/tools" is not a list of tools; a client that answers _org.mini-me/tools/list needs acp.clientTools.discovery: request':
      { type: "wants_list" },
    '[acp] client tools: "org.mini-me/tools" is not a list of tools; a client that answers _org.mini-me/tools/list needs acp.clientTools.discovery: request':
      { type: "wants_list" },
    "[acp] client tools (meta): client_a, client_b": {
      type: "taken",
      names: ["client_a", "client_b"],
    },
    "[acp] client tools (meta):": { type: "taken", names: [] },
    "2026-01-02T03:04:05 [acp] session 2026-1f3a client tools (request): client_a\r": {
      type: "taken",
      names: ["client_a"],
      sessionId: "2026-1f3a",
    },
    "[acp] client tools: entry 2 skipped: no name": {
      type: "skipped",
      index: 2,
      reason: "no name",
    },
    "[acp] client tools: list request failed: timeout": {
      type: "trouble",
      text: "list request failed: timeout",
    },
    "[acp] session s1 opened": undefined,
    "client tools: nothing": undefined,
    "": undefined,
  };
  for (const [line, expected] of Object.entries(lines)) {
    assert.deepEqual(parseToolLine(line), expected, line);
  }
});

Deno.test("a skipped entry is named, and each trouble is told once", () => {
  const told: string[] = [];
  const receptions = new ToolReceptions((text) => told.push(text));
  receptions.sent([{ name: "a", method: "_a" }, { name: "b c", method: "_b" }], "s1");
  for (let again = 0; again < 2; again++) {
    receptions.take({ type: "skipped", index: 1, reason: "no name" });
    receptions.take({ type: "skipped", index: 7, reason: "no name" });
    receptions.take({ type: "trouble", text: "the list request failed" });
  }
  assert.deepEqual(told, [
    'The agent leaves out the tool "b c": no name',
    'The agent leaves out the tool "number 8": no name',
    "The agent says about the tools: the list request failed. /tools reload lets it ask again",
  ]);
  assert.deepEqual(receptions.of("s1"), { asked: true, troubles: told });
});

Deno.test("what the agent has is known for one session, or for all", () => {
  const receptions = new ToolReceptions(() => {});
  const tools = [{ name: "a", method: "_a" }, { name: "b c", method: "_b" }];
  assert.deepEqual(notTaken(tools, receptions.of("s1")), []);
  receptions.take({ type: "taken", names: ["client_a"] });
  receptions.take({ type: "taken", names: ["client_b_c"], sessionId: "s1" });
  assert.deepEqual(notTaken(tools, receptions.of("s1")), ["a"]);
  assert.deepEqual(notTaken(tools, receptions.of("s2")), ["b c"]);
});
