import assert from "node:assert/strict";
import { cleverAgents } from "../../src/api/cleveragents.ts";

Deno.test("cleverAgents() sends each call under its name on the wire", async () => {
  const sent: unknown[] = [];
  const platform = cleverAgents({
    request(method, params, options) {
      sent.push([method, params, options]);
      return Promise.resolve("answer");
    },
  });
  assert.equal(await platform.plan.status({ plan_id: "p" }), "answer");
  await platform.plan.list();
  await platform.registry.resource_type.update({ name: "n", size: 3 }, { timeoutMs: 5 });
  await platform.sync.status({ namespace: "team" });
  await platform.health.check();
  assert.deepEqual(sent, [
    ["_cleveragents/plan/status", { plan_id: "p" }, undefined],
    ["_cleveragents/plan/list", {}, undefined],
    ["_cleveragents/registry/resource_type/update", { name: "n", size: 3 }, { timeoutMs: 5 }],
    ["_cleveragents/sync/status", { namespace: "team" }, undefined],
    ["_cleveragents/health/check", {}, undefined],
  ]);
  // @ts-expect-error a plan must be named
  await platform.plan.status();
  // @ts-expect-error a plan's name is a string
  await platform.plan.status({ plan_id: 1 });
});
