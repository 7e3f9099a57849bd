import assert from "node:assert/strict";
import { connect, type ConnectOptions } from "../../src/api/mod.ts";
import { asArray, asObject, asString } from "../../src/base/guards.ts";
import { defineTool } from "../../src/toolbox/tool.ts";

const counter = { calls: 0 };

const count = defineTool({
  name: "count",
  description: "Counts its calls.",
  handler: () => `call ${++counter.calls}`,
});

const FILE_TOOL = `export const description = "From a file.";
export const handler = () => "from the file, " + (Deno.env.get("HOME") === undefined);
export const permissions = { env: ["HOME"] };
`;

/** Always the first option that allows. */
const allow: ConnectOptions["onPermission"] = (params) => {
  const option = asArray(params.options).map(asObject)
    .find(({ kind }) => asString(kind)?.startsWith("allow"));
  return asString(option?.optionId);
};

Deno.test("connect() offers tools of the program and of directories to the model", async () => {
  const cwd = await Deno.realPath(await Deno.makeTempDir());
  try {
    await Deno.mkdir(`${cwd}/mine`);
    await Deno.writeTextFile(`${cwd}/mine/from_file.ts`, FILE_TOOL);
    await Deno.writeTextFile(`${cwd}/mine/count.ts`, FILE_TOOL);
    const options = { cwd, onPermission: allow, tools: [`${cwd}/mine`, count] };
    await using client = await connect({ kind: "demo" }, options);
    const { text: list } = await client.prompt("tools");
    assert.match(list, /client_count[^]*client_from_file/);
    counter.calls = 0;
    const own = await client.prompt("call count {}");
    assert.match(own.text, /call 1/);
    assert.equal(counter.calls, 1);
    const { text } = await client.prompt("call from_file {}");
    assert.match(text, /from the file, false/);
    const problems = client.session.toolbox?.problems ?? [];
    assert.deepEqual(problems.map(({ file }) => file), [`${cwd}/mine/count.ts`]);
  } finally {
    await Deno.remove(cwd, { recursive: true });
  }
});

Deno.test("connect() refuses a tool that cannot be offered before it starts anything", async () => {
  const nameless = { description: "x", handler: () => "" };
  await assert.rejects(connect("no-such-agent", { tools: [nameless] }), {
    code: "usage",
    message: /has no name/,
  });
  await assert.rejects(connect("no-such-agent", { tools: ["/no/such/directory"] }), {
    code: "usage",
    message: /no such directory/,
  });
});

Deno.test("a program's tool is told that its call was cancelled", async () => {
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  await using client = await connect({ kind: "demo" }, {
    onPermission: allow,
    tools: [{
      name: "wait",
      description: "Waits.",
      handler(_, { signal }) {
        signal.addEventListener("abort", () => resolve());
        begin();
        return new Promise(() => {});
      },
    }],
  });
  const turn = client.prompt("call wait {}");
  await begun;
  client.cancel();
  await aborted;
  const result = await turn;
  assert.equal(result.ok && result.stopReason, "cancelled");
});
