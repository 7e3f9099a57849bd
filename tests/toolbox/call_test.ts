import assert from "node:assert/strict";
import { RPC, RpcError } from "../../src/base/rpc.ts";
import { liveGroups } from "../support/live_groups.ts";
import { call, isAlive, textOf, tool, until, Workshop } from "./workshop.ts";

const SCHEMA = `export const inputSchema = {
  type: "object",
  properties: {
    path: { type: "string" },
    mode: { enum: ["fast", "slow"], default: "fast" },
    nested: {
      type: "object",
      properties: { list: { type: "array", items: { $ref: "#/$defs/whole" } } },
      additionalProperties: false,
    },
  },
  required: ["path"],
  additionalProperties: false,
  $defs: { whole: { type: "integer" } },
};`;

Deno.test("call() turns what a handler returns into a result", async (t) => {
  const returned: Record<string, readonly [body: string, expected: unknown]> = {
    text: [`return "a\\nb";`, { content: [{ type: "text", text: "a\nb" }] }],
    nothing: ["", { content: [{ type: "text", text: "" }] }],
    number: ["return 42;", { content: [{ type: "text", text: "42" }] }],
    none: ["return null;", { content: [{ type: "text", text: "null" }] }],
    object: [`return { a: [1, "é"] };`, { content: [{ type: "text", text: '{"a":[1,"é"]}' }] }],
    blocks: [
      `return { content: [{ type: "image", data: "aGk=", mimeType: "image/png" }, { type: "text", text: "x" }] };`,
      {
        content: [
          { type: "image", data: "aGk=", mimeType: "image/png" },
          { type: "text", text: "x" },
        ],
        isError: false,
      },
    ],
    failed: [
      `return { content: [{ type: "text", text: "no" }], isError: true };`,
      { content: [{ type: "text", text: "no" }], isError: true },
    ],
    not_blocks: [
      `return { content: ["x"] };`,
      { content: [{ type: "text", text: '{"content":["x"]}' }] },
    ],
    cyclic: [
      "const a: Record<string, unknown> = {}; a.a = a; return a;",
      /^failed: cyclic failed: its result cannot be turned into JSON: .*circular/,
    ],
    bigint: ["return 1n;", /^failed: bigint failed: its result cannot be turned into JSON/],
    method: ["return () => 1;", /^failed: method failed: it returned a function/],
    throws_object: [`throw { reason: "odd" };`, /^failed: throws_object failed: {"reason":"odd"}$/],
    throws_nothing: ["throw undefined;", /^failed: throws_nothing failed: undefined$/],
    huge: [
      `return "x".repeat(11 * 1024 * 1024);`,
      /^failed: huge failed: its result has 11\.0 MB and the limit is 10 MB/,
    ],
    huge_in_bytes: [
      `return "日".repeat(4 * 1024 * 1024);`,
      /^failed: huge_in_bytes failed: its result has 12\.0 MB and the limit is 10 MB/,
    ],
  };
  await using workshop = new Workshop();
  for (const [name, [body]] of Object.entries(returned)) workshop.write(`${name}.ts`, tool(body));
  workshop.write("large.ts", tool(`return "é".repeat(4_000_000);`));
  const toolbox = await workshop.open();
  for (const [name, [, expected]] of Object.entries(returned)) {
    await t.step(name, async () => {
      const result = await call(toolbox, name);
      if (expected instanceof RegExp) assert.match(textOf(result), expected);
      else assert.deepEqual(result, expected);
    });
  }
  await t.step("large", async () => {
    assert.equal(textOf(await call(toolbox, "large")), "é".repeat(4_000_000));
  });
});

