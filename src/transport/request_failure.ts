/**
 * Requests that did not reach a remote agent, or whose answers did not reach us.
 *
 * @module
 */

import type { JsonRpcErrorObject } from "../base/errors.ts";
import { isObject } from "../base/guards.ts";

/** The HTTP status that says that another connection has the session. */
export const CONFLICT = 409;

/** That a request did not reach the agent, or its answer not us. */
export interface RequestFailure {
  /** Of HTTP; absent where there was none. */
  readonly status?: number;
  readonly hint: string;
}

/** By the `data` of such errors. What an agent sends is never among them, whatever it looks like. */
const ours = new WeakMap<object, RequestFailure>();

/** Lets {@link requestFailure} know an error of ours by its `data`. */
export function rememberFailure(data: object, failure: RequestFailure): void {
  ours.set(data, failure);
}

/** Reads an error that {@link rememberFailure} knows of; `undefined` for the agent's own. */
export function requestFailure({ data }: JsonRpcErrorObject): RequestFailure | undefined {
  return isObject(data) ? ours.get(data) : undefined;
}

/** Whether a request failed because another connection has the session. */
export function isConflict(error: JsonRpcErrorObject | undefined): boolean {
  return error !== undefined && requestFailure(error)?.status === CONFLICT;
}
