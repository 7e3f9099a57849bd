import assert from "node:assert/strict";
import { MmError } from "../../src/base/errors.ts";
import { confirmProject } from "../../src/config/confirmations.ts";
import { loadConfig } from "../../src/config/load.ts";
import type { Paths } from "../../src/config/paths.ts";

interface Place {
  readonly paths: Paths;
  readonly cwd: string;
  user(text: string | Uint8Array): Promise<void>;
  project(text: string): Promise<void>;
  readonly userFile: string;
  readonly projectFile: string;
}

async function inPlace(run: (place: Place) => Promise<void>): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir());
  const paths = { configDir: `${root}/c`, stateDir: `${root}/s`, cacheDir: `${root}/k` };
  const cwd = `${root}/project`;
  const [userFile, projectFile] = [`${paths.configDir}/config.jsonc`, `${cwd}/.mm-repl.jsonc`];
  await Deno.mkdir(paths.configDir);
  await Deno.mkdir(cwd);
  const write = (path: string, text: string | Uint8Array) =>
    Deno.writeFile(path, typeof text === "string" ? new TextEncoder().encode(text) : text);
  try {
    await run({
      paths,
      cwd,
      userFile,
      projectFile,
      user: (text) => write(userFile, text),
      project: (text) => write(projectFile, text),
    });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

function configError(...parts: readonly string[]): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof MmError, String(error));
    assert.equal(error.code, "config");
    for (const part of parts) assert.ok(error.message.includes(part), error.message);
    return true;
  };
}

Deno.test("loadConfig() gives defaults without any file", () =>
  inPlace(async ({ paths, cwd }) => {
    assert.deepEqual(await loadConfig({ paths, cwd }), {
      settings: {},
      userTools: undefined,
      projectTools: undefined,
      warnings: [],
      files: [],
    });
  }));

const FORGIVEN: readonly (readonly [string, string])[] = [
  ["a byte-order mark", '\uFEFF{"agent":"demo"}'],
  ["comments of both kinds", '// one\n{/* two */"agent":"demo"// three\n}\n/* four */'],
  ["a comment after a trailing comma", '{"agent":"demo", // last\n}'],
  ["CRLF line ends", '{\r\n  "agent": "demo",\r\n  // c\r\n}\r\n'],
  ["slashes inside a string", '{"agents":{"x":{"url":"http://x//y"}},"agent":"demo"}'],
];

for (const [what, text] of FORGIVEN) {
  Deno.test(`loadConfig() takes ${what}`, () =>
    inPlace(async ({ paths, cwd, user }) => {
      await user(text);
      const loaded = await loadConfig({ paths, cwd });
      assert.equal(loaded.settings.agent, "demo");
      assert.deepEqual(loaded.warnings, []);
    }));
}

for (const text of ["", " \n", "\uFEFF", "// nothing yet\n", "{}"]) {
  Deno.test(`loadConfig() takes ${JSON.stringify(text)} as defaults`, () =>
    inPlace(async ({ paths, cwd, user }) => {
      await user(text);
      assert.deepEqual((await loadConfig({ paths, cwd })).settings, {});
    }));
}

Deno.test("loadConfig() lets the last of a repeated key count and says so", () =>
  inPlace(async ({ paths, cwd, user, userFile }) => {
    await user('{"model":"a",\n "model":"b"}');
    const { settings, warnings } = await loadConfig({ paths, cwd });
    assert.equal(settings.model, "b");
    assert.deepEqual(warnings, [`${userFile}:2:2: model is given twice; the last one counts`]);
  }));

Deno.test("loadConfig() names the nearest key of an unknown one", () =>
  inPlace(async ({ paths, cwd, user, userFile }) => {
    await user('{"permisions":"ask", "zzzzzz":1}');
    const { warnings } = await loadConfig({ paths, cwd });
    assert.deepEqual(warnings, [
      `${userFile}:1:2: permisions is not a known key and is left out; did you mean "permissions"?`,
      `${userFile}:1:22: zzzzzz is not a known key and is left out`,
    ]);
  }));

