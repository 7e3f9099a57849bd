/**
 * The one place where requests and notifications of the agent find their handler.
 *
 * Methods are matched exactly, a leading underscore included. Every request is answered once: by
 * its handler, or with -32601.
 *
 * @module
 */

/**
 * What a handler learns besides the params.
 *
 * ```ts
 * import type { CallContext } from "@mm/repl";
 *
 * const waits = (_params: unknown, { signal }: CallContext) =>
 *   new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
 * ```
 */
export interface CallContext {
  /** The id on the wire, of whatever type it came. */
  readonly requestId: string | number | null;
  /** Aborts on `$/cancel_request` and when the connection ends. */
  readonly signal: AbortSignal;
}

/**
 * Answers one request. What it throws becomes a JSON-RPC error: `RpcError` as it is, anything else
 * as -32603 with its message.
 *
 * ```ts
 * import type { RequestHandler } from "@mm/repl";
 *
 * const handler: RequestHandler = (params) => ({ echo: params });
 * ```
 */
export type RequestHandler = (params: unknown, context: CallContext) => unknown | Promise<unknown>;

/**
 * Takes one notification; never answers.
 *
 * ```ts
 * import type { NotificationHandler } from "@mm/repl";
 *
 * const handler: NotificationHandler = (params) => console.log(params);
 * ```
 */
export type NotificationHandler = (params: unknown) => void;

/**
 * Handlers by method name.
 *
 * ```ts
 * import { MethodRouter } from "@mm/repl";
 *
 * const router = new MethodRouter();
 * const undo = router.register("_example/add", () => 3);
 * console.assert(router.methods().join() === "_example/add");
 * undo();
 * console.assert(router.request("_example/add") === undefined);
 * ```
 */
export class MethodRouter {
  readonly #requests = new Map<string, RequestHandler>();
  readonly #notifications = new Map<string, NotificationHandler>();
  #fallback: ((method: string) => RequestHandler | undefined) | undefined;

  /** Registers the handler of a request method; the returned function takes it away again. */
  register(method: string, handler: RequestHandler): () => void {
    this.#requests.set(method, handler);
    return () => {
      if (this.#requests.get(method) === handler) this.#requests.delete(method);
    };
  }

  /** Registers the handler of a notification. */
  on(method: string, handler: NotificationHandler): () => void {
    this.#notifications.set(method, handler);
    return () => {
      if (this.#notifications.get(method) === handler) this.#notifications.delete(method);
    };
  }

  /** Looks a request method up that nobody registered by name (the methods of client tools). */
  fallback(find: (method: string) => RequestHandler | undefined): void {
    this.#fallback = find;
  }

  /** Names of the registered request methods, sorted. */
  methods(): string[] {
    return [...this.#requests.keys()].sort();
  }

  /** The handler for a request, if any. */
  request(method: string): RequestHandler | undefined {
    return this.#requests.get(method) ?? this.#fallback?.(method);
  }

  /** The handler for a notification, if any. */
  notification(method: string): NotificationHandler | undefined {
    return this.#notifications.get(method);
  }
}
