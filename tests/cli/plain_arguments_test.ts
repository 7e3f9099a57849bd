import assert from "node:assert/strict";
import fc from "fast-check";
import { FLAGS } from "../../src/cli/flags.ts";
import { parseArguments } from "../../src/cli/parse.ts";
import { readPlainArguments } from "../../src/cli/plain_arguments.ts";
import { rootCommand } from "../../src/cli/root.ts";

const words = [
  ...FLAGS.flatMap(({ name, short }) => [`--${name}`, ...short === undefined ? [] : [`-${short}`]]),
  ...[
    "--model=m",
    "--timeout=2",
    "--timeout=x",
    "--prompt=",
    "--quiet=x",
    "--nothing",
    "-pm",
    "-x",
  ],
  ...["text", "json", "2", "a", "-", "", "--", "--help", "-h"],
];

Deno.test("readPlainArguments() reads what it reads as commander does", () => {
  let read = 0;
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...words), { maxLength: 6 }), (args) => {
      const plain = readPlainArguments(rootCommand, args);
      if (plain === undefined) return;
      read++;
      assert.deepEqual(plain, parseArguments(rootCommand, "mm-repl", args, 80));
    }),
    { numRuns: 2_000 },
  );
  assert.ok(read > 100, `only ${read} were read`);
});

Deno.test("readPlainArguments() leaves help and mistakes to commander", () => {
  for (const args of [["--help"], ["--nothing"], ["--model"], ["--output", "xml"], ["-pm"]]) {
    assert.equal(readPlainArguments(rootCommand, args), undefined, args.join(" "));
  }
});
