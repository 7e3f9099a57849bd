/**
 * A full disk, and directories that cannot be written: what is remembered is lost, the work is not.
 *
 * @module
 */

import assert from "node:assert/strict";
import { canFakeDisks, type DiskFault, withDiskFault } from "../support/namespace.ts";
import { openSandbox } from "../support/run_main.ts";
import { runInShell, type ShellRun } from "../support/run_in_shell.ts";

const ignore = !canFakeDisks();
const FAULTS: readonly DiskFault[] = ["full", "read-only"];
const TOOL = 'export const description = "Greets.";\nexport const handler = () => "hello";\n';

async function at(fault: DiskFault, directory: string): Promise<ShellRun> {
  await Deno.mkdir(directory, { recursive: true });
  return { before: (command) => withDiskFault(fault, directory, command) };
}

for (const fault of FAULTS) {
  Deno.test({
    name: `a ${fault} home costs nothing but the memory of what was done`,
    ignore,
    async fn() {
      await using sandbox = await openSandbox();
      const run = await at(fault, sandbox.home);
      const once = await runInShell(sandbox, ["--agent", "demo", "-p", "echo hi"], run);
      assert.deepEqual(once, { status: 0, stdout: "hi\n", stderr: "" });
      const piped = { ...run, stdin: "echo one\necho two\n" };
      const lines = await runInShell(sandbox, ["--agent", "demo"], piped);
      assert.equal(lines.status, 0, lines.stderr);
      assert.match(lines.stdout, /^one$[^]*^two$/m);
    },
  });

  Deno.test({
    name: `a ${fault} home runs tools that need no trust of their own`,
    ignore,
    async fn() {
      await using sandbox = await openSandbox({ "tools/greet.ts": TOOL });
      const run = await at(fault, sandbox.home);
      const args = ["--agent", "demo", "--trust-tools", "--permissions", "allow"].concat(
        "-p",
        "call greet {}",
      );
      const { status, stdout, stderr } = await runInShell(sandbox, args, run);
      assert.equal(status, 0, stderr);
      assert.match(stdout, /hello/);
    },
  });

  Deno.test({
    name: `trust that cannot be kept in a ${fault} home is an error that names the file`,
    ignore,
    async fn() {
      await using sandbox = await openSandbox({ "tools/greet.ts": TOOL });
      const run = await at(fault, sandbox.home);
      const { status, stderr } = await runInShell(sandbox, ["tools", "trust", "--yes"], run);
      assert.notEqual(status, 0);
      assert.match(stderr, /Cannot write .*trust\.json/);
      assert.doesNotMatch(stderr, /^\s+at /m);
    },
  });
}

/** Fills the disk again, with an author's deno.json on it and so many pages left. */
const withPages = (pages: number) =>
  `cd tools
rm fill
printf '{ // mine%4080s\\n"imports": {} }' '' > deno.json
dd if=/dev/zero of=fill bs=1k 2>/dev/null
truncate -s -$((${pages} * 4096)) fill
cd ..
cp tools/deno.json before
"$@"
cmp tools/deno.json before && ls tools`;

for (const pages of [0, 1]) {
  Deno.test({
    name: `a tool that is begun on a disk with ${
      pages * 4
    } KB leaves the author's deno.json as it was`,
    ignore,
    async fn() {
      await using sandbox = await openSandbox();
      const run = await at("full", `${sandbox.project}/tools`);
      const script = withPages(pages);
      const { stdout, stderr } = await runInShell(sandbox, ["tools", "new", "greet"], {
        ...run,
        script,
      });
      assert.match(stderr, /^mm-repl: Cannot make the tool "greet": No space left/);
      assert.equal(stdout, "deno.json\nfill\n");
    },
  });
}

Deno.test({
  name: "a trace on a full disk ends with a word, and the run goes on",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using sandbox = await openSandbox();
    const args = ["--agent", "demo", "--trace", "/dev/full", "-p", "echo hi"];
    const { status, stdout, stderr } = await runInShell(sandbox, args);
    assert.deepEqual({ status, stdout }, { status: 0, stdout: "hi\n" });
    assert.match(stderr, /The trace ends here/);
  },
});

for (const output of ["text", "json", "stream-json"]) {
  Deno.test({
    name: `${output} that goes to a full disk is a failure that says why`,
    ignore: Deno.build.os !== "linux",
    async fn() {
      await using sandbox = await openSandbox();
      const args = ["--agent", "demo", "--output", output, "-p", "echo hi"];
      const script = 'exec "$@" > /dev/full';
      const { status, stderr } = await runInShell(sandbox, args, { script });
      assert.equal(status, 1);
      assert.match(stderr, /Cannot write to stdout: No space left/);
    },
  });
}
