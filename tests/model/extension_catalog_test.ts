import assert from "node:assert/strict";
import { CLEVERAGENTS_METHODS, REGISTRY_ENTITIES } from "../../src/model/cleveragents_catalog.ts";
import {
  advertisedExtensions,
  catalogFor,
  ExtensionCatalog,
  helpLines,
  parseMethodList,
} from "../../src/model/extension_catalog.ts";

const OURS = new ExtensionCatalog(CLEVERAGENTS_METHODS);

Deno.test("the catalog of CleverAgents has every method, described, with what it requires", () => {
  const count = (prefix: string) =>
    CLEVERAGENTS_METHODS.filter(({ method }) => method.startsWith(`_cleveragents/${prefix}/`))
      .length;
  assert.deepEqual(
    ["plan", "registry", "context", "sync", "namespace", "health", "diagnostics"].map(count),
    [13, 55, 4, 3, 3, 1, 1],
  );
  assert.equal(REGISTRY_ENTITIES.length, 11);
  assert.equal(new Set(CLEVERAGENTS_METHODS.map(({ method }) => method)).size, 80);
  for (const { method, description, params } of CLEVERAGENTS_METHODS) {
    assert.match(method, /^_cleveragents(\/[a-z_]+){2,3}$/);
    assert.match(description, /^[A-Z][^E].*[^.]$/);
    for (const parameter of Object.values(params)) {
      assert.ok(parameter.description && parameter.type);
    }
  }
  const required = (method: string) =>
    Object.entries(OURS.find(`_cleveragents/${method}`)?.params ?? {})
      .filter(([, parameter]) => parameter.required).map(([name]) => name);
  assert.deepEqual(required("plan/use"), ["action_name", "project_names"]);
  assert.deepEqual(required("plan/correct"), ["plan_id", "decision_id", "correction"]);
  assert.deepEqual(required("plan/prompt"), ["plan_id", "message"]);
  assert.deepEqual(required("registry/lsp/update"), ["name"]);
  assert.deepEqual(required("registry/lsp/list"), []);
  assert.deepEqual(required("sync/push"), ["namespace", "entities"]);
  assert.deepEqual(required("sync/status"), []);
});

Deno.test("ExtensionCatalog.resolve() takes whole names as they are and finds short ones", () => {
  assert.deepEqual(OURS.resolve("_x.dev/unheard"), ["_x.dev/unheard"]);
  assert.deepEqual(OURS.resolve("plan/status"), ["_cleveragents/plan/status"]);
  assert.deepEqual(OURS.resolve("status"), [
    "_cleveragents/plan/status",
    "_cleveragents/sync/status",
  ]);
  assert.deepEqual(OURS.resolve("lan/status"), []);
});

Deno.test("ExtensionCatalog.complete() proposes methods, then what was not given yet", () => {
  assert.equal(OURS.complete("").length, 80);
  assert.equal(OURS.complete("pl")[0]?.insert, "_cleveragents/plan/use ");
  assert.ok(OURS.complete("").some(({ insert }) => insert === "_cleveragents/health/check"));
  const inserts = (typed: string) => OURS.complete(typed).map(({ insert }) => insert);
  assert.deepEqual(inserts("plan/explain "), [
    "plan/explain plan_id=",
    "plan/explain decision_id=",
  ]);
  assert.deepEqual(inserts("plan/explain plan_id=1 de"), ["plan/explain plan_id=1 decision_id="]);
  assert.deepEqual(inserts("_x/unheard a"), []);
});

Deno.test("advertisedExtensions() finds extensions wherever agents name them", () => {
  const names = (raw: Record<string, unknown>) => [...advertisedExtensions(raw)];
  const ours = ["_cleveragents"];
  assert.deepEqual(names({ agentCapabilities: { _meta: { _cleveragents: {} } } }), ours);
  assert.deepEqual(names({ agentCapabilities: { _cleveragents: true } }), ours);
  assert.deepEqual(names({ _meta: { "_cleveragents/plan": 1 } }), ours);
  assert.deepEqual(names({ agentCapabilities: { extensions: ["_cleveragents/plan/use"] } }), ours);
  assert.deepEqual(names({ agentCapabilities: { _cleveragents: false }, _meta: {} }), []);
  assert.deepEqual(names({ agentCapabilities: null, _meta: "x" }), []);
});

Deno.test("catalogFor() offers our tables only to agents that advertise them", () => {
  const advertised = { _meta: { _cleveragents: {} } };
  const mine = { method: "_x.dev/find", description: "", params: {} };
  const named = parseMethodList(["_cleveragents/plan/status", "_cleveragents/extra/one"]);
  assert.deepEqual(catalogFor({}, [mine]).methods, [mine]);
  const catalog = catalogFor(advertised, [mine], named);
  assert.equal(catalog.methods.length, 82);
  assert.notEqual(catalog.find("_cleveragents/plan/status")?.description, "");
});

Deno.test("parseMethodList() reads the ways in which agents list methods", () => {
  assert.deepEqual(
    parseMethodList({
      methods: [
        "_a/one",
        {
          method: "_a/two",
          description: "Two",
          params: { q: { type: "integer", required: true } },
        },
        { name: "_a/three", params: ["x", { name: "y", type: "string" }, 7] },
        {
          method: "_a/four",
          params: { type: "object", properties: { z: { type: "array" } }, required: ["z"] },
        },
        { method: "session/new" },
        { method: "_with space" },
        null,
        42,
      ],
    }),
    [
      { method: "_a/one", description: "", params: {} },
      { method: "_a/two", description: "Two", params: { q: { type: "number", required: true } } },
      { method: "_a/three", description: "", params: { x: {}, y: { type: "string" } } },
      { method: "_a/four", description: "", params: { z: { type: "array", required: true } } },
    ],
  );
  for (const nothing of [undefined, null, "x", {}, { methods: 1 }]) {
    assert.deepEqual(parseMethodList(nothing), []);
  }
});

Deno.test("helpLines() shows the call and every parameter", () => {
  const [row] = CLEVERAGENTS_METHODS;
  assert.ok(row);
  assert.deepEqual(helpLines(row), [
    "_cleveragents/plan/use action_name=… project_names=…",
    "  Make a plan by using an action on projects",
    "  action_name: string. The action",
    "  project_names: array. The projects that it is used on",
  ]);
});
