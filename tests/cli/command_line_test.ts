import assert from "node:assert/strict";
import { MmError } from "../../src/base/errors.ts";
import { dispatch } from "../../src/cli/dispatch.ts";
import type { Command, CommandInput } from "../../src/cli/command.ts";
import { FLAGS } from "../../src/cli/flags.ts";
import { rootCommand } from "../../src/cli/root.ts";

/** What the program itself is run with for some arguments. */
async function parse(...args: readonly string[]): Promise<CommandInput> {
  let input: CommandInput | undefined;
  const command: Command = {
    ...rootCommand,
    run(given) {
      input = given;
      return Promise.resolve(0);
    },
  };
  await dispatch(command, args, { path: "mm-repl", width: 80, print: () => Promise.resolve() });
  assert.ok(input !== undefined);
  return input;
}

async function refused(...args: readonly string[]): Promise<MmError> {
  const error = await parse(...args).then(() => undefined, (reason: unknown) => reason);
  assert.ok(error instanceof MmError, `${args} was taken`);
  assert.equal(error.code, "usage");
  return error;
}

const PROMPTS: readonly (readonly [readonly string[], readonly string[]])[] = [
  [["-p", "hello"], ["hello"]],
  [["-p", "- item one"], ["- item one"]],
  [["-p", "--help me"], ["--help me"]],
  [["-p", "--help"], ["--help"]],
  [["-p", "-"], ["-"]],
  [["-p", "--", "-x"], ["-x"]],
  [["--prompt", "--", "--version"], ["--version"]],
  [["--prompt=-x"], ["-x"]],
  [["-p", "a", "-p", "b"], ["a", "b"]],
  [["-p", "line\nline"], ["line\nline"]],
  [["--model", "m", "-p", "tools"], ["tools"]],
  [["-p", "x=y --z", "--yolo"], ["x=y --z"]],
];

for (const [args, prompts] of PROMPTS) {
  Deno.test(`the command line reads ${JSON.stringify(args)} as prompts`, async () => {
    assert.deepEqual((await parse(...args)).values.texts("prompt"), prompts);
  });
}

Deno.test("the command line gives the words after -- apart, whatever they look like", async () => {
  const { values, words } = await parse("--agent", "mm", "--", "-acp", "tools", "--help");
  assert.equal(values.text("agent"), "mm");
  assert.deepEqual(words, ["-acp", "tools", "--help"]);
});

Deno.test("the command line takes an agent's command as one value", async () => {
  const { values } = await parse("--agent", "mm -acp");
  assert.equal(values.text("agent"), "mm -acp");
  assert.deepEqual(values.names(), ["agent"]);
});

Deno.test("the command line lets the last of a repeated flag count", async () => {
  const { values } = await parse(
    "--model",
    "a",
    "--model=b",
    "--permissions",
    "deny",
    "--permissions",
    "ask",
  );
  assert.equal(values.text("model"), "b");
  assert.equal(values.text("permissions"), "ask");
});

Deno.test("the command line lets the last of --tools and --no-tools count", async () => {
  const first = (await parse("--tools", "a", "--tools", "b", "--no-tools")).values;
  assert.deepEqual([first.texts("tools"), first.has("no-tools")], [[], true]);
  const second = (await parse("--no-tools", "--tools", "a")).values;
  assert.deepEqual([second.texts("tools"), second.has("no-tools")], [["a"], false]);
});

Deno.test("the command line reads seconds as a number", async () => {
  assert.equal((await parse("--timeout", "1.5")).values.number("timeout"), 1.5);
  for (const text of ["0", "-1", "x", "", "Infinity"]) {
    assert.match((await refused("--timeout", text)).message, /--timeout/);
  }
});

Deno.test("the command line refuses a flag without its value", async () => {
  for (const row of FLAGS.filter((flag) => flag.value !== undefined)) {
    assert.match((await refused(`--${row.name}`)).message, new RegExp(`--${row.name}.*missing`));
  }
  assert.match((await refused("-p")).message, /--prompt.*missing/);
  assert.match((await refused("-p", "--")).message, /--prompt.*missing/);
});

Deno.test("the command line names the nearest flag, value and subcommand", async () => {
  assert.match((await refused("--agnet", "x")).hint ?? "", /--agent/);
  assert.match((await refused("--output", "xml")).message, /text, json, stream-json/);
  assert.match((await refused("docter")).hint ?? "", /mm-repl doctor/);
  assert.match((await refused("some words")).hint ?? "", /-p/);
  assert.match((await refused("--zzz", "doctor")).message, /--zzz/);
});

Deno.test("a subcommand refuses flags that it has no use for", async () => {
  const error = await refused("--model", "x", "doctor");
  assert.match(error.message, /--model/);
});

Deno.test("every flag and every subcommand has all its columns", async () => {
  for (const row of FLAGS) {
    assert.match(row.name, /^[a-z-]+$/);
    assert.ok(row.description !== "" && row.group !== "", row.name);
  }
  const names = FLAGS.flatMap((row) =>
    row.short === undefined ? [row.name] : [row.name, row.short]
  );
  assert.equal(new Set(names).size, names.length);
  const check = async (command: Command) => {
    assert.ok(command.description !== "");
    assert.ok(command.run !== undefined || command.subcommands.length > 0);
    for (const row of command.subcommands) {
      assert.ok(row.summary !== "", row.name);
      await check(await row.load());
    }
  };
  await check(rootCommand);
});

Deno.test("every command prints its help", async () => {
  const visit = async (command: Command, path: readonly string[]) => {
    let text = "";
    const status = await dispatch(rootCommand, [...path, "--help"], {
      path: "mm-repl",
      width: 80,
      print: (part) => {
        text += part;
        return Promise.resolve();
      },
    });
    assert.equal(status, 0);
    assert.ok(text.startsWith(`Usage: ${["mm-repl", ...path].join(" ")} `), text);
    for (const flag of command.flags) assert.ok(text.includes(`--${flag.name}`), flag.name);
    for (const line of text.split("\n")) assert.ok(line.length <= 100, line);
    for (const row of command.subcommands) await visit(await row.load(), [...path, row.name]);
  };
  await visit(rootCommand, []);
});
