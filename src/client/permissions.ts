/**
 * Reads permission requests leniently, and writes their answers.
 *
 * @module
 */

import { asArray, asObject, asString, isObject, type JsonObject } from "../base/guards.ts";
import type { PermissionOption } from "../model/session.ts";

/** A permission request as we use it. */
export interface PermissionRequest {
  /** `undefined` when the request names none. */
  readonly sessionId: string | undefined;
  /** The raw tool call; an empty object when there is none. */
  readonly toolCall: JsonObject;
  /** In the agent's order, kinds as they came; entries without an id are left out. */
  readonly options: readonly PermissionOption[];
  /** The whole raw params. */
  readonly params: JsonObject;
}

/** The result of `session/request_permission`. */
export interface PermissionResult {
  readonly outcome:
    | { readonly outcome: "selected"; readonly optionId: string }
    | { readonly outcome: "cancelled" };
}

/** Reads the params of `session/request_permission`. Never throws. */
export function parsePermissionRequest(value: unknown): PermissionRequest {
  const params = asObject(value);
  return {
    sessionId: asString(params.sessionId),
    toolCall: asObject(params.toolCall),
    options: asArray(params.options).filter(isObject).flatMap(parseOption),
    params,
  };
}

/** The answer that chooses an option; `null` is `cancelled`. */
export function permissionResult(optionId: string | null): PermissionResult {
  return {
    outcome: optionId === null ? { outcome: "cancelled" } : { outcome: "selected", optionId },
  };
}

function parseOption(raw: JsonObject): PermissionOption[] {
  const optionId = asString(raw.optionId);
  if (optionId === undefined) return [];
  return [{
    optionId,
    name: asString(raw.name) ?? optionId,
    kind: asString(raw.kind) ?? "unknown",
  }];
}
