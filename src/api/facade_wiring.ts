/**
 * Which service of a facade answers which methods.
 *
 * @module
 */

import {
  CLEVERAGENTS,
  CLEVERAGENTS_AREAS,
  REGISTRY_OPERATIONS,
} from "../model/cleveragents_catalog.ts";

/** One wired method. */
export interface WiredMethod {
  /** Its name on the wire. */
  readonly method: string;
  readonly service: ServiceKey;
  /** Members of the service that may answer it, the first that there is does. */
  readonly members: readonly string[];
}

const SESSION_METHODS = [
  "new",
  "load",
  "list",
  "prompt",
  "cancel",
  "set_mode",
  "set_model",
  "fork",
  "resume",
  "close",
  "delete",
  "set_config_option",
];

/** Members that are not called like the last part of their method. */
const MEMBERS: Readonly<Record<string, string>> = {
  "plan/use": "create_plan",
  "plan/status": "get_status",
  "plan/tree": "get_tree",
  "plan/explain": "explain_decision",
  "plan/diff": "get_diff",
  "plan/artifacts": "get_artifacts",
  "plan/prompt": "inject_guidance",
};

/** The services by key: the prefix of their methods, and the last parts of those. */
const SERVICES = {
  session_service: ["session", SESSION_METHODS],
  plan_lifecycle_service: [`${CLEVERAGENTS}/plan`, Object.keys(CLEVERAGENTS_AREAS.plan)],
  tool_registry: [`${CLEVERAGENTS}/registry/tool`, Object.keys(REGISTRY_OPERATIONS)],
  resource_registry_service: [
    `${CLEVERAGENTS}/registry/resource`,
    Object.keys(REGISTRY_OPERATIONS),
  ],
  sync_service: [`${CLEVERAGENTS}/sync`, Object.keys(CLEVERAGENTS_AREAS.sync)],
  namespace_service: [`${CLEVERAGENTS}/namespace`, Object.keys(CLEVERAGENTS_AREAS.namespace)],
  context_service: [`${CLEVERAGENTS}/context`, Object.keys(CLEVERAGENTS_AREAS.context)],
} as const satisfies Readonly<Record<ServiceKey, readonly [string, readonly string[]]>>;

/**
 * Name of a service of a facade.
 *
 * ```ts
 * import type { ServiceKey } from "@mm/repl";
 *
 * const key: ServiceKey = "plan_lifecycle_service";
 * ```
 */
export type ServiceKey =
  | "session_service"
  | "plan_lifecycle_service"
  | "tool_registry"
  | "resource_registry_service"
  | "sync_service"
  | "namespace_service"
  | "context_service";

/** True for the name of a service. */
export function isServiceKey(key: string): key is ServiceKey {
  return Object.hasOwn(SERVICES, key);
}

/** Every wired method by its name on the wire. */
export const WIRING: ReadonlyMap<string, WiredMethod> = new Map(
  Object.entries(SERVICES).flatMap(([service, [prefix, names]]) =>
    names.map((name): [string, WiredMethod] => {
      const method = `${prefix}/${name}`;
      const member = MEMBERS[method.slice(CLEVERAGENTS.length + 1)];
      const members = [...(member === undefined ? [] : [member]), name].flatMap(spellings);
      return [method, { method, service: service as ServiceKey, members }];
    })
  ),
);

function spellings(name: string): string[] {
  return [name, name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase())];
}
