/**
 * The extension methods of the stand-in server, with a little state: plans, registries, contexts,
 * synchronisation and namespaces.
 *
 * @module
 */

import { RequestError } from "@agentclientprotocol/sdk";

type Params = Readonly<Record<string, unknown>>;

interface Plan {
  readonly plan_id: string;
  readonly action_name: string;
  state: "draft" | "executed" | "applied" | "cancelled";
  readonly guidance: string[];
}

const ENTITIES = [
  "actor",
  "skill",
  "tool",
  "validation",
  "resource",
  "resource_type",
  "project",
  "action",
  "automation_profile",
  "invariant",
  "lsp",
] as const;

/** What the server keeps as long as it lives, over all connections. */
export class Platform {
  readonly #plans = new Map<string, Plan>();
  readonly #entities = new Map<string, Map<string, Params>>();
  readonly #contexts = new Map<string, Params>();
  readonly #pushed: string[] = [];
  #count = 0;

  /** Names of all extension methods that {@link Platform.call} answers. */
  readonly methods: readonly string[] = [
    ...["use", "execute", "apply", "cancel", "status", "tree", "explain", "correct", "diff"]
      .concat(["artifacts", "prompt", "rollback", "list"]).map((name) => `plan/${name}`),
    ...ENTITIES.flatMap((entity) =>
      ["list", "show", "add", "update", "remove"].map((name) => `registry/${entity}/${name}`)
    ),
    ...["show", "inspect", "simulate", "set"].map((name) => `context/${name}`),
    ...["pull", "push", "status"].map((name) => `sync/${name}`),
    ...["list", "show", "members"].map((name) => `namespace/${name}`),
    "health/check",
    "diagnostics/run",
    "echo",
  ].map((name) => `_cleveragents/${name}`);

  /** Answers one extension request; throws a `RequestError`. */
  call(method: string, params: Params): unknown {
    if (!this.methods.includes(method)) throw RequestError.methodNotFound(method);
    const [, area = "", name = "", last = ""] = method.split("/");
    switch (area) {
      case "plan":
        return this.#plan(name, params);
      case "registry":
        return this.#registry(name, last, params);
      case "context":
        return this.#context(name, params);
      case "sync":
        return this.#sync(name, params);
      case "namespace":
        return this.#namespace(name, params);
      case "health":
        return { status: "ok", plans: this.#plans.size };
      case "echo":
        return params;
      default:
        return { checks: [{ name: "database", ok: true }, { name: "queue", ok: true }] };
    }
  }

  #plan(name: string, params: Params): unknown {
    if (name === "use") {
      const plan_id = `plan-${++this.#count}`;
      required(params, "project_names");
      const plan: Plan = {
        plan_id,
        action_name: text(params, "action_name"),
        state: "draft",
        guidance: [],
      };
      this.#plans.set(plan_id, plan);
      return plan;
    }
    if (name === "list") {
      return [...this.#plans.values()]
        .map(({ plan_id, action_name, state }) => ({ plan_id, action_name, state }))
        .filter(({ state }) => params.state === undefined || params.state === state);
    }
    const plan_id = text(params, "plan_id");
    const plan = this.#plans.get(plan_id);
    if (plan === undefined) throw new RequestError(-32001, "Plan not found", { plan_id });
    switch (name) {
      case "execute":
        return move(plan, ["draft"], "executed");
      case "apply":
        return move(plan, ["executed"], "applied");
      case "cancel":
        return move(plan, ["draft", "executed"], "cancelled");
      case "rollback":
        return move(plan, ["executed", "applied"], "draft");
      case "prompt":
        plan.guidance.push(text(params, "message"));
        return plan;
      case "tree":
        return { plan_id, decisions: [{ decision_id: "d1", children: [{ decision_id: "d2" }] }] };
      case "explain":
        return { decision_id: text(params, "decision_id"), because: "it is a stand-in" };
      case "correct":
        required(params, "correction");
        return { decision_id: text(params, "decision_id"), corrected: true };
      case "diff":
        return { plan_id, diff: "--- a\n+++ b\n" };
      case "artifacts":
        return [{ name: "report.md", bytes: 12 }];
      default:
        return plan;
    }
  }

  #registry(entity: string, name: string, params: Params): unknown {
    const known = this.#entities.get(entity) ?? new Map<string, Params>();
    this.#entities.set(entity, known);
    if (name === "list") {
      return [...known.values()]
        .filter((row) => params.namespace === undefined || row.namespace === params.namespace);
    }
    const key = text(params, "name");
    if (name === "add") {
      if (known.has(key)) throw new RequestError(-32005, "It exists already", { name: key });
      known.set(key, params);
      return params;
    }
    const found = known.get(key);
    if (found === undefined) throw new RequestError(-32001, "Entity not found", { name: key });
    if (name === "update") known.set(key, { ...found, ...params });
    if (name === "remove") known.delete(key);
    return name === "remove" ? {} : known.get(key);
  }

  #context(name: string, params: Params): unknown {
    const project_name = text(params, "project_name");
    if (name === "set") this.#contexts.set(project_name, params);
    const context = this.#contexts.get(project_name) ?? { project_name };
    return name === "simulate" ? { ...context, simulated: params } : context;
  }

  #sync(name: string, params: Params): unknown {
    if (name === "status") return { pushed: this.#pushed };
    const namespace = text(params, "namespace");
    if (name === "push") {
      required(params, "entities");
      this.#pushed.push(namespace);
    }
    return { namespace };
  }

  #namespace(name: string, params: Params): unknown {
    if (name === "list") {
      return [{ namespace: "local", members: 1 }, { namespace: "team", members: 2 }];
    }
    const namespace = text(params, "namespace");
    return name === "members" ? ["ada", "grace"] : { namespace };
  }
}

function move(plan: Plan, from: readonly Plan["state"][], to: Plan["state"]): Plan {
  if (!from.includes(plan.state)) {
    throw new RequestError(-32004, `The plan is ${plan.state}`, { plan_id: plan.plan_id });
  }
  plan.state = to;
  return plan;
}

function required(params: Params, name: string): void {
  if (params[name] !== undefined) return;
  throw new RequestError(-32602, `Missing parameter: ${name}`, { parameter: name });
}

function text(params: Params, name: string): string {
  required(params, name);
  return String(params[name]);
}
