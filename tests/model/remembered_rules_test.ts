import assert from "node:assert/strict";
import type { PermissionRequest } from "../../src/model/permission_request.ts";
import { decidePermission } from "../../src/model/permission_rules.ts";
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

Deno.test("rulesFor() remembers nothing that it could not know again", () => {
  for (
    const unclear of [
      {},
      { commands: ["rm $TARGET"] },
      { commands: ["rm *.tmp"] },
      { commands: ["echo 'not closed"] },
      { kind: "fetch" },
      { kind: "edit" },
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
      { action: "ask", command: "ls" },
      { action: "allow", command: 3, path: "/a" },
    ]
  ) {
    assert.equal(parseRememberedRule(bad), undefined, JSON.stringify(bad));
  }
});