Deno.test("call() validates arguments against the whole schema and says what to change", async () => {
  await using workshop = new Workshop({
    "checked.ts": tool("return args;", SCHEMA),
    "old.ts": tool(
      "return args;",
      `export const inputSchema = {
        $schema: "http://json-schema.org/draft-07/schema#",
        definitions: { a: { type: "string" } },
        properties: { pair: { type: "array", items: [{ $ref: "#/definitions/a" }] } },
      };`,
    ),
    "free.ts": tool("return args;"),
    "inherited.ts": tool(
      "return Object.entries(args);",
      `export const inputSchema = {
        required: ["toString"],
        properties: { constructor: { type: "string" } },
        additionalProperties: false,
      };`,
    ),
    "constructor.ts": tool("return args;"),
  });
  const toolbox = await workshop.open();
  const checked = async (args: unknown) => textOf(await call(toolbox, "checked", args));
  const wrong = "failed: checked was not called, its arguments are wrong:";
  assert.equal(await checked({ path: "x" }), '{"path":"x","mode":"fast"}');
  assert.equal(await checked({}), `${wrong} "path" is missing`);
  assert.equal(await checked({ path: 1 }), `${wrong} "path" must be string`);
  assert.equal(
    await checked({ path: "x", mode: "medium" }),
    `${wrong} "mode" must be one of ["fast","slow"]`,
  );
  assert.equal(
    await checked({ path: "x", nested: { list: [1, "2"] } }),
    `${wrong} "nested.list[1]" must be integer`,
  );
  assert.equal(await checked({ path: "x", typo: 1 }), `${wrong} "typo" is not a parameter`);
  assert.match(textOf(await call(toolbox, "old", { pair: [1] })), /"pair\[0\]" must be string$/);
  assert.equal(textOf(await call(toolbox, "free", { any: [1] })), '{"any":[1]}');
  const inherited = (json: string) => call(toolbox, "inherited", JSON.parse(json)).then(textOf);
  assert.match(await inherited("{}"), /"toString" is missing$/);
  assert.match(await inherited(`{"toString":1,"__proto__":{"a":1}}`), /"__proto__" is not a param/);
  assert.match(await inherited(`{"toString":1,"constructor":1}`), /"constructor" must be string/);
  assert.equal(textOf(await call(toolbox, "constructor", { any: 1 })), '{"any":1}');
});

Deno.test("call() names the format that a long pattern stands for, and shows a short pattern", async () => {
  await using workshop = new Workshop({
    "dated.ts": tool(
      "return args;",
      `export const inputSchema = {
        type: "object",
        properties: {
          day: { type: "string", format: "date", pattern: "^(?:" + "\\\\d\\\\d|".repeat(50) + "x)$" },
          code: { type: "string", format: "email", pattern: "^[a-z]+$" },
        },
      };`,
    ),
  });
  const toolbox = await workshop.open();
  assert.equal(
    textOf(await call(toolbox, "dated", { day: "soon", code: "1" })),
    'failed: dated was not called, its arguments are wrong: "day" must be in the format date; ' +
      '"code" must match pattern "^[a-z]+$"',
  );
});

Deno.test("the log of a call speaks of permissions, not of flags that nobody can give", async () => {
  await using workshop = new Workshop({
    "reads.ts": tool(`return await Deno.readTextFile("/etc/hosts");`),
  });
  const logs: string[] = [];
  await call(await workshop.open(), "reads", {}, { logs });
  assert.match(logs.join("\n"), /which its "permissions" do not grant \(read\)/);
  assert.doesNotMatch(logs.join("\n"), /--allow/);
});

Deno.test("call() takes _meta out and gives the handler its session", async () => {
  await using workshop = new Workshop({
    "context.ts": tool(`
      ctx.progress("half way");
      ctx.log("a detail");
      return { args, session: ctx.sessionId, cwd: ctx.cwd, own: Deno.cwd === undefined };`),
  });
  const toolbox = await workshop.open();
  const logs: string[] = [];
  const params = { a: 1, _meta: { "org.mini-me/sessionId": "s7" } };
  const text = textOf(await call(toolbox, "context", params, { sessionId: "s7", logs }));
  assert.deepEqual(JSON.parse(text), {
    args: { a: 1 },
    session: "s7",
    cwd: workshop.cwd,
    own: false,
  });
  assert.deepEqual(logs, ["progress: half way", "log: a detail"]);
});

Deno.test("call() rejects unknown methods, malformed params and cancelled requests only", async () => {
  await using workshop = new Workshop({ "good.ts": tool(`return "good";`) });
  const toolbox = await workshop.open();
  const [good] = toolbox.descriptions();
  const request = {
    method: good?.method ?? "",
    params: {},
    sessionId: "s",
    signal: new AbortController().signal,
  };
  const code = (code: number) => (error: unknown) =>
    error instanceof RpcError && error.code === code;
  await assert.rejects(
    toolbox.call({ ...request, method: "_other/tool" }),
    code(RPC.methodNotFound),
  );
  for (const params of [[], null, "x", 1]) {
    await assert.rejects(toolbox.call({ ...request, params }), code(RPC.invalidParams));
  }
  await assert.rejects(
    toolbox.call({ ...request, signal: AbortSignal.abort() }),
    code(RPC.requestCancelled),
  );
  assert.equal(textOf(await toolbox.call({ ...request, params: undefined })), "good");
});

