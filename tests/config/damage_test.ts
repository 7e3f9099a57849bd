import fc from "fast-check";
import assert from "node:assert/strict";
import { directoryHistory } from "../../src/app/history.ts";
import { MmError } from "../../src/base/errors.ts";
import { splitCommandLine } from "../../src/config/command_line.ts";
import { parseJsonc } from "../../src/config/jsonc_file.ts";

const CONFIG = `\uFEFF{
  // who answers
  "agent": "demo", /* inline */
  "permissionRules": [{ "kind": "read", "action": "allow" },],
  "keys": { "expand": ["ctrl+x", "f2"] },
}
`;

/** A text of which something is missing, doubled or replaced. */
function damaged(text: string): fc.Arbitrary<string> {
  const place = fc.nat(text.length);
  return fc.tuple(place, place, fc.string({ unit: "binary", maxLength: 8 })).map(([a, b, put]) =>
    text.slice(0, Math.min(a, b)) + put + text.slice(Math.max(a, b))
  );
}

Deno.test("parseJsonc() reads a damaged file or says where it is damaged, and nothing else", () => {
  fc.assert(fc.property(damaged(CONFIG), (text) => {
    try {
      const file = parseJsonc("config.jsonc", text);
      const { line, column } = file.position(text.length);
      assert.ok(line >= 1 && column >= 1);
    } catch (error) {
      assert.ok(error instanceof MmError && error.code === "config", String(error));
      const [, line, column] =
        /^Cannot read config\.jsonc:(\d+):(\d+): [a-z]/.exec(error.message) ??
          [];
      assert.ok(Number(line) >= 1 && Number(column) >= 1, error.message);
      assert.ok(Number(line) <= text.split(/\r\n|\r|\n/).length, error.message);
    }
  }));
});

Deno.test("a damaged history loses lines at most, and takes new ones", async () => {
  const directory = await Deno.makeTempDir({ prefix: "mm-damage-" });
  try {
    await directoryHistory(directory, "/proj").add("first");
    const [{ name = "" } = {}] = (await Array.fromAsync(Deno.readDir(`${directory}/history`)))
      .filter(({ name }) => name.endsWith(".json"));
    const file = `${directory}/history/${name}`;
    const whole = await Deno.readTextFile(file);
    await fc.assert(
      fc.asyncProperty(damaged(whole), async (text) => {
        await Deno.writeTextFile(file, text);
        const history = directoryHistory(directory, "/proj");
        assert.ok((await history.load()).every((line) => typeof line === "string"));
        await history.add("new");
        assert.equal((await history.load()).at(-1), "new");
      }),
      { numRuns: 60 },
    );
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});

Deno.test("splitCommandLine() gives back the words that were quoted for a shell", () => {
  const words = fc.array(fc.string({ unit: "grapheme", maxLength: 12 }), { maxLength: 6 });
  fc.assert(fc.property(words, (words) => {
    const line = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join("  ");
    assert.deepEqual(splitCommandLine(line), words);
  }));
});

Deno.test("splitCommandLine() splits as a shell does, where nothing is expanded", async () => {
  const unit = fc.constantFrom("a", "b", " ", "'", '"', "\\", "é");
  const lines = fc.sample(fc.string({ unit, maxLength: 12 }), 400)
    .flatMap((line) => {
      try {
        return [{ line, words: splitCommandLine(line) }];
      } catch (error) {
        assert.ok(error instanceof MmError && error.code === "usage", String(error));
        return [];
      }
    });
  assert.ok(lines.length > 20);
  const script = lines.map(({ line }) =>
    `set -- ${line}\nprintf '%s\\001' "$@"; printf '%s\\002' "$#"`
  ).join("\n");
  const { stdout } = await new Deno.Command("sh", { args: ["-c", script] }).output();
  const told = new TextDecoder().decode(stdout).split("\x02").slice(0, -1);
  const expected = lines.map(({ words }) =>
    (words.length === 0 ? "\x01" : words.map((word) => `${word}\x01`).join("")) + words.length
  );
  assert.deepEqual(told, expected);
});
