import assert from "node:assert/strict";
import { Ajv } from "ajv";
import { parseJsonc } from "../../src/config/jsonc_file.ts";
import { readConfig } from "../../src/config/read_config.ts";
import { settingsHelp, settingsJsonSchema } from "../../src/config/settings.ts";

const SAMPLES: readonly (readonly [string, boolean])[] = [
  ["{}", true],
  ['{"$schema":"x.json","agent":"demo"}', true],
  ['{"agents":{"x":{"command":"x","args":["a"],"env":{"A":"b"},"fs":"write"}}}', true],
  ['{"permissionRules":[{"kind":"read","action":"allow"}]}', true],
  ['{"keys":{"cancel":"ctrl+c","submit":["enter"]}}', true],
  ['{"timeout":0.5,"historySize":10}', true],
  ['{"historySize":1.5}', false],
  ['{"permissions":"maybe"}', false],
  ['{"agents":{"x":{"command":"x","args":"a"}}}', false],
  ['{"mcpServers":{"x":{"command":"x","env":{"A":1}}}}', false],
  ['{"keys":{"cancel":1}}', false],
  ["[]", false],
];

Deno.test("settingsJsonSchema() says the same as the reading of a file", () => {
  const { allowComments: _c, allowTrailingCommas: _t, ...schema } = settingsJsonSchema();
  const validate = new Ajv().compile(schema);
  for (const [text, good] of SAMPLES) {
    assert.equal(validate(JSON.parse(text)), good, text);
    const read = () => readConfig(parseJsonc("c.jsonc", text));
    if (good) assert.deepEqual(read().warnings, []);
    else assert.throws(read, { code: "config" });
  }
});

Deno.test("settingsHelp() has every column for every key", () => {
  for (const row of settingsHelp()) {
    for (const cell of Object.values(row)) assert.ok(cell.length > 0, JSON.stringify(row));
  }
});