Deno.test("cancelling a call aborts the handler's signal and leaves its process alone", async () => {
  await using workshop = new Workshop({
    "polite.ts": `
      let aborted = 0;
      export const description = "x";
      export async function handler({ wait }: { wait?: boolean }, ctx: { signal: AbortSignal; progress(text: string): void }) {
        if (!wait) return aborted;
        const { promise, resolve } = Promise.withResolvers<void>();
        ctx.signal.addEventListener("abort", () => { aborted++; resolve(); });
        ctx.progress("waiting");
        await promise;
      }`,
  });
  const toolbox = await workshop.open();
  const abort = new AbortController();
  const logs: string[] = [];
  const waiting = call(toolbox, "polite", { wait: true }, { signal: abort.signal, logs });
  await until(() => logs.length > 0, "the handler runs");
  abort.abort();
  await assert.rejects(waiting, { code: RPC.requestCancelled });
  assert.equal(textOf(await call(toolbox, "polite")), "1");
});

Deno.test("a handler that ignores its signal is killed, and the other calls of its file say why", async () => {
  await using workshop = new Workshop({
    "pair.ts": `
      const never = (_: unknown, ctx: { progress(text: string): void }) => {
        ctx.progress("on");
        return new Promise(() => {});
      };
      export default [
        { name: "stubborn", description: "x", handler: never },
        { name: "bystander", description: "x", handler: never },
      ];`,
  });
  const toolbox = await workshop.open({ limits: { graceMs: 100 } });
  const abort = new AbortController();
  const logs: string[] = [];
  const bystander = call(toolbox, "bystander", {}, { logs });
  const stubborn = call(toolbox, "stubborn", {}, { signal: abort.signal, logs });
  await until(() => logs.length === 2, "both handlers run");
  abort.abort();
  await assert.rejects(stubborn, { code: RPC.requestCancelled });
  assert.match(
    textOf(await bystander),
    /^failed: bystander failed: .*stubborn did not stop when it was cancelled/,
  );
  await until(() => liveGroups().length === 0, "the process ends", 2000);
});

Deno.test("a call that is cancelled while its file is loaded costs no other call of the file", async () => {
  await using workshop = new Workshop({
    "slow.ts": tool(`return "loaded";`, "await new Promise((done) => setTimeout(done, 300));"),
  });
  const toolbox = await workshop.open();
  const abort = new AbortController();
  const first = call(toolbox, "slow", {}, { signal: abort.signal });
  const second = call(toolbox, "slow");
  await until(() => liveGroups().length > 0, "the process runs");
  abort.abort();
  await assert.rejects(first, { code: RPC.requestCancelled });
  assert.equal(textOf(await second), "loaded");
});

Deno.test("a process that nobody waits for any more is ended while it loads", async () => {
  await using workshop = new Workshop({
    "stuck.ts": tool("", `if (Deno.cwd().endsWith("project")) await new Promise(() => {});`),
  });
  const toolbox = await workshop.open();
  const abort = new AbortController();
  const only = call(toolbox, "stuck", {}, { signal: abort.signal });
  await until(() => liveGroups().length > 0, "the process runs");
  abort.abort();
  await assert.rejects(only, { code: RPC.requestCancelled });
  await until(() => liveGroups().length === 0, "the process ends", 2000);
});

Deno.test("calls of one file run side by side in one process and share its state", async () => {
  await using workshop = new Workshop({
    "shared.ts": `
      let release: (text: string) => void = () => {};
      export const wait = { description: "x", handler: () => new Promise((resolve) => { release = resolve; }) };
      export const go = { description: "x", handler: () => { release("released"); return Deno.pid; } };`,
  });
  const toolbox = await workshop.open();
  assert.deepEqual(toolbox.tools.map(({ modelName }) => modelName), ["client_go", "client_wait"]);
  const before = textOf(await call(toolbox, "go"));
  const waiting = call(toolbox, "wait");
  assert.equal(textOf(await call(toolbox, "go")), before);
  assert.equal(textOf(await waiting), "released");
});

