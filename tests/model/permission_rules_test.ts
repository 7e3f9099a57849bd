import assert from "node:assert/strict";
import fc from "fast-check";
import { type PermissionRequest, permissionRequestOf } from "../../src/model/permission_request.ts";
import {
  chooseOption,
  decidePermission,
  defaultPolicy,
  describeRule,
  type PermissionAction,
  type PermissionRule,
} from "../../src/model/permission_rules.ts";
import { call, play, tools } from "./session_script.ts";

const CWD = "/home/user/project";

function request(fields: Partial<PermissionRequest>): PermissionRequest {
  return { kind: "other", tools: [], paths: [], cwd: CWD, home: "/home/user", ...fields };
}

function shell(command: string): PermissionRequest {
  return request({ kind: "execute", commands: [command] });
}

function allow(...commands: string[]): PermissionRule[] {
  return commands.map((command) => ({ command, action: "allow" }));
}

function decide(rules: readonly PermissionRule[], asked: PermissionRequest): PermissionAction {
  return decidePermission(rules, asked).action;
}

Deno.test("decidePermission() asks when no rule matches", () => {
  const decision = decidePermission([], shell("ls"));
  assert.equal(decision.action, "ask");
  assert.equal(decision.rule, undefined);
  assert.equal(decision.reason, 'no rule matches "ls"');
});

Deno.test("decidePermission() lets the first matching rule decide and names it", () => {
  const rules: PermissionRule[] = [
    { kind: "read", action: "allow" },
    { kind: "re*", action: "ask" },
    { action: "allow" },
  ];
  const decision = decidePermission(rules, request({ kind: "read", paths: ["a.txt"] }));
  assert.equal(decision.action, "allow");
  assert.equal(decision.rule, rules[0]);
  assert.equal(decision.reason, '"allow kind "read"" matches a.txt');
  assert.equal(decide(rules.slice(1), request({ kind: "read" })), "ask");
  assert.equal(decide(rules, request({ kind: "edit" })), "allow");
});

Deno.test("decidePermission() tests the user's denies before anything else", () => {
  const rules: PermissionRule[] = [
    { action: "allow", origin: "flag" },
    { command: "rm *", action: "deny" },
  ];
  assert.equal(decide(rules, shell("rm x")), "deny");
  assert.equal(decide(rules, shell("rm")), "deny");
  assert.equal(decide(rules, shell("ls && rm x")), "deny");
  assert.equal(decide(rules, shell("ls")), "allow");
});

Deno.test("decidePermission() gives a project's deny no such rank", () => {
  const rules: PermissionRule[] = [
    { kind: "execute", action: "allow" },
    { command: "rm *", action: "deny", origin: "project" },
  ];
  assert.equal(decide(rules, shell("rm x")), "allow");
  assert.equal(decide(rules.toReversed(), shell("rm x")), "deny");
});

const ALLOWED = allow("git *", "ls *", "echo *", "npm test");

for (
  const command of [
    "git status",
    "git",
    "ls -la",
    'git commit -m "a && rm b; c | d"',
    "git status && ls",
    "git status; ls | echo x & ls",
    "git status\nls\n",
    "(git status; ls)",
    "{ git status; ls; }",
    "! git diff",
    "git log 2>&1",
    "git log > /dev/null 2>/dev/null",
    "echo $(git status) `ls`",
    'echo "$(git rev-parse HEAD)"',
    "echo $HOME ${USER}",
    "for f in a b; do echo $f; done",
    "if git diff; then echo a; else echo b; fi",
    "git \\\n status # rm x",
    "echo 'it''s' \\; rm",
    "npm test",
  ]
) {
  Deno.test(`decidePermission() allows a line whose every part is allowed: ${JSON.stringify(command)}`, () => {
    assert.equal(decidePermission(ALLOWED, shell(command)).reason.includes("matches"), true);
    assert.equal(decide(ALLOWED, shell(command)), "allow");
  });
}

