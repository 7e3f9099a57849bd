import assert from "node:assert/strict";
import { z } from "zod";
import { RpcError } from "../../src/base/rpc.ts";
import type { ToolResult } from "../../src/model/tool_manifest.ts";
import { joinToolboxes } from "../../src/toolbox/joined_toolbox.ts";
import { checkProgramTools, openProgramTools } from "../../src/toolbox/program_tools.ts";
import { type AnyToolDefinition, defineTool } from "../../src/toolbox/tool.ts";
import type { Toolbox, ToolCallRequest } from "../../src/toolbox/toolbox.ts";

const METHOD = "_org.mini-me.repl/tools/";

function open(...definitions: readonly AnyToolDefinition[]): Toolbox {
  return openProgramTools(checkProgramTools(definitions), "/somewhere");
}

function call(
  toolbox: Toolbox,
  name: string,
  params: unknown,
  request: Partial<ToolCallRequest> = {},
): Promise<ToolResult> {
  const { signal } = new AbortController();
  return toolbox.call({ method: METHOD + name, params, sessionId: "s1", signal, ...request });
}

function textOf({ content }: ToolResult): string {
  return content.map(({ text }) => String(text)).join("");
}

const double = defineTool({
  name: "double",
  description: "Twice a number.",
  inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
  handler: ({ n }) => ({ twice: n * 2 }),
});

Deno.test("a tool of a program is described like one of a file, and called with its arguments", async () => {
  const toolbox = open(double);
  assert.deepEqual(toolbox.descriptions(), [{
    name: "double",
    description: "Twice a number.",
    method: `${METHOD}double`,
    inputSchema: double.inputSchema,
  }]);
  assert.deepEqual(await call(toolbox, "double", { n: 4, _meta: {} }), {
    content: [{ type: "text", text: '{"twice":8}' }],
  });
});

Deno.test("a handler runs in the program itself, and is told where and by whom it is called", async () => {
  let calls = 0;
  const lines: unknown[] = [];
  const toolbox = open({
    name: "where",
    description: "Says where.",
    handler(_, { cwd, sessionId, log, progress }) {
      calls++;
      log("a");
      progress("b");
      return `${cwd} ${sessionId}`;
    },
  });
  const result = await call(toolbox, "where", {}, { onLog: (line) => lines.push(line) });
  assert.equal(textOf(result), "/somewhere s1");
  assert.equal(calls, 1);
  assert.deepEqual(lines, [{ kind: "log", text: "a" }, { kind: "progress", text: "b" }]);
});

Deno.test("wrong arguments and failing handlers are results with isError", async () => {
  const strict = defineTool({
    name: "strict",
    description: "Takes an e-mail address.",
    inputSchema: z.object({ to: z.email() }),
    handler: ({ to }) => to,
  });
  const toolbox = open(double, strict, {
    name: "fails",
    description: "Fails.",
    handler() {
      throw new Error("no luck");
    },
  });
  const cases: readonly (readonly [string, unknown, RegExp])[] = [
    ["double", {}, /double was not called.*"n" is missing/],
    ["strict", { to: "x" }, /strict was not called.*to/],
    ["fails", {}, /fails failed: no luck/],
  ];
  for (const [name, params, text] of cases) {
    const result = await call(toolbox, name, params);
    assert.equal(result.isError, true);
    assert.match(textOf(result), text);
  }
  assert.equal(textOf(await call(toolbox, "strict", { to: "a@example.org" })), "a@example.org");
});

Deno.test("a call ends at its time limit, when it is cancelled and when the toolbox closes", async () => {
  const reasons: unknown[] = [];
  const toolbox = open({
    name: "waits",
    description: "Waits.",
    timeout: 20,
    handler: (_, { signal }) =>
      new Promise((resolve) =>
        signal.addEventListener("abort", () => {
          reasons.push(signal.reason.name);
          resolve("too late");
        })
      ),
  }, {
    name: "waits on",
    description: "Waits.",
    handler: () => new Promise(() => {}),
  });
  assert.match(textOf(await call(toolbox, "waits", {})), /longer than its limit of 0.02 s/);
  assert.deepEqual(reasons, ["TimeoutError"]);

  const abort = new AbortController();
  const cancelled = call(toolbox, "waits_on", {}, { signal: abort.signal });
  abort.abort();
  await assert.rejects(cancelled, new RpcError(-32800, "Request cancelled"));
  await assert.rejects(call(toolbox, "waits_on", {}, { signal: abort.signal }), { code: -32800 });

  const open2 = call(toolbox, "waits_on", {});
  await toolbox.close();
  assert.match(textOf(await open2), /the session is closed/);
  assert.match(textOf(await call(toolbox, "waits_on", {})), /the session is closed/);
});

Deno.test("unknown methods and params that are no object are errors of the protocol", async () => {
  const toolbox = open(double);
  await assert.rejects(call(toolbox, "triple", {}), { code: -32601 });
  await assert.rejects(call(toolbox, "double", [1]), { code: -32602 });
});

Deno.test("definitions that cannot be offered are refused by name", () => {
  const handler = () => {};
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [{ description: "x", handler }, /has no name/],
    [{ name: "a", handler }, /"a": has no description/],
    [{ name: "a", description: "x" }, /has no handler/],
    [{ name: "a", description: "x", handler, timeout: -1 }, /timeout/],
    [{ name: "a", description: "x", handler, inputSchema: { type: "array" } }, /must be "object"/],
    [
      {
        name: "a",
        description: "x",
        handler,
        inputSchema: { type: "object", properties: { p: { type: "strin" } } },
      },
      /not a valid JSON Schema/,
    ],
  ];
  for (const [definition, message] of cases) {
    assert.throws(() => checkProgramTools([definition as AnyToolDefinition]), {
      code: "usage",
      message,
    });
  }
  const twice = { ...double, name: "Double!" };
  const other = { ...double, name: "double" };
  assert.throws(() => checkProgramTools([double, other]), {
    code: "usage",
    message: /another one/,
  });
  assert.equal(checkProgramTools([double, twice]).length, 2);
});

Deno.test("joinToolboxes() offers each model name once, that of the earliest toolbox", async () => {
  const first = open(double, { name: "b", description: "first", handler: () => "1" });
  const second = open(
    { name: "b", description: "second", handler: () => "2" },
    { name: "a", description: "a", handler: () => "a" },
  );
  const joined = joinToolboxes([first, second]);
  assert.deepEqual(joined.tools.map(({ name }) => name), ["a", "b", "double"]);
  assert.deepEqual(joined.descriptions().map(({ description }) => description), [
    "a",
    "first",
    "Twice a number.",
  ]);
  assert.match(joined.problems.map(({ reason }) => reason).join(), /"b" is left out/);
  assert.equal(textOf(await call(joined, "b", {})), "1");
  assert.equal(textOf(await call(joined, "a", {})), "a");
  await assert.rejects(call(joined, "c", {}), { code: -32601 });
  await joined.reload();
  await joined.close();
  assert.match(textOf(await call(joined, "a", {})), /closed/);
});
