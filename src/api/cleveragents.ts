/**
 * The methods of CleverAgents as functions with typed params.
 *
 * @module
 */

import {
  CLEVERAGENTS,
  CLEVERAGENTS_AREAS,
  REGISTRY_ENTITIES,
  REGISTRY_OPERATIONS,
} from "../model/cleveragents_catalog.ts";
import type { RequestOptions } from "../client/connection.ts";

/**
 * Anything that sends requests: a client, a connection.
 *
 * ```ts
 * import { cleverAgents, type Requester } from "@mm/repl";
 *
 * const echo: Requester = { request: (method) => Promise.resolve(method) };
 * console.assert(await cleverAgents(echo).health.check() === "_cleveragents/health/check");
 * ```
 */
export interface Requester {
  /** Sends a request and gives its raw result. */
  request(method: string, params?: unknown, options?: RequestOptions): Promise<unknown>;
}

/**
 * Sends one request. `P` is what is known of its params; further ones may be sent as well. They may
 * be left out where none is required.
 *
 * ```ts
 * import type { PlatformCall } from "@mm/repl";
 *
 * const show: PlatformCall<{ name: string }> = ({ name }) => Promise.resolve(name);
 * console.assert(await show({ name: "local/git-diff" }) === "local/git-diff");
 * ```
 */
export type PlatformCall<P = Record<never, never>> = Record<never, never> extends P
  ? (params?: PlatformParams<P>, options?: RequestOptions) => Promise<unknown>
  : (params: PlatformParams<P>, options?: RequestOptions) => Promise<unknown>;

/**
 * Params with what is known of them, and more.
 *
 * ```ts
 * import type { PlatformParams } from "@mm/repl";
 *
 * const params: PlatformParams<{ name: string }> = { name: "local/git-diff", version: 2 };
 * ```
 */
export type PlatformParams<P> = Readonly<P> & { readonly [further: string]: unknown };

/**
 * What the registries hold.
 *
 * ```ts
 * import type { RegistryEntity } from "@mm/repl";
 *
 * const entity: RegistryEntity = "tool";
 * ```
 */
export type RegistryEntity =
  | "actor"
  | "skill"
  | "tool"
  | "validation"
  | "resource"
  | "resource_type"
  | "project"
  | "action"
  | "automation_profile"
  | "invariant"
  | "lsp";

/**
 * The platform operations of a server; see {@link cleverAgents}.
 *
 * ```ts
 * import type { CleverAgents } from "@mm/repl";
 *
 * const cancelAll = (platform: CleverAgents, ids: readonly string[]) =>
 *   Promise.all(ids.map((plan_id) => platform.plan.cancel({ plan_id })));
 * ```
 */
export interface CleverAgents {
  /** Plans: made, carried out, looked at, changed. */
  readonly plan: {
    readonly use: PlatformCall<{ action_name: string; project_names: readonly unknown[] }>;
    readonly execute: PlatformCall<{ plan_id: string }>;
    readonly apply: PlatformCall<{ plan_id: string }>;
    readonly cancel: PlatformCall<{ plan_id: string }>;
    readonly status: PlatformCall<{ plan_id: string }>;
    readonly tree: PlatformCall<{ plan_id: string }>;
    readonly explain: PlatformCall<{ plan_id: string; decision_id: string }>;
    readonly correct: PlatformCall<{ plan_id: string; decision_id: string; correction: unknown }>;
    readonly diff: PlatformCall<{ plan_id: string }>;
    readonly artifacts: PlatformCall<{ plan_id: string }>;
    /** Gives a running plan guidance. */
    readonly prompt: PlatformCall<{ plan_id: string; message: string }>;
    readonly rollback: PlatformCall<{ plan_id: string }>;
    readonly list: PlatformCall;
  };
  /** The contexts of projects. */
  readonly context: {
    readonly show: PlatformCall<{ project_name: string }>;
    readonly inspect: PlatformCall<{ project_name: string }>;
    readonly simulate: PlatformCall<{ project_name: string }>;
    readonly set: PlatformCall<{ project_name: string }>;
  };
  /** What is exchanged with the server. */
  readonly sync: {
    readonly pull: PlatformCall<{ namespace: string }>;
    readonly push: PlatformCall<{ namespace: string; entities: readonly unknown[] }>;
    readonly status: PlatformCall<{ namespace?: string }>;
  };
  /** The namespaces and who belongs to them. */
  readonly namespace: {
    readonly list: PlatformCall;
    readonly show: PlatformCall<{ namespace: string }>;
    readonly members: PlatformCall<{ namespace: string }>;
  };
  /** Whether the server is well. */
  readonly health: { readonly check: PlatformCall };
  /** The server's own diagnostics. */
  readonly diagnostics: { readonly run: PlatformCall };
  /** The registries, by what they hold. */
  readonly registry: {
    readonly [E in RegistryEntity]: {
      readonly list: PlatformCall<{ namespace?: string }>;
      readonly show: PlatformCall<{ name: string }>;
      readonly add: PlatformCall;
      readonly update: PlatformCall<{ name: string }>;
      readonly remove: PlatformCall<{ name: string }>;
    };
  };
}

/**
 * The platform operations of a server. Each rejects like the requester's `request`.
 *
 * ```ts
 * import { cleverAgents } from "@mm/repl";
 *
 * // With `const client = await connect({ kind: "remote", url })`: cleverAgents(client).
 * const sent: unknown[] = [];
 * const platform = cleverAgents({
 *   request: (method, params) => Promise.resolve(sent.push(method, params)),
 * });
 * await platform.plan.execute({ plan_id: "p1" });
 * await platform.registry.tool.show({ name: "local/git-diff" });
 * console.assert(sent[0] === "_cleveragents/plan/execute");
 * ```
 */
export function cleverAgents(requester: Requester): CleverAgents {
  const calls = (prefix: string, rows: object) =>
    Object.fromEntries(
      Object.keys(rows).map((name) => [
        name,
        (params: unknown = {}, options?: RequestOptions) =>
          requester.request(`${prefix}/${name}`, params, options),
      ]),
    );
  const areas = Object.entries(CLEVERAGENTS_AREAS).map(([area, rows]) =>
    [area, calls(`${CLEVERAGENTS}/${area}`, rows)] as const
  );
  const registry = REGISTRY_ENTITIES.map((entity) =>
    [entity, calls(`${CLEVERAGENTS}/registry/${entity}`, REGISTRY_OPERATIONS)] as const
  );
  return {
    ...Object.fromEntries(areas),
    registry: Object.fromEntries(registry),
  } as unknown as CleverAgents;
}