for (
  const command of [
    "",
    "rm x",
    "git status && rm x",
    "git status; rm x",
    "git status | rm x",
    "git status || rm x",
    "git status & rm x",
    "git status\nrm x",
    "git status |& rm x",
    "(rm x)",
    "{ rm x; }",
    "echo $(rm x)",
    "echo `rm x`",
    'echo "$(rm x)"',
    "echo $(echo $(rm x))",
    "echo ${X:-$(rm x)}",
    "echo <(rm x)",
    "echo $((1+1))",
    "echo $'a'",
    "git log > out.txt",
    "git log >> out.txt",
    "git log &> out.txt",
    "git log >& out.txt",
    "git log > $OUT",
    "git log >",
    "ls < in.txt",
    "cat <<EOF\nrm x\nEOF",
    "PATH=. git status",
    "PATH=/tmp",
    "/tmp/git status",
    "sudo git status",
    "$GIT status",
    "{rm,x}",
    "r? x",
    "git 'status",
    'git "status',
    "git (",
    "git )",
    "f() { rm x; }; f",
    "case a in a) rm x;; esac",
    "[[ a < b ]]",
    "while rm x; do echo; done",
    "for f in $(rm x); do echo $f; done",
    "echo a; then rm x",
    "npm test x",
    "'git status'",
    "\rrm x",
    "git\u00a0status",
    "git status \u3164x",
    "git status x\u{e0072}\u{e006d}",
    "git status x\ufe0f",
    "git status \\\u3164",
  ]
) {
  Deno.test(`decidePermission() asks about a line that has more than what is allowed: ${JSON.stringify(command)}`, () => {
    assert.equal(decide(ALLOWED, shell(command)), "ask");
  });
}

Deno.test("decidePermission() reads characters of any plane as they are", () => {
  for (const command of ["git status \u{1f600}", "git status \\\u{1f600}x"]) {
    assert.equal(decide(ALLOWED, shell(command)), "allow", command);
  }
});

for (
  const command of [
    "rm x",
    "rm",
    "'rm' x",
    "r\\m x",
    '"rm" x',
    "/bin/rm x",
    "A=1 rm x",
    "sudo -n rm x",
    "env A=1 /bin/rm x",
    "ls | xargs rm",
    "find . -name x -exec rm {} +",
    "sh -c 'rm x'",
    "bash -lc 'ls && rm x'",
    "sudo bash -c 'rm x'",
    "eval rm x",
    "echo $(rm x)",
    "ls 2>&1 | rm x > y",
    "if ls; then rm x; fi",
  ]
) {
  Deno.test(`decidePermission() finds a denied command however it is dressed: ${JSON.stringify(command)}`, () => {
    const rules: PermissionRule[] = [{ action: "allow" }, { command: "rm *", action: "deny" }];
    assert.equal(decide(rules, shell(command)), "deny");
  });
}

Deno.test("decidePermission() does not take an argument for a command", () => {
  const rules: PermissionRule[] = [{ action: "allow" }, { command: "rm *", action: "deny" }];
  for (const command of ["git rm x", "echo rm x", "grep 'rm x' file", "npm run rm"]) {
    assert.equal(decide(rules, shell(command)), "allow", command);
  }
});

Deno.test("decidePermission() asks where a deny cannot be held against the command", () => {
  const rules: PermissionRule[] = [{ action: "allow" }, { command: "rm -rf *", action: "deny" }];
  for (const command of ["rm $FLAGS x", "rm -{r,f} x", "$CMD", "cat <<E\n$X\nE", 'sh -c "$X"']) {
    assert.equal(decide(rules, shell(command)), "ask", command);
  }
  assert.equal(decide(rules, request({ kind: "execute" })), "ask");
  assert.equal(decide(rules, shell("rm x")), "allow");
});

