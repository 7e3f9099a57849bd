import assert from "node:assert/strict";
import { type PermissionRequest, permissionRequestOf } from "../../src/model/permission_request.ts";
import { decidePermission, describeRule } from "../../src/model/permission_rules.ts";
import { parseRememberedRule, rulesFor } from "../../src/model/remembered_rules.ts";

const request = (more: Partial<PermissionRequest>): PermissionRequest => ({
  kind: "execute",
  tools: [],
  paths: [],
  cwd: "/proj",
  home: "/home/u",
  ...more,
});

const actionAfter = (
  remembered: Partial<PermissionRequest>,
  asked: Partial<PermissionRequest>,
  answer: "allow" | "deny" = "allow",
) => decidePermission(rulesFor(request(remembered), answer), request(asked)).action;

Deno.test("rulesFor() allows exactly the command that was allowed, globs in it taken literally", () => {
  const quoted = { commands: ["rm 'a*'"] };
  assert.equal(actionAfter(quoted, quoted), "allow");
  assert.equal(actionAfter(quoted, { commands: ["rm abc"] }), "ask");
  assert.equal(actionAfter(quoted, { commands: ["rm a*"] }), "ask");
  assert.equal(actionAfter({ commands: ["rm 'a b'"] }, { commands: ["rm a b"] }), "ask");
  assert.equal(actionAfter({ commands: ["rm 'a b'"] }, { commands: ['rm "a b"'] }), "allow");
  assert.equal(actionAfter({ commands: ["npm test"] }, { commands: ["A=b npm test"] }), "ask");
  assert.equal(
    actionAfter({ commands: ["git status"] }, { commands: ["git status && rm x"] }),
    "ask",
  );
});

Deno.test("rulesFor() takes a compound line apart, so that its parts are known again", () => {
  const line = { commands: ["git status && npm test > out.txt"] };
  assert.equal(rulesFor(request(line), "allow").length, 3);
  assert.equal(actionAfter(line, { commands: ["npm test"] }), "allow");
  assert.equal(actionAfter(line, { commands: ["npm test > other.txt"] }), "ask");
});

Deno.test("rulesFor() remembers files as they are, not what is beneath or beside them", () => {
  const edit = { kind: "edit", paths: ["src/a.ts"] } as const;
  assert.equal(actionAfter(edit, { kind: "edit", paths: ["/proj/src/a.ts"] }), "allow");
  assert.equal(actionAfter(edit, { kind: "edit", paths: ["src/b.ts"] }), "ask");
  assert.equal(actionAfter(edit, { kind: "delete", paths: ["src/a.ts"] }), "ask");
  const folder = { kind: "edit", paths: ["src"] } as const;
  assert.equal(actionAfter(folder, { kind: "edit", paths: ["src/a.ts"] }), "ask");
});

Deno.test("rulesFor() remembers a tool by its name, and the agent that asked", () => {
  const tool = { kind: "other", tools: ["client_greet"], agent: "mine" } as const;
  assert.equal(actionAfter(tool, tool), "allow");
  assert.equal(actionAfter(tool, { ...tool, agent: "other" }), "ask");
  assert.equal(actionAfter(tool, tool, "deny"), "deny");
});

Deno.test("rulesFor() remembers a client tool as such, whatever its arguments were", () => {
  const call = (tool: string, rawInput: unknown, kind = "other") =>
    permissionRequestOf({ title: `client: ${tool}`, kind, rawInput }, {
      cwd: "/proj",
      agent: "mine",
    });
  for (const input of [{ path: "a.txt" }, { command: "ls" }, { paths: ["a", "b"] }, {}]) {
    const rules = rulesFor(call("count", input), "allow");
    assert.deepEqual(rules.map(describeRule), [
      'allow tool "count", agent "mine" (remembered)',
    ]);
    const after = (request: PermissionRequest) => decidePermission(rules, request).action;
    assert.equal(after(call("count", { path: "b.txt" })), "allow");
    for (const other of [input, { path: "b.txt" }]) {
      assert.equal(after(call("wipe", other)), "ask", JSON.stringify(other));
      // The model may have had a say in the title of what is none.
      assert.equal(after(call("count", { ...other, command: "rm x" }, "execute")), "ask");
      assert.equal(after(call("count", { path: "b.txt" }, "delete")), "ask");
    }
  }
});

Deno.test("rulesFor() allows no other tool what it remembers of one", () => {
  const tools = [{ name: "one" }, { name: "two" }, { title: "client: three" }, {
    title: "client: four",
  }, {}];
  const requests = tools.flatMap((tool) =>
    [
      { kind: "other", rawInput: { path: "x" } },
      { kind: "edit", rawInput: { path: "x" } },
      { kind: "execute", rawInput: { command: "npm test" } },
      { kind: "fetch", rawInput: { command: "npm test" } },
      { kind: "other", rawInput: {} },
    ].map((call) => ({ tool, call: permissionRequestOf({ ...call, ...tool }, { cwd: "/proj" }) }))
  );
  for (const answered of requests) {
    const rules = rulesFor(answered.call, "allow");
    for (const asked of requests.filter(({ tool }) => tool !== answered.tool)) {
      const { action } = decidePermission(rules, asked.call);
      assert.equal(action, "ask", JSON.stringify([answered, asked]));
    }
  }
});

Deno.test("rulesFor() does not take an agent's tool for the client's of the same name", () => {
  const base = { cwd: "/proj" };
  const client = permissionRequestOf({ title: "client: run", kind: "other" }, base);
  for (const input of [{ command: "rm x" }, { path: "x" }]) {
    for (const kind of ["execute", "edit", "other"]) {
      const own = permissionRequestOf({ name: "run", kind, rawInput: input }, base);
      assert.equal(decidePermission(rulesFor(client, "allow"), own).action, "ask", kind);
    }
  }
});

Deno.test("rulesFor() remembers a no for whatever else would do the same with a file", () => {
  const edit = { kind: "edit", paths: ["a.ts"] } as const;
  assert.equal(actionAfter({ ...edit, tools: ["Edit"] }, { ...edit, tools: [] }, "deny"), "deny");
  assert.equal(actionAfter({ ...edit, tools: ["Edit"] }, { ...edit, tools: ["Edit"] }), "allow");
});

Deno.test("rulesFor() remembers nothing that it could not know again", () => {
  for (
    const unclear of [
      {},
      { commands: ["rm $TARGET"] },
      { commands: ["rm *.tmp"] },
      { commands: ["echo 'not closed"] },
      { kind: "fetch" },
      { kind: "edit" },
      { kind: "other", paths: ["a.txt"] },
    ] as const
  ) {
    assert.deepEqual(rulesFor(request(unclear), "allow"), [], JSON.stringify(unclear));
  }
});

Deno.test("parseRememberedRule() drops what would match more than was stored", () => {
  const good = { action: "allow", kind: "execute", command: "ls" };
  assert.deepEqual(parseRememberedRule(good), { ...good, literal: true, origin: "remembered" });
  for (
    const bad of [
      null,
      {},
      { action: "allow" },
      { action: "allow", kind: "edit" },
      { action: "allow", kind: "other", path: "/a" },
      { action: "ask", command: "ls" },
      { action: "allow", command: 3, path: "/a" },
    ]
  ) {
    assert.equal(parseRememberedRule(bad), undefined, JSON.stringify(bad));
  }
});