const WRONG: readonly (readonly [string, string, string])[] = [
  ["a missing brace", '{\n"agents": {\n"x": {\n"command": "x"\n}\n}\n', ":7:1: a closing brace"],
  ["a missing comma", '{"a": 1\n "b": 2}', ":2:2: a comma is missing"],
  ["a bare word", "{\n  agent: 1}", ":2:3: a word is not allowed here"],
  ["text after the end", "{}\n{}", ":2:1: "],
  ["a list in place of the object", "[1]", ":1:1: the file must be an object, not a list"],
  ["a wrong type", '{\n"agent": 7}', ":2:10: agent must be a string, not a number"],
  [
    "a wrong word",
    '{"permissions":"yes"}',
    ':1:16: permissions must be one of "deny", "ask", "reads", "allow", not "yes"',
  ],
  [
    "a number out of range",
    '{"timeout": 0}',
    ":1:13: timeout must be a number from 0.1 to 86400, not 0",
  ],
  ["null", '{"plain": null}', ":1:11: plain must be true or false, not null"],
  ["an item of a list", '{"tools": ["a", {}]}', ":1:17: tools[1] must be a string, not an object"],
  [
    "a rule without action",
    '{"permissionRules":[{"kind":"read"}]}',
    'permissionRules[0] needs an "action"',
  ],
  [
    "a misspelt condition of a rule",
    '{"permissionRules":[\n{"comand":"ls","action":"allow"}]}',
    ':2:2: permissionRules[0].comand is not a known key; did you mean "command"?',
  ],
  [
    "a rule without any condition",
    '{"permissionRules":[{"action":"allow"}]}',
    "permissionRules[0] has no condition and would decide everything",
  ],
  [
    "a rule about a kind that does not exist",
    '{"permissionRules":[{"kind":"shell","action":"deny"}]}',
    'permissionRules[0].kind must be one of "read", "edit"',
  ],
  [
    "a misspelt key of an agent",
    '{"agents":{"x":{"command":"x","enviroment":{},"haeders":{}}}}',
    ':1:47: agents.x.haeders is not a known key; did you mean "headers"?',
  ],
  [
    "a misspelt key of an MCP server",
    '{"mcpServers":{"db":{"command":"x","enabeld":false}}}',
    ':1:36: mcpServers.db.enabeld is not a known key; did you mean "enabled"?',
  ],
  ["an agent without a way to it", '{"agents":{"x":{}}}', 'agents.x needs a "command" or a "url"'],
  [
    "a server without command",
    '{"mcpServers":{"db":{"args":[]}}}',
    'mcpServers.db needs a "command"',
  ],
  ["a key of two types", '{"keys":{"cancel":3}}', "keys.cancel must be a list or a string, not 3"],
];

for (const [what, text, message] of WRONG) {
  Deno.test(`loadConfig() refuses ${what} with file, line, column and key`, () =>
    inPlace(async ({ paths, cwd, user, project, userFile, projectFile }) => {
      await user(text);
      await assert.rejects(loadConfig({ paths, cwd }), configError(userFile, message));
      await user("");
      await project(text);
      await assert.rejects(loadConfig({ paths, cwd }), configError(projectFile, message));
    }));
}

Deno.test("loadConfig() names every wrong value, and never the secret one", () =>
  inPlace(async ({ paths, cwd, user }) => {
    await user('{"plain":"x",\n"mcpServers":{"db":{"command":"x","env":{"TOKEN":271828}}}}');
    await assert.rejects(loadConfig({ paths, cwd }), (error: unknown) => {
      assert.ok(error instanceof MmError);
      assert.match(error.message, /:1:10: plain must be true or false/);
      assert.match(
        error.message,
        /:2:50: mcpServers\.db\.env\.TOKEN must be a string, not a number/,
      );
      assert.doesNotMatch(error.message, /271828/);
      return true;
    });
  }));

Deno.test("loadConfig() refuses a directory or a pipe in the file's place", () =>
  inPlace(async ({ paths, cwd, userFile, projectFile }) => {
    await Deno.mkdir(userFile);
    await assert.rejects(loadConfig({ paths, cwd }), configError(userFile, "it is a directory"));
    await Deno.remove(userFile);
    await new Deno.Command("mkfifo", { args: [projectFile] }).output();
    await assert.rejects(loadConfig({ paths, cwd }), configError(projectFile, "not a file"));
  }));