Deno.test("decidePermission() needs no readable command for a rule that does not look at it", () => {
  assert.equal(decide([{ action: "allow" }], shell("cat <<E\n$X\nE")), "allow");
  assert.equal(decide([{ kind: "execute", action: "allow" }], shell("f() { ls; }")), "allow");
  assert.equal(decide([{ kind: "execute", action: "allow" }], shell("ls > out.txt")), "allow");
});

Deno.test("decidePermission() takes a redirection for a write or a read of its file", () => {
  const rules = [...ALLOWED, { kind: "edit", path: "out/**", action: "allow" } as const];
  assert.equal(decide(rules, shell("git log > out/log.txt")), "allow");
  assert.equal(decide(rules, shell("git log > out/../x")), "ask");
  assert.equal(decide(rules, shell("git log < out/log.txt")), "ask");
  const deny: PermissionRule[] = [{ action: "allow" }, {
    kind: "edit",
    path: ".env",
    action: "deny",
  }];
  assert.equal(decide(deny, shell("echo A=1 >> .env")), "deny");
});

Deno.test("decidePermission() reads path patterns relative to the session's directory", () => {
  const matches = (path: string, file: string) =>
    decide([{ path, action: "allow" }], request({ kind: "edit", paths: [file] })) === "allow";
  assert.ok(matches("src/**", "src/a/b.ts"));
  assert.ok(matches("src", `${CWD}/src/a.ts`));
  assert.ok(matches("src/*.ts", "./src/a.ts"));
  assert.ok(!matches("src/*.ts", "src/a/b.ts"));
  assert.ok(!matches("src/**", "src/../etc"));
  assert.ok(!matches("src", "/elsewhere/src/a.ts"));
  assert.ok(matches("*.md", "docs/deep/a.md"));
  assert.ok(!matches("*.md", "/etc/a.md"));
  assert.ok(matches("~/notes", "/home/user/notes/a"));
  assert.ok(matches("/tmp/?.txt", "/tmp/a.txt"));
  assert.ok(!matches("/tmp/?.txt", "/tmp/ab.txt"));
  assert.ok(matches("**", "any/thing"));
  assert.ok(!matches("**", "/any/thing"));
});

Deno.test("decidePermission() wants every file of a request allowed, and none denied", () => {
  const rules: PermissionRule[] = [
    { path: "src", action: "allow" },
    { path: ".env", action: "deny" },
  ];
  const edit = (...paths: string[]) => decide(rules, request({ kind: "edit", paths }));
  assert.equal(edit("src/a", "src/b"), "allow");
  assert.equal(edit("src/a", "other"), "ask");
  assert.equal(edit("src/a", "src/.env"), "deny");
  assert.equal(edit("src/.ENV"), "deny");
  assert.equal(edit("/elsewhere/.env"), "deny");
});

Deno.test("decidePermission() finds a denied file among the words of a command", () => {
  const rules: PermissionRule[] = [{ action: "allow" }, { path: ".env", action: "deny" }];
  for (const command of ["cat .env", "cp ./a/../.env x", "tool --file=.env", "cat < .env"]) {
    assert.equal(decide(rules, shell(command)), "deny", command);
  }
  assert.equal(decide(rules, shell("cat env")), "allow");
});

Deno.test("decidePermission() asks when files are denied and nobody says which are touched", () => {
  const rules: PermissionRule[] = [{ action: "allow" }, { path: ".env", action: "deny" }];
  assert.equal(decide(rules, request({ kind: "edit" })), "ask");
  assert.equal(decide(rules, request({ kind: "think" })), "allow");
});

Deno.test("decidePermission() does not let the allowed files of a shell line allow its commands", () => {
  const rules: PermissionRule[] = [{ path: "src", action: "allow" }];
  const asked = request({ kind: "execute", commands: ["rm -r x"], paths: ["src/a"] });
  assert.equal(decide(rules, asked), "ask");
  assert.equal(decide([{ ...allow("rm *")[0], path: "src", action: "allow" }], asked), "allow");
});

