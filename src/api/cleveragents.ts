/**
 * The methods of CleverAgents as functions with typed params.
 *
 * @module
 */

import {
  CLEVERAGENTS,
  CLEVERAGENTS_AREAS,
  type ParamsOf,
  REGISTRY_ENTITIES,
  REGISTRY_OPERATIONS,
} from "../model/cleveragents_catalog.ts";
import type { ExtensionMethod } from "../model/extension_method.ts";
import type { RequestOptions } from "../client/connection.ts";

/** Anything that sends requests: a client, a connection. */
export interface Requester {
  request(method: string, params?: unknown, options?: RequestOptions): Promise<unknown>;
}

type Rows = Readonly<Record<string, Pick<ExtensionMethod, "params">>>;

/** One function for each row; params may be left out where none is required. */
type Calls<R extends Rows> = {
  readonly [K in keyof R]: Record<never, never> extends ParamsOf<R[K]>
    ? (params?: ParamsOf<R[K]>, options?: RequestOptions) => Promise<unknown>
    : (params: ParamsOf<R[K]>, options?: RequestOptions) => Promise<unknown>;
};

/** See {@link cleverAgents}. */
export type CleverAgents =
  & { readonly [A in keyof typeof CLEVERAGENTS_AREAS]: Calls<(typeof CLEVERAGENTS_AREAS)[A]> }
  & {
    readonly registry: {
      readonly [E in (typeof REGISTRY_ENTITIES)[number]]: Calls<typeof REGISTRY_OPERATIONS>;
    };
  };

/**
 * The platform operations of a server. Each rejects like the requester's `request`.
 *
 * ```ts
 * const platform = cleverAgents(client);
 * const plans = await platform.plan.list();
 * await platform.plan.execute({ plan_id: "p1" });
 * await platform.registry.tool.show({ name: "local/git-diff" });
 * ```
 */
export function cleverAgents(requester: Requester): CleverAgents {
  const calls = (prefix: string, rows: Rows) =>
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