Deno.test("declared permissions are what a tool has: no less, no more", async () => {
  await using workshop = new Workshop({
    "../data/in.txt": "read me",
    "../data,comma/in.txt": "a comma",
    "../other.txt": "not for you",
    "granted.ts": tool(
      `
      const read = await Deno.readTextFile(ctx.cwd + "/data/in.txt");
      const comma = await Deno.readTextFile(ctx.cwd + "/data,comma/in.txt");
      await Deno.writeTextFile(ctx.cwd + "/out.txt", read);
      const { stdout } = await new Deno.Command("echo", { args: ["ran"] }).output();
      const other = await Deno.readTextFile(ctx.cwd + "/other.txt").catch((error) => error.name);
      return [read, comma, new TextDecoder().decode(stdout).trim(), Deno.env.get("MM_TEST_GRANTED"), other];`,
      `export const permissions = {
        read: ["data", "data,comma"], write: ["out.txt"], run: ["echo"], env: ["MM_TEST_GRANTED"],
      };`,
    ),
    "curious.ts": tool(
      "return Object.keys(Deno.env.toObject());",
      "export const permissions = { env: true };",
    ),
  });
  Deno.env.set("MM_TEST_GRANTED", "a value");
  const toolbox = await workshop.open();
  assert.deepEqual(JSON.parse(textOf(await call(toolbox, "granted"))), [
    "read me",
    "a comma",
    "ran",
    "a value",
    "NotCapable",
  ]);
  assert.ok(JSON.parse(textOf(await call(toolbox, "curious"))).includes("MM_TEST_GRANTED"));
  Deno.env.delete("MM_TEST_GRANTED");
});

Deno.test("two toolboxes call their own tool when names are equal", async () => {
  await using one = new Workshop({ "same.ts": tool(`return "one " + ctx.cwd;`) });
  await using two = new Workshop({ "same.ts": tool(`return "two " + ctx.cwd;`) });
  const [first, second] = [await one.open(), await two.open()];
  assert.equal(textOf(await call(first, "same")), `one ${one.cwd}`);
  assert.equal(textOf(await call(second, "same")), `two ${two.cwd}`);
});

Deno.test("close() ends every process, fails open calls, and refuses later ones", async () => {
  await using workshop = new Workshop({
    "waits.ts": tool("ctx.progress('on'); await new Promise(() => {});"),
  });
  const toolbox = await workshop.open();
  const logs: string[] = [];
  const waiting = call(toolbox, "waits", {}, { logs });
  await until(() => logs.length > 0, "the handler runs");
  await toolbox.close();
  assert.equal(textOf(await waiting), "failed: waits failed: the session is closed");
  assert.deepEqual(liveGroups(), []);
  assert.equal(
    textOf(await call(toolbox, "waits")),
    "failed: waits was not run: the session is closed",
  );
  await toolbox.close();
});

Deno.test("nothing of a tool outlives a program that is killed", async (t) => {
  const config = new URL("../../deno.json", import.meta.url).pathname;
  const module = new URL("../../src/toolbox/open_toolbox.ts", import.meta.url).href;
  const start = `
    const child = new Deno.Command("sleep", { args: ["1000"], stdout: "inherit" }).spawn();
    console.log(\`pids \${Deno.pid} \${child.pid}\`);`;
  const tools = {
    "a busy loop": tool(`console.log("pids " + Deno.pid); for (;;);`),
    "a program that it runs": tool(
      `${start} await child.status;`,
      `export const permissions = { run: ["sleep"] };`,
    ),
    "a program that it runs, in a busy loop": tool(
      `${start} for (;;);`,
      "export const permissions = { run: true };",
    ),
  };
  for (const [name, source] of Object.entries(tools)) {
    await t.step(name, async () => {
      await using workshop = new Workshop({ "tool.ts": source });
      const path = `${workshop.home}/script.ts`;
      await Deno.writeTextFile(
        path,
        `import { openToolbox } from ${JSON.stringify(module)};
        const options = ${JSON.stringify({ ...workshop.options(), trustAll: true })};
        const toolbox = await openToolbox(options);
        await toolbox.call({
          method: toolbox.descriptions()[0].method, params: {}, sessionId: "s",
          signal: new AbortController().signal,
          onLog: ({ text }) => console.log(text),
        });`,
      );
      const program = new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--no-check", "--config", config, path],
        stdout: "piped",
      }).spawn();
      let output = "";
      for await (const text of program.stdout.pipeThrough(new TextDecoderStream())) {
        output += text;
        if (/pids .*\n/.test(output)) break;
      }
      const pids = /pids (.*)\n/.exec(output)?.[1]?.split(" ").map(Number) ?? [];
      assert.ok(pids.length > 0 && pids.every(isAlive), output);
      program.kill("SIGKILL");
      await program.status;
      await until(() => !pids.some(isAlive), "everything ends");
    });
  }
});

Deno.test("a clock that is set during a call does not end it", async () => {
  await using workshop = new Workshop({ "echo.ts": tool("return `called`;") });
  const toolbox = await workshop.open();
  const { now } = Date;
  try {
    const called = call(toolbox, "echo");
    Date.now = () => now() + 86_400_000;
    assert.equal(textOf(await called), "called");
  } finally {
    Date.now = now;
  }
});
