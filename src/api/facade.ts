/**
 * Extension methods and sessions answered in this process, by services that a program brings.
 *
 * @module
 */

import { NotAvailable, OperationNotFound } from "../base/acp_errors.ts";
import { MmError } from "../base/errors.ts";
import { RPC, RpcError } from "../base/rpc.ts";
import { MethodRouter, type RequestHandler } from "../client/router.ts";
import { CLEVERAGENTS_METHODS } from "../model/cleveragents_catalog.ts";
import { ExtensionCatalog } from "../model/extension_catalog.ts";
import { checkParams } from "../model/extension_method.ts";
import { isServiceKey, type ServiceKey, WIRING } from "./facade_wiring.ts";

/**
 * What a service learns besides the params.
 *
 * ```ts
 * import type { FacadeContext } from "@mm/repl";
 *
 * const status = (_params: unknown, { signal }: FacadeContext) => signal.aborted ? "gone" : "done";
 * ```
 */
export interface FacadeContext {
  /** Aborts when the caller gives up. */
  readonly signal: AbortSignal;
  /** Delivers the params of a `session/update`, as an agent would send it. */
  readonly update: (params: unknown) => void;
}

/**
 * Answers one method of a service. What it throws is what the caller gets.
 *
 * ```ts
 * import type { ServiceMethod } from "@mm/repl";
 *
 * const get_status: ServiceMethod = () => ({ state: "executing" });
 * ```
 */
export type ServiceMethod = (params: unknown, context: FacadeContext) => unknown;

/**
 * How to make a facade.
 *
 * ```ts
 * import type { FacadeOptions } from "@mm/repl";
 *
 * const options: FacadeOptions = { services: { sync_service: { status: () => "in sync" } } };
 * ```
 */
export interface FacadeOptions {
  /**
   * Services by key. A service is an object whose members are called like the last part of the
   * methods they answer (`status`, `set_mode` or `setMode`; for plans `get_status`, `create_plan` …
   * as well).
   */
  readonly services?: Partial<Readonly<Record<ServiceKey, object>>>;
}

const CATALOG = new ExtensionCatalog(CLEVERAGENTS_METHODS);

/**
 * See {@link facade}.
 *
 * ```ts
 * import { type Facade, facade } from "@mm/repl";
 *
 * const local: Facade = facade();
 * local.registerService("namespace_service", { list: () => ["local"] });
 * console.assert(local.handles("_cleveragents/namespace/list"));
 * ```
 */
export class Facade {
  readonly #services = new Map<ServiceKey, object>();
  readonly #router = new MethodRouter();

  /** See {@link facade}. */
  constructor({ services = {} }: FacadeOptions = {}) {
    for (const [key, service] of Object.entries(services)) {
      if (service !== undefined) this.registerService(key as ServiceKey, service);
    }
  }

  /**
   * Answers a method.
   *
   * @throws {OperationNotFound} for a method that no service has, {@link NotAvailable} when its
   * service is not registered, `RpcError` -32602 when required params are missing; else what the
   * service throws.
   */
  async dispatch(
    method: string,
    params: unknown = {},
    context: Partial<FacadeContext> = {},
  ): Promise<unknown> {
    const { signal = new AbortController().signal, update = () => {} } = context;
    const handler = this.#router.request(method);
    const service = this.#wired(method);
    if (handler === undefined && service === undefined) throw this.#notFound(method);
    const row = CATALOG.find(method);
    const problems = row === undefined ? [] : checkParams(row, params);
    if (problems.length > 0) {
      throw new RpcError(RPC.invalidParams, `Invalid params: ${problems.join(", ")}`, { method });
    }
    if (handler !== undefined) return await handler(params, { requestId: null, signal });
    return await service?.(params, { signal, update });
  }

  /** Takes a service, in place of the one before. */
  registerService(key: ServiceKey, service: object): void {
    if (!isServiceKey(key)) {
      throw new MmError("usage", `Cannot register the service "${key}": there is no such key`);
    }
    this.#services.set(key, service);
  }

  /** Answers a method that no service is wired to, or in place of one. The result undoes it. */
  onExtension(method: string, handler: RequestHandler): () => void {
    return this.#router.register(method, handler);
  }

  /** Names of all extension methods that services can answer, sorted. */
  listMethods(): string[] {
    const wired = [...WIRING.keys()].filter((method) => method.startsWith("_"));
    return [...new Set([...wired, ...this.#router.methods()])].sort();
  }

  /** Whether {@link Facade.dispatch} has an answer now. */
  handles(method: string): boolean {
    return this.#router.request(method) !== undefined || this.#wired(method) !== undefined;
  }

  #wired(method: string): ServiceMethod | undefined {
    const row = WIRING.get(method);
    const service = row && this.#services.get(row.service);
    if (row === undefined || service === undefined) return undefined;
    const member = row.members
      .map((name): unknown => Reflect.get(service, name))
      .find((value) => typeof value === "function") as ServiceMethod | undefined;
    return member?.bind(service);
  }

  #notFound(method: string): MmError {
    const row = WIRING.get(method);
    if (row === undefined || this.#services.has(row.service)) return new OperationNotFound(method);
    return new NotAvailable(`Cannot call ${method}: there is no ${row.service}`, {
      code: "not_supported",
      hint: `Register one with registerService("${row.service}", …).`,
    });
  }
}

/**
 * Makes a facade: a client that is given one answers its own extension and `session/*` requests by
 * its services, and sends the rest to the agent.
 *
 * ```ts
 * import { connect, facade } from "@mm/repl";
 *
 * const local = facade({ services: { plan_lifecycle_service: { get_status: () => "done" } } });
 * await using client = await connect({ kind: "demo" }, { facade: local });
 * const status = await client.request("_cleveragents/plan/status", { plan_id: "p1" });
 * console.assert(status === "done");
 * ```
 */
export function facade(options?: FacadeOptions): Facade {
  return new Facade(options);
}
