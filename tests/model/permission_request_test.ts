import assert from "node:assert/strict";
import fc from "fast-check";
import { permissionRequestOf } from "../../src/model/permission_request.ts";
import { decidePermission, type PermissionRule } from "../../src/model/permission_rules.ts";

const CWD = "/home/user/p";

const RULES: readonly PermissionRule[] = [
  { command: "rm *", action: "deny" },
  { command: "git push *", action: "deny" },
  { command: "git *", action: "allow" },
  { command: "ls *", action: "allow" },
];

function decide(rawInput: unknown, kind = "execute", title?: string) {
  return decidePermission(RULES, permissionRequestOf({ kind, title, rawInput }, { cwd: CWD }))
    .action;
}

Deno.test("permissionRequestOf() reads a command from every place that agents use", () => {
  for (
    const input of [
      { command: "rm", args: ["x"] },
      { command: "git", args: ["push", "--force"] },
      { program: "git", arguments: "push --force" },
      { executable: "git", argv: ["push"] },
      { argv: ["rm", "x"] },
      { commandLine: "rm x" },
      { CommandLine: "rm x" },
      { command_line: "rm x" },
      { script: "ls\nrm x" },
      { cmd: ["rm", "x"] },
      { commands: ["rm"] },
      { commands: [{ command: "ls" }, { command: "rm x" }] },
      { input: { command: "rm x" } },
      { args: { command: "rm x" } },
      { command: "ls", cmd: "rm x" },
      ["rm", "x"],
      "rm x",
    ]
  ) {
    assert.equal(decide(input), "deny", JSON.stringify(input));
  }
});

Deno.test("permissionRequestOf() lets a call be allowed only when all that could be run is", () => {
  for (
    const input of [
      { command: "git", args: ["status"] },
      { command: "git status", cwd: CWD, timeout: 5, description: "See what changed" },
      { command: ["git", "status"] },
      { command: "git status", cmd: "ls" },
      { command: "git status", env: {} },
    ]
  ) {
    assert.equal(decide(input), "allow", JSON.stringify(input));
  }
  for (
    const input of [
      {},
      { args: ["git"] },
      { command: "ls", cmd: "make" },
      { command: "ls", stdin: "make" },
      { command: "ls", then: ["make"] },
      { command: "ls", after: { unknown: "make" } },
      { command: "git status", env: { GIT_PAGER: "make" } },
      { command: "git status", env: [{ name: "PATH", value: "." }] },
      { command: ["bash", "-lc", "ls && make"] },
      { command: ["ls -l; make"] },
    ]
  ) {
    assert.equal(decide(input), "ask", JSON.stringify(input));
  }
});

Deno.test("permissionRequestOf() takes the title for a command only against the call", () => {
  assert.equal(decide(undefined, "execute", "git status"), "ask");
  assert.equal(decide(undefined, "execute", "rm x"), "deny");
  assert.equal(decide(undefined, "execute", "`rm x`"), "deny");
});

Deno.test("permissionRequestOf() takes the title for the command of agents whose titles are that", () => {
  const rules: PermissionRule[] = [
    { path: "secrets", action: "deny" },
    { command: "git *", action: "allow" },
    { command: "cat *", action: "allow" },
  ];
  const action = (title: string, text?: string, rawInput?: unknown, commandTitles = true) => {
    const content = text === undefined
      ? []
      : [{ type: "content", content: { type: "text", text } }];
    const call = { kind: "execute", title, content, rawInput };
    return decidePermission(rules, permissionRequestOf(call, { cwd: CWD, commandTitles })).action;
  };
  const here = `[current working directory ${CWD}]`;
  assert.equal(action("git status", here), "allow");
  assert.equal(action("git status", undefined, {}), "allow");
  assert.equal(action("git status", `${here} (See what changed) [background]`), "allow");
  assert.equal(action("cat key", "[in src]"), "allow");
  assert.equal(action("cat key", "[in secrets]"), "deny");
  assert.equal(action("git status; make", here), "ask");
  assert.equal(action("git log --oneline…", here), "ask");
  assert.equal(action("git status", "[in a] (b]"), "ask");
  assert.equal(action("git status", "in another place"), "ask");
  assert.equal(action("git status", here, { script_text: "make" }), "ask");
  assert.equal(action("git status", here, undefined, false), "ask");
  const edit = { kind: "edit", title: "git status" };
  const request = permissionRequestOf(edit, { cwd: CWD, commandTitles: true });
  assert.equal(decidePermission(rules, request).action, "ask");
});

