import assert from "node:assert/strict";
import { facade, type FacadeContext } from "../../src/api/facade.ts";
import { isServiceKey, type ServiceKey, WIRING } from "../../src/api/facade_wiring.ts";
import { AcpError, NotAvailable, OperationNotFound } from "../../src/base/acp_errors.ts";
import { MmError } from "../../src/base/errors.ts";
import { RpcError } from "../../src/base/rpc.ts";

Deno.test("facade() answers methods by the members of its services", async () => {
  class Plans {
    readonly #state = "done";
    get_status(params: unknown) {
      return { params, state: this.#state };
    }
    createPlan() {
      return Promise.resolve("made");
    }
    list() {
      return [];
    }
  }
  const local = facade({ services: { plan_lifecycle_service: new Plans() } });
  assert.deepEqual(await local.dispatch("_cleveragents/plan/status", { plan_id: "p" }), {
    params: { plan_id: "p" },
    state: "done",
  });
  const use = { action_name: "a", project_names: [] };
  assert.equal(await local.dispatch("_cleveragents/plan/use", use), "made");
  assert.deepEqual(await local.dispatch("_cleveragents/plan/list"), []);
});

Deno.test("facade() wires all seven services, each to its methods", async () => {
  const prefixes: Record<ServiceKey, string> = {
    session_service: "session/",
    plan_lifecycle_service: "_cleveragents/plan/",
    tool_registry: "_cleveragents/registry/tool/",
    resource_registry_service: "_cleveragents/registry/resource/",
    sync_service: "_cleveragents/sync/",
    namespace_service: "_cleveragents/namespace/",
    context_service: "_cleveragents/context/",
  };
  const everything = {
    plan_id: "",
    decision_id: "",
    correction: "",
    message: "",
    action_name: "",
    project_names: [],
    name: "",
    project_name: "",
    namespace: "",
    entities: [],
  };
  const answered = new Map<string, number>();
  for (const [key, prefix] of Object.entries(prefixes)) {
    assert.ok(isServiceKey(key));
    const service = new Proxy({}, { get: (_, name) => () => `${key}.${String(name)}` });
    const local = facade();
    local.registerService(key, service);
    const methods = [...WIRING.keys()].filter((method) => local.handles(method));
    assert.ok(methods.every((method) => method.startsWith(prefix)));
    for (const method of methods) {
      assert.match(String(await local.dispatch(method, everything)), new RegExp(`^${key}\\.`));
    }
    answered.set(key, methods.length);
  }
  assert.deepEqual([...answered.values()], [12, 13, 5, 5, 3, 3, 4]);
});

Deno.test("Facade.dispatch() tells an unknown method from a service that is not there", async () => {
  const local = facade({ services: { sync_service: {} } });
  await assert.rejects(local.dispatch("_cleveragents/plan/unheard"), (error) => {
    assert.ok(error instanceof OperationNotFound && error instanceof AcpError);
    assert.ok(error instanceof MmError);
    assert.equal(error.rpc?.code, -32601);
    assert.equal(error.code, "not_supported");
    return true;
  });
  await assert.rejects(local.dispatch("_cleveragents/sync/status"), OperationNotFound);
  await assert.rejects(local.dispatch("_cleveragents/plan/status"), (error) => {
    assert.ok(error instanceof NotAvailable && error.rpc === undefined);
    assert.equal(error.code, "not_supported");
    return true;
  });
  // Members that every object has are no answers.
  const odd = facade({ services: { session_service: {} } });
  await assert.rejects(odd.dispatch("session/constructor"), OperationNotFound);
});

Deno.test("Facade.dispatch() checks required params and passes on what a service throws", async () => {
  const context_service = {
    show() {
      throw new RpcError(-32001, "No such project");
    },
  };
  const local = facade({ services: { context_service } });
  await assert.rejects(
    local.dispatch("_cleveragents/context/show", {}),
    (error) =>
      error instanceof RpcError && error.code === -32602 && /project_name/.test(error.message),
  );
  await assert.rejects(
    local.dispatch("_cleveragents/context/show", { project_name: "p" }),
    (error) => error instanceof RpcError && error.code === -32001,
  );
});

Deno.test("facade() lists what services can answer, and takes further methods", async () => {
  const local = facade();
  assert.equal(local.listMethods().length, 33);
  assert.ok(!local.listMethods().some((method) => method.startsWith("session/")));
  const remove = local.onExtension("_x.dev/echo", (params) => params);
  assert.equal(local.listMethods().length, 34);
  assert.equal(local.handles("_x.dev/echo"), true);
  assert.equal(await local.dispatch("_x.dev/echo", 7), 7);
  remove();
  assert.equal(local.handles("_x.dev/echo"), false);
  assert.throws(() => local.registerService("nonsense" as ServiceKey, {}), MmError);
});

Deno.test("Facade.dispatch() hands services a signal and a way for updates", async () => {
  const updates: unknown[] = [];
  const abort = new AbortController();
  const session_service = {
    prompt(params: unknown, { signal, update }: FacadeContext) {
      update(params);
      return signal.aborted;
    },
  };
  const local = facade({ services: { session_service } });
  const context = { signal: abort.signal, update: (params: unknown) => updates.push(params) };
  assert.equal(await local.dispatch("session/prompt", { a: 1 }, context), false);
  abort.abort();
  assert.equal(await local.dispatch("session/prompt", { a: 2 }, context), true);
  assert.deepEqual(updates, [{ a: 1 }, { a: 2 }]);
});
