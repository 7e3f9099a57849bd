import fc from "fast-check";
import assert from "node:assert/strict";
import { MmError } from "../../src/base/errors.ts";
import { splitArguments } from "../../src/cli/arguments.ts";
import { parseArguments } from "../../src/cli/parse.ts";
import { PROGRAM, rootCommand } from "../../src/cli/root.ts";

const anything = fc.string({ unit: "binary", maxLength: 10 });
const word = fc.oneof(
  anything,
  fc.constantFrom("--", "-", "-p", "--model", "--yolo", "--set", "k=v", "--nope", "-x", "--output"),
  fc.constantFrom(...rootCommand.flags.map(({ name }) => `--${name}`)),
);

Deno.test("any arguments are parsed, or refused with a usage error", () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 8 }), (args) => {
      const { own } = splitArguments(rootCommand, args);
      try {
        parseArguments(rootCommand, PROGRAM, own, 80);
      } catch (error) {
        assert.ok(error instanceof MmError && error.code === "usage", String(error));
      }
    }),
    { numRuns: 500 },
  );
});

Deno.test("splitArguments() takes any text after -p for the prompt, whatever it looks like", () => {
  fc.assert(fc.property(word.filter((text) => text !== "--"), (text) => {
    const { own, subcommand } = splitArguments(rootCommand, ["-p", text, "--model", "m"]);
    assert.deepEqual(own, ["-p", text, "--model", "m"]);
    assert.equal(subcommand, undefined);
    const parsed = parseArguments(rootCommand, PROGRAM, own, 80);
    assert.ok(parsed.kind === "run");
    assert.deepEqual(parsed.values.texts("prompt"), [text]);
  }));
});
