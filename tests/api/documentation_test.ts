/**
 * What a program that imports the library reads: the documentation of every exported name.
 *
 * @module
 */

import assert from "node:assert/strict";
import { fromFileUrl, relative, ROOT } from "../support/project.ts";

/** The entry points of the package. */
const ENTRIES = ["src/api/mod.ts", "src/toolbox/tool.ts"];

interface Declaration {
  readonly location: { readonly filename: string };
  readonly declarationKind: string;
  readonly jsDoc?: { readonly doc?: string };
}

interface Documented {
  readonly nodes: Readonly<
    Record<string, {
      readonly symbols: readonly {
        readonly name: string;
        readonly declarations: readonly Declaration[];
      }[];
    }>
  >;
}

async function deno(...args: readonly string[]) {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { success, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** Every exported name with its declarations. */
async function exportedNames(): Promise<ReadonlyMap<string, readonly Declaration[]>> {
  const { stdout } = await deno("doc", "--json", ...ENTRIES);
  const { nodes } = JSON.parse(stdout) as Documented;
  const symbols = Object.values(nodes).flatMap(({ symbols }) => symbols);
  return new Map(
    symbols
      .map(({ name, declarations }) =>
        [name, declarations.filter(({ declarationKind }) => declarationKind === "export")] as const
      )
      .filter(([, declarations]) => declarations.length > 0),
  );
}

Deno.test("the documentation of the library is complete", async () => {
  const { success, stderr } = await deno("doc", "--lint", ...ENTRIES);
  assert.ok(success, stderr);
});

Deno.test("every exported name has an example, and every example runs", async () => {
  const names = await exportedNames();
  assert.ok(names.has("connect") && names.has("defineTool"));
  const without = [...names].filter(([, declarations]) =>
    !declarations.some(({ jsDoc }) => jsDoc?.doc?.includes("```ts\n"))
  );
  assert.deepEqual(without.map(([name]) => name), []);
  const files = new Set(
    [...names.values()].flat().map(({ location }) => relative(fromFileUrl(location.filename))),
  );
  const run = await deno("test", "--doc", "-A", "--quiet", ...ENTRIES, ...files);
  assert.ok(run.success, run.stdout + run.stderr);
  // An assertion of the console that does not hold is only printed.
  assert.doesNotMatch(run.stdout + run.stderr, /Assertion failed/);
  const [, passed = "0"] = /(\d+) passed/.exec(run.stdout) ?? [];
  assert.ok(Number(passed) >= names.size, `${passed} examples for ${names.size} names`);
});

Deno.test("the package can be published: its public types are explicit", async () => {
  const { success, stderr } = await deno("publish", "--dry-run", "--allow-dirty");
  assert.ok(success, stderr);
  assert.match(stderr, /Checking for slow types/);
});
