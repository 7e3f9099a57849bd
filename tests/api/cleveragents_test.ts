import assert from "node:assert/strict";
import {
  type CleverAgents,
  cleverAgents,
  type RegistryEntity,
} from "../../src/api/cleveragents.ts";
import type {
  CLEVERAGENTS_AREAS,
  ParamsOf,
  REGISTRY_ENTITIES,
  REGISTRY_OPERATIONS,
} from "../../src/model/cleveragents_catalog.ts";
import type { ExtensionMethod } from "../../src/model/extension_method.ts";

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

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** Whether each function of an area takes what its row says. */
type Fits<Calls, Rows> = false extends {
  [M in keyof Calls | keyof Rows]: M extends keyof Calls & keyof Rows ? FitsOne<Calls[M], Rows[M]>
    : false;
}[keyof Calls | keyof Rows] ? false
  : true;

type FitsOne<Call, Row> = Row extends Pick<ExtensionMethod, "params">
  ? Call extends (params: infer P, options?: never) => unknown ? Same<NonNullable<P>, ParamsOf<Row>>
  : false
  : false;

Deno.test("the functions of cleverAgents() are typed as the catalog's rows say", () => {
  type Areas = typeof CLEVERAGENTS_AREAS;
  const areas:
    & { readonly [A in keyof Areas | Exclude<keyof CleverAgents, "registry">]: true }
    & {
      readonly [A in keyof Areas]: Fits<CleverAgents[A], Areas[A]>;
    } = {
      plan: true,
      context: true,
      sync: true,
      namespace: true,
      health: true,
      diagnostics: true,
    };
  const registry: Fits<CleverAgents["registry"]["tool"], typeof REGISTRY_OPERATIONS> = true;
  const entities: Same<RegistryEntity, (typeof REGISTRY_ENTITIES)[number]> = true;
  assert.ok(areas.plan && registry && entities);
});
