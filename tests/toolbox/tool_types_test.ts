import assert from "node:assert/strict";
import { ROOT } from "../support/project.ts";

const HEAD = `import { defineTool } from "@mm/repl/tool";\nimport { z } from "zod";\n`;

/** A definition with these parts; `use` is the body of the handler. */
function definition(schema: string, use: string): string {
  return `${HEAD}
defineTool({
  description: "x",
  inputSchema: ${schema},
  handler(args, ctx) { ${use} void ctx; return undefined; },
});
void z;`;
}

const OBJECT = `{
  type: "object",
  properties: {
    path: { type: "string" },
    mode: { enum: ["fast", "slow"] },
    list: { type: "array", items: { type: "integer" } },
  },
  required: ["path", "mode"],
  additionalProperties: false,
}`;

const ZOD = `z.object({ path: z.string(), depth: z.coerce.number().default(1) })`;

const COMPILES: { readonly [name: string]: string } = {
  "required parameters have their types": definition(
    OBJECT,
    `const path: string = args.path; const mode: "fast" | "slow" = args.mode; void [path, mode];`,
  ),
  "optional parameters may be undefined": definition(
    OBJECT,
    `const list: readonly number[] | undefined = args.list; void list;`,
  ),
  "a zod schema gives its output": definition(
    ZOD,
    `const depth: number = args.depth; const path: string = args.path; void [depth, path];`,
  ),
  "without a schema every argument is unknown": `${HEAD}
defineTool({ description: "x", handler(args) { const a: unknown = args.a; return a; } });
void z;`,
  "the context has all its members": definition(
    OBJECT,
    `ctx.log(ctx.sessionId); ctx.progress(ctx.cwd); ctx.signal.throwIfAborted();`,
  ),
  "a handler may destructure and be asynchronous": `${HEAD}
export default defineTool({
  name: "n", description: "x", inputSchema: ${OBJECT}, timeout: 1000,
  permissions: { read: ["."], write: true, net: false },
  async handler({ path, mode }) { await Promise.resolve(); return { path, mode }; },
});
void z;`,
};

const FAILS: { readonly [name: string]: string } = {
  "a parameter of another type": definition(OBJECT, `const path: number = args.path; void path;`),
  "a parameter that is not in the schema": definition(OBJECT, `void args.nothing;`),
  "an optional parameter taken for granted": definition(OBJECT, `void args.list.length;`),
  "a value that is not in the enum": definition(OBJECT, `void (args.mode === "medium");`),
  "a zod output of another type": definition(ZOD, `const depth: string = args.depth; void depth;`),
  "no description": `${HEAD}defineTool({ handler() {} }); void z;`,
  "no handler": `${HEAD}defineTool({ description: "x" }); void z;`,
  "an unknown permission":
    `${HEAD}defineTool({ description: "x", permissions: { red: true }, handler() {} }); void z;`,
  "a schema keyword of a wrong type":
    `${HEAD}defineTool({ description: "x", inputSchema: { type: "objekt" }, handler() {} }); void z;`,
};

Deno.test("defineTool() infers the arguments: what must compile does, what must not does not", async (t) => {
  const directory = await Deno.makeTempDir();
  try {
    const all = Object.entries({ ...COMPILES, ...FAILS });
    const paths = all.map((_, index) => `${directory}/case_${index}.ts`);
    for (const [index, [, source]] of all.entries()) {
      await Deno.writeTextFile(paths[index] ?? "", source);
    }
    const { stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["check", "--quiet", "--config", `${ROOT}/deno.json`, ...paths],
      env: { NO_COLOR: "1" },
    }).output();
    const errors = new TextDecoder().decode(stderr);
    for (const [index, [name]] of all.entries()) {
      await t.step(name, () => {
        const hasError = errors.includes(`case_${index}.ts:`);
        assert.equal(hasError, name in FAILS, hasError ? errors : "it compiles");
      });
    }
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});