Deno.test("loadConfig() refuses a file named on the command line that is not there", () =>
  inPlace(async ({ paths, cwd }) => {
    await assert.rejects(
      loadConfig({ paths, cwd, configFile: `${cwd}/none.jsonc` }),
      configError("none.jsonc: there is no such file"),
    );
  }));

Deno.test("loadConfig() lets the project's file override the user's where that is harmless", () =>
  inPlace(async ({ paths, cwd, user, project }) => {
    await user('{"model":"a","thoughts":"full","tools":["mine","/abs"],"permissions":"ask"}');
    await project('{"model":"b","tools":["scripts"],"permissions":"deny"}');
    const loaded = await loadConfig({ paths, cwd });
    assert.equal(loaded.settings.model, "b");
    assert.equal(loaded.settings.thoughts, "full");
    assert.equal(loaded.settings.permissions, "deny");
    assert.deepEqual(loaded.userTools, [`${paths.configDir}/mine`, "/abs"]);
    assert.deepEqual(loaded.projectTools, [`${cwd}/scripts`]);
    assert.equal(loaded.needsConfirmation, undefined);
  }));

const WIDENING = [
  '"agent":"sh -c evil"',
  '"agents":{"mm":{"command":"evil"}}',
  '"permissions":"allow"',
  '"permissions":"reads"',
  '"permissionRules":[{"kind":"execute","action":"allow"}]',
  '"mcpServers":{"x":{"command":"evil"}}',
  '"mode":"bypass"',
  '"keys":{"cancel":"f2"}',
];

for (const pair of WIDENING) {
  Deno.test(`loadConfig() holds a project's ${pair} back until the user agrees to just that`, () =>
    inPlace(async ({ paths, cwd, project, projectFile }) => {
      await project(`{\n"model":"m",\n${pair}}`);
      const first = await loadConfig({ paths, cwd });
      assert.deepEqual(
        Object.entries(first.settings).filter(([, value]) => !Array.isArray(value)),
        [["model", "m"]],
      );
      assert.deepEqual(first.settings.permissionRules ?? [], []);
      const request = first.needsConfirmation;
      assert.ok(request !== undefined);
      assert.equal(request.file, projectFile);
      assert.deepEqual(request.items.map(({ key, line }) => [key, line]), [
        [pair.split('"')[1], 3],
      ]);

      await confirmProject(paths, request);
      const second = await loadConfig({ paths, cwd });
      assert.equal(second.needsConfirmation, undefined);
      const rules = second.settings.permissionRules?.map(({ origin, ...rule }) => {
        assert.equal(origin, "project");
        return rule;
      });
      assert.deepEqual(
        { ...second.settings, ...(rules === undefined ? {} : { permissionRules: rules }) },
        JSON.parse(`{"model":"m",${pair}}`),
      );

      await project(`{${pair}, "mcpServers":{"y":{"command":"y"}}}`);
      assert.notEqual((await loadConfig({ paths, cwd })).needsConfirmation, undefined);
    }));
}

Deno.test("loadConfig() puts the user's denies first and what a project narrows before the rest", () =>
  inPlace(async ({ paths, cwd, user, project }) => {
    const rule = (name: string, action: string) => ({ tool: name, action });
    await user(JSON.stringify({ permissionRules: [rule("a", "allow"), rule("b", "deny")] }));
    await project(
      JSON.stringify({
        permissionRules: [rule("c", "allow"), rule("d", "ask"), rule("e", "deny")],
      }),
    );
    const first = await loadConfig({ paths, cwd });
    const tools = (rules: typeof first.settings.permissionRules) => rules?.map((one) => one.tool);
    assert.deepEqual(tools(first.settings.permissionRules), ["b", "d", "e", "a"]);
    assert.ok(first.needsConfirmation !== undefined);
    await confirmProject(paths, first.needsConfirmation);
    const second = await loadConfig({ paths, cwd });
    assert.deepEqual(tools(second.settings.permissionRules), ["b", "d", "e", "a", "c"]);
  }));
