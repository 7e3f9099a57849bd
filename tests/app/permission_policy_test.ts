import assert from "node:assert/strict";
import type { PermissionDefault } from "../../src/app/options.ts";
import { permissionPolicy } from "../../src/app/permission_policy.ts";
import type { PermissionRule } from "../../src/model/permission_rules.ts";

const OPTIONS = [
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];

interface Setup {
  readonly permissions: PermissionDefault;
  readonly interactive: boolean;
  readonly kind?: string;
  readonly options?: readonly unknown[];
  readonly rules?: readonly PermissionRule[];
}

async function decide(setup: Setup) {
  const notices: string[] = [];
  const policy = permissionPolicy({
    rules: () => setup.rules ?? [],
    permissions: () => setup.permissions,
    interactive: setup.interactive,
    session: () => undefined,
    refused: ({ message, hint }) => notices.push(`${message}; ${hint}`),
  });
  const toolCall = { toolCallId: "c", title: "Build", kind: setup.kind ?? "edit" };
  const params = { sessionId: "s", toolCall, options: setup.options ?? OPTIONS };
  const first = await policy({ sessionId: "s", params });
  await policy({ sessionId: "s", params });
  return { optionId: first?.optionId, by: first?.by, notices };
}

Deno.test("permissionPolicy() leaves the question to the person", async () => {
  const { optionId, by } = await decide({ permissions: "ask", interactive: true });
  assert.deepEqual([optionId, by], [undefined, undefined]);
});

Deno.test("permissionPolicy() takes the narrowest option that the default allows", async () => {
  const { optionId, by } = await decide({ permissions: "allow", interactive: false });
  assert.deepEqual([optionId, by], ["yes", "rule"]);
});

Deno.test("permissionPolicy() allows reading and leaves the rest under reads", async () => {
  const read = await decide({ permissions: "reads", interactive: true, kind: "search" });
  assert.deepEqual([read.optionId, read.by], ["yes", "rule"]);
  const edit = await decide({ permissions: "reads", interactive: true });
  assert.equal(edit.by, undefined);
});

Deno.test("permissionPolicy() refuses where nobody can be asked and says so", async () => {
  for (const permissions of ["ask", "reads"] as const) {
    const { optionId, by, notices } = await decide({ permissions, interactive: false });
    assert.deepEqual([optionId, by], ["no", "nobody"]);
    assert.match(notices[0] ?? "", /Refused "Build": nobody can.*--permissions allow/);
  }
  const read = await decide({ permissions: "ask", interactive: false, kind: "read" });
  assert.match(read.notices[0] ?? "", /--permissions reads/);
});

Deno.test("permissionPolicy() says that it refuses because it is set to deny", async () => {
  const { optionId, by, notices } = await decide({ permissions: "deny", interactive: false });
  assert.deepEqual([optionId, by], ["no", "rule"]);
  assert.match(notices[0] ?? "", /Refused "Build": permissions are set to deny; --permissions/);
  const rules: PermissionRule[] = [{ kind: "edit", action: "deny" }];
  const ruled = await decide({ permissions: "deny", interactive: false, rules });
  assert.deepEqual([ruled.by, ruled.notices], ["rule", []]);
});

Deno.test("permissionPolicy() cancels where there is no option that refuses", async () => {
  const options = OPTIONS.slice(0, 2);
  const { optionId, by } = await decide({ permissions: "ask", interactive: false, options });
  assert.deepEqual([optionId, by], [null, "nobody"]);
});

Deno.test("permissionPolicy() never takes an option of an unknown kind", async () => {
  const options = [{ optionId: "x", name: "Later", kind: "defer_9" }];
  const allowed = await decide({ permissions: "allow", interactive: true, options });
  assert.equal(allowed.by, undefined);
  const alone = await decide({ permissions: "allow", interactive: false, options });
  assert.deepEqual([alone.optionId, alone.by], [null, "nobody"]);
});

Deno.test("permissionPolicy() puts rules before the default", async () => {
  const rules: PermissionRule[] = [{ kind: "edit", action: "deny" }];
  const { optionId, by } = await decide({ permissions: "allow", interactive: false, rules });
  assert.deepEqual([optionId, by], ["no", "rule"]);
});