Deno.test("decidePermission() matches tools and agents by name", () => {
  const rules: PermissionRule[] = [
    { tool: "word_*", action: "allow" },
    { tool: "danger", agent: "other", action: "allow" },
  ];
  assert.equal(decide(rules, request({ tools: ["word_count"] })), "allow");
  assert.equal(decide(rules, request({ tools: ["danger"] })), "ask");
  assert.equal(decide(rules, request({ tools: ["danger"], agent: "other" })), "allow");
  assert.equal(decide(rules, request({ title: "word_count" })), "ask");
  assert.equal(decide([{ tool: "x", action: "deny" }], request({ title: "x" })), "deny");
  assert.equal(decide([{ tool: "*", action: "deny" }], request({})), "deny");
  assert.equal(decide([{ tool: "*", action: "allow" }], request({})), "ask");
});

Deno.test("decidePermission() never lets a matching deny of the user be outranked", () => {
  const words = fc.constantFrom("rm", "git", "ls", "x", "-rf", "*", "?");
  const command = fc.array(words, { minLength: 1, maxLength: 3 }).map((list) => list.join(" "));
  const rule: fc.Arbitrary<PermissionRule> = fc.record({
    action: fc.constantFrom("allow", "ask", "deny"),
    kind: fc.constantFrom("execute", "*", "edit"),
    command,
    path: fc.constantFrom("**", "x", "/x"),
    origin: fc.constantFrom("user", "project", "remembered", "flag", "default"),
  }, { requiredKeys: ["action"] });
  const glue = fc.constantFrom(" && ", "; ", " | ", "\n", " & ", " || ");
  fc.assert(fc.property(
    fc.array(rule),
    fc.array(rule),
    fc.array(command, { maxLength: 3 }),
    glue,
    (before, after, parts, between) => {
      const deny: PermissionRule = { command: "rm *", action: "deny" };
      const line = [...parts.map((part) => `echo ${part}`), "rm x", ...parts].join(between);
      const rules = [...before, deny, ...after];
      assert.notEqual(decide(rules, shell(line)), "allow");
      assert.equal(decide(rules, shell("ls; rm x")), "deny");
    },
  ));
});

Deno.test("decidePermission() never throws and never allows by a command rule what hides another command", () => {
  fc.assert(fc.property(fc.string({ maxLength: 40 }), (text) => {
    const decision = decide(
      [{ action: "allow" }, { command: "rm *", action: "deny" }],
      shell(`rm x;${text}`),
    );
    assert.notEqual(decision, "allow");
  }));
});

Deno.test("decidePermission() answers quickly on long and deep lines", () => {
  for (
    const command of [
      "$(".repeat(50_000),
      "a ".repeat(30_000),
      "`".repeat(1001),
      "(".repeat(50_000),
    ]
  ) {
    assert.equal(decide(allow("b *"), shell(command)), "ask");
  }
  const denies: PermissionRule[] = [
    { command: "rm *a*b", action: "deny" },
    { path: "**/x/*y*/**/.env", action: "deny" },
  ];
  for (const piece of ["[", "{", "a ", "a:", "*/", "rm a ", "git a; ", "f 'rm a' "]) {
    const line = `f ${piece.repeat(60_000 / piece.length)}`;
    assert.notEqual(decide([...denies, { action: "allow" }], shell(line)), "deny", piece);
  }
  const stars = "*a".repeat(200);
  assert.equal(decide(allow(stars), shell("a".repeat(5_000) + "b")), "ask");
});

