import assert from "node:assert/strict";
import { nearestWord } from "../../src/config/nearest.ts";

const WORDS = ["permissions", "plain", "prompt", "agent", "mode", "model"];

for (
  const [typed, meant] of [
    ["permission", "permissions"],
    ["permisions", "permissions"],
    ["palin", "plain"],
    ["PLAIN", "plain"],
    ["agnet", "agent"],
    ["prmpt", "prompt"],
    ["modle", "model"],
    ["xyz", undefined],
    ["", undefined],
  ] as const
) {
  Deno.test(`nearestWord() takes ${JSON.stringify(typed)} for ${meant ?? "nothing known"}`, () => {
    assert.equal(nearestWord(typed, WORDS), meant);
  });
}