Deno.test("permissionRequestOf() finds a shell command whatever the kind of the call", () => {
  for (const kind of ["edit", "delete", "think", "read", "other", "fetch"]) {
    assert.equal(decide({ command: "rm x" }, kind), "deny", kind);
  }
  const { commands } = permissionRequestOf({ kind: "edit", rawInput: { command: "str_replace" } }, {
    cwd: CWD,
  });
  assert.equal(commands, undefined);
});

Deno.test("permissionRequestOf() finds files under every name, however deep", () => {
  const rules: PermissionRule[] = [{ path: ".env", action: "deny" }, { action: "allow" }];
  const action = (rawInput: unknown) =>
    decidePermission(
      rules,
      permissionRequestOf({ kind: "read", locations: [{ path: "/x" }], rawInput }, { cwd: CWD }),
    ).action;
  for (
    const input of [
      { target_file: ".env" },
      { uri: `file://${CWD}/.env` },
      { uri: `FILE://localhost${CWD}/%2Eenv` },
      { args: { path: ".env" } },
      { paths: [{ path: ".env" }] },
      { includeFiles: [".env"] },
      { anything: ".env" },
    ]
  ) {
    assert.notEqual(action(input), "allow", JSON.stringify(input));
  }
  assert.equal(action({ old_string: ".env", new_string: ".env", profile: "x" }), "allow");
});

Deno.test("permissionRequestOf() takes a command from the directory that the call names", () => {
  const rules: PermissionRule[] = [
    { command: "echo *", action: "allow" },
    { kind: "edit", path: "src", action: "allow" },
  ];
  const action = (cwd: string) =>
    decidePermission(
      rules,
      permissionRequestOf({ kind: "execute", rawInput: { command: "echo > src/x", cwd } }, {
        cwd: CWD,
      }),
    ).action;
  assert.equal(action(CWD), "allow");
  assert.equal(action("."), "allow");
  assert.equal(action("/etc"), "ask");
});

Deno.test("permissionRequestOf() lets no further argument make an allow of a deny", () => {
  const key = fc.constantFrom("command", "cmd", "args", "argv", "x", "cwd", "env", "path", "input");
  const value = fc.oneof(
    fc.constantFrom("ls", "git status", "x"),
    fc.array(fc.constantFrom("ls", "-l"), { maxLength: 2 }),
    fc.dictionary(key, fc.constantFrom("ls", "git")),
  );
  fc.assert(
    fc.property(fc.dictionary(key, value), fc.constantFrom("cmd", "script"), (more, name) => {
      assert.notEqual(decide({ ...more, [name]: "rm x" }), "allow");
    }),
  );
});

Deno.test("permissionRequestOf() looks at a bounded part of a call, and lets no rule allow the rest", () => {
  const many = Array.from({ length: 100_000 }, (_, index) => `src/${index}`);
  const rules: readonly PermissionRule[] = [{ path: "src", action: "allow" }];
  let deep: unknown = { path: "src/deep" };
  for (let depth = 0; depth < 10; depth++) deep = { inner: deep };
  for (
    const call of [
      { rawInput: { path: "src/a", paths: many } },
      { rawInput: { path: "src/a", edits: many.map((path) => ({ path })) } },
      { rawInput: { path: "src/a", deep } },
      { locations: many.map((path) => ({ path })) },
      { content: many.map((path) => ({ type: "diff", path, newText: "" })) },
    ]
  ) {
    const request = permissionRequestOf({ kind: "edit", ...call }, { cwd: CWD });
    assert.ok(request.paths.length < 2_000, `${request.paths.length}`);
    assert.equal(decidePermission(rules, request).action, "ask");
    const denied = decidePermission([{ path: "src", action: "deny" }], request);
    assert.equal(denied.action, "deny");
  }
  const few = permissionRequestOf({ kind: "edit", rawInput: { paths: many.slice(0, 500) } }, {
    cwd: CWD,
  });
  assert.equal(decidePermission(rules, few).action, "allow");
});