Deno.test("permissionRequestOf() reads the command from wherever agents put it", () => {
  const commandOf = (toolCall: unknown) =>
    permissionRequestOf(toolCall, { cwd: CWD }).commands?.join("\n");
  assert.equal(commandOf({ kind: "execute", rawInput: { command: "ls -la" } }), "ls -la");
  assert.equal(commandOf({ kind: "execute", rawInput: { command: ["ls", "a b"] } }), "ls 'a b'");
  assert.equal(commandOf({ kind: "execute", rawInput: { cmd: "ls" } }), "ls");
  assert.equal(commandOf({ kind: "execute", rawInput: "ls" }), "ls");
  assert.equal(commandOf({ kind: "execute", title: "ls" }), "ls");
  assert.equal(commandOf({ kind: "execute", title: "ls && a very long l…" }), undefined);
  assert.equal(commandOf({ kind: "edit", rawInput: { command: "view" } }), undefined);
  assert.equal(commandOf({ toolCallId: "c" }), undefined);
});

Deno.test("permissionRequestOf() reads the files from locations, diffs and arguments", () => {
  const { paths } = permissionRequestOf({
    kind: "edit",
    locations: [{ path: "/a" }, { line: 2 }],
    content: [{ type: "diff", path: "/b", newText: "" }],
    rawInput: { file_path: "file:///c%20d", paths: ["/e", 5], filepath: "/a" },
  }, { cwd: CWD });
  assert.deepEqual(paths, ["/a", "/b", "/c d", "/e"]);
});

Deno.test("permissionRequestOf() completes a bare question with the call as it is known", () => {
  const [known] = tools(play([call("c", {
    name: "edit_file",
    kind: "edit",
    locations: [{ path: "/a" }],
    rawInput: { path: "/b" },
  })]));
  const asked = permissionRequestOf({ toolCallId: "c", locations: [] }, { cwd: CWD, known });
  assert.equal(asked.kind, "edit");
  assert.deepEqual(asked.tools, ["edit_file"]);
  assert.deepEqual(asked.paths, ["/a", "/b"]);
});

Deno.test("permissionRequestOf() knows a client tool by its title", () => {
  const asked = permissionRequestOf({ title: "client: word_count", kind: "other" }, { cwd: CWD });
  assert.deepEqual(asked.tools, ["word_count"]);
});

Deno.test("permissionRequestOf() never throws", () => {
  fc.assert(fc.property(fc.jsonValue(), fc.jsonValue(), (call, input) => {
    permissionRequestOf(call, { cwd: CWD });
    const asked = permissionRequestOf({ kind: "execute", rawInput: input }, { cwd: CWD });
    decidePermission(defaultPolicy("reads"), asked);
  }));
});

Deno.test("defaultPolicy() stands for the modes of --permissions", () => {
  const kinds = ["read", "search", "fetch", "think", "edit", "execute", "other"] as const;
  const actions = (mode: Parameters<typeof defaultPolicy>[0]) =>
    kinds.map((kind) => decide(defaultPolicy(mode), request({ kind }))).join(" ");
  assert.equal(actions("allow"), "allow allow allow allow allow allow allow");
  assert.equal(actions("deny"), "deny deny deny deny deny deny deny");
  assert.equal(actions("ask"), "ask ask ask ask ask ask ask");
  assert.equal(actions("reads"), "allow allow allow allow ask ask ask");
});

Deno.test("chooseOption() takes the narrowest option and never one of an unknown kind", () => {
  const option = (optionId: string, kind: string) => ({ optionId, kind, name: optionId });
  const options = [
    option("a", "allow_always"),
    option("b", "allow_everything"),
    option("c", "allow_once"),
    option("d", "allow_once"),
    option("e", "reject_always"),
  ];
  assert.equal(chooseOption(options, "allow")?.optionId, "c");
  assert.equal(chooseOption(options, "deny")?.optionId, "e");
  assert.equal(chooseOption(options.slice(0, 2), "allow")?.optionId, "a");
  assert.equal(chooseOption([option("b", "defer")], "deny"), null);
  assert.equal(chooseOption([], "allow"), null);
});

Deno.test("describeRule() says a rule in one line", () => {
  assert.equal(describeRule({ action: "allow" }), "allow everything");
  assert.equal(
    describeRule({ action: "deny", kind: "execute", command: "rm *", origin: "user" }),
    'deny kind "execute", command "rm *" (user)',
  );
});
