import assert from "node:assert/strict";
import { hideArguments, secretArguments } from "../../src/model/secret_arguments.ts";

Deno.test("hideArguments() hides what follows the name of a secret, and nothing else", () => {
  const cases: Readonly<Record<string, string>> = {
    "--token abc run": "--token *** run",
    "--api-key=abc -v": "--api-key=*** -v",
    "env GITHUB_TOKEN=abc npx x": "env GITHUB_TOKEN=*** npx x",
    "--token --verbose": "--token --verbose",
    "--token-file /run/t --password-command pass": "--token-file /run/t --password-command pass",
    "--max-tokens 128000 --acp": "--max-tokens 128000 --acp",
    "--token= x": "--token= x",
    "token abc": "token abc",
  };
  for (const [line, hidden] of Object.entries(cases)) {
    assert.equal(hideArguments(line.split(" ")).join(" "), hidden);
  }
});

Deno.test("secretArguments() gives the values that hideArguments() hides", () => {
  const args = ["--token", "a=b", "--secret=c=d", "PASSWORD=e"];
  assert.deepEqual(secretArguments(args), ["a=b", "c=d", "e"]);
});
