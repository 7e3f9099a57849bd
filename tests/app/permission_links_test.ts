import assert from "node:assert/strict";
import { followLinks } from "../../src/app/permission_links.ts";
import { decidePermission, type PermissionRule } from "../../src/model/permission_rules.ts";

Deno.test("followLinks() lets no path be allowed by its name that is too long to be followed", async () => {
  const cwd = await Deno.realPath(await Deno.makeTempDir());
  try {
    await Deno.mkdir(`${cwd}/src`);
    await Deno.symlink("/etc", `${cwd}/src/link`);
    const rules: readonly PermissionRule[] = [{ kind: "edit", path: "src/**", action: "allow" }];
    const decide = async (path: string) => {
      const request = { kind: "edit", tools: [], paths: [path], cwd } as const;
      return decidePermission(rules, await followLinks(rules, request)).action;
    };
    assert.equal(await decide("src/new"), "allow");
    assert.equal(await decide("src/link/passwd"), "ask");
    for (const count of [300, 3000]) {
      assert.equal(await decide(`src/link/${"./".repeat(count)}passwd`), "ask");
    }
  } finally {
    await Deno.remove(cwd, { recursive: true });
  }
});
