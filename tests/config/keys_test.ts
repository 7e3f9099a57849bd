import assert from "node:assert/strict";
import { parseJsonc } from "../../src/config/jsonc_file.ts";
import { conflicts, KEYS, keysInForce } from "../../src/config/keys.ts";
import { readConfig } from "../../src/config/read_config.ts";

const read = (keys: string) => readConfig(parseJsonc("c.jsonc", `{\n"keys": ${keys}}`));

Deno.test("every key has a description, and no key stands for two actions at one place", () => {
  for (const [action, row] of Object.entries(KEYS)) {
    assert.ok(row.description.length > 0, action);
    assert.ok(row.keys.length > 0, action);
    // What the table itself takes, a person may write.
    assert.deepEqual(read(JSON.stringify({ [action]: row.keys })).warnings, [], action);
  }
  assert.deepEqual(conflicts(keysInForce({})), []);
});

Deno.test("readConfig() takes keys with modifiers, symbols and names", () => {
  const keys =
    '{"expand":["ctrl+alt+x","super+f12","ctrl++"],"thoughts":"shift+pageUp","help":"+"}';
  assert.deepEqual(read(keys).settings.keys, JSON.parse(keys));
});

for (const key of ["strg+x", "ctrl+entr", "ctrl", "ctrl+ctrl+x", "x y", "", "ctrl+"]) {
  Deno.test(`readConfig() refuses ${JSON.stringify(key)} as a key, with its place`, () => {
    assert.throws(() => read(`{"expand": [${JSON.stringify(key)}]}`), {
      code: "config",
      message: `Cannot use c.jsonc:2:21: keys.expand[0] must be a key such as "ctrl+x", ` +
        `"alt+enter" or "f2", not ${JSON.stringify(key)}`,
    });
  });
}

Deno.test("readConfig() warns of unknown actions, and of a key that two actions share", () => {
  const { settings, warnings } = read('{"exapnd":"f2","thoughts":"ctrl+c"}');
  assert.deepEqual(settings.keys, { thoughts: "ctrl+c" });
  assert.deepEqual(warnings, [
    'c.jsonc:2:10: keys.exapnd is not a known key and is left out; did you mean "expand"?',
    "c.jsonc:2:24: keys.thoughts takes the key ctrl+c, which stands for another action as well: cancel",
  ]);
});

Deno.test("readConfig() takes a character only for what counts where there is no text", () => {
  assert.deepEqual(read('{"help":"h","viewAll":"w"}').settings.keys, { help: "h", viewAll: "w" });
  for (const action of ["leave", "cancel", "submit", "chooseDown"]) {
    assert.throws(() => read(`{"${action}":["f2","x"]}`), {
      message: new RegExp(
        `keys\\.${action} must be a key that writes nothing, .* not the character x`,
      ),
    });
  }
});
