/**
 * What the codes of JSON-RPC errors mean.
 *
 * @module
 */

import type { JsonObject } from "../base/guards.ts";
import type { RpcMeaning } from "../base/rpc.ts";
import { CLEVERAGENTS } from "./cleveragents_catalog.ts";
import { advertises } from "./extension_catalog.ts";

/** One row: what a code means. */
export interface ErrorMeaning extends RpcMeaning {
  readonly code: number;
  readonly meaning: string;
}

/** The codes of JSON-RPC and of ACP: they hold for every agent. */
export const STANDARD_ERRORS: readonly ErrorMeaning[] = [
  { code: -32700, name: "parse error", meaning: "what was sent is not JSON" },
  { code: -32600, name: "invalid request", meaning: "what was sent is no request" },
  {
    code: -32601,
    name: "method not found",
    meaning: "the agent does not have this method",
    advice: "/agent shows what it offers.",
  },
  { code: -32602, name: "invalid params", meaning: "the parameters are wrong" },
  { code: -32603, name: "internal error", meaning: "the agent failed" },
  {
    code: -32000,
    name: "authentication required",
    meaning: "the agent does not know who you are",
    error: "auth",
    advice: "Sign in to the agent first, then try again.",
  },
  { code: -32002, name: "resource not found", meaning: "there is no such thing" },
  { code: -32800, name: "request cancelled", meaning: "the request was cancelled" },
];

/** The codes of CleverAgents, which give some of the others another meaning. */
export const CLEVERAGENTS_ERRORS: readonly ErrorMeaning[] = [
  {
    code: -32601,
    name: "AcpOperationNotFoundError",
    meaning: "the server does not have this method",
    advice: "Without a method, ext lists those that are known.",
  },
  {
    code: -32602,
    name: "ValidationError",
    meaning: "the parameters are wrong",
    advice: "/ext help METHOD shows what it takes.",
  },
  {
    code: -32001,
    name: "ResourceNotFoundError",
    meaning: "there is no such entity",
    advice: "Look it up with the list method of its kind.",
  },
  {
    code: -32002,
    name: "AuthenticationError",
    meaning: "the server does not know who you are",
    error: "auth",
    advice: "Give its token with --token, in the agent's row of the configuration, or by /login.",
  },
  {
    code: -32003,
    name: "AuthorizationError",
    meaning: "you may not do that",
    advice: "Ask whoever runs the server for access.",
  },
  {
    code: -32004,
    name: "BusinessRuleViolation",
    meaning: "that is not possible in the present state",
    advice: "Look at the state first, e.g. with plan/status.",
  },
  {
    code: -32005,
    name: "DuplicateEntityError",
    meaning: "it exists already",
    advice: "Choose another name, or use the update method.",
  },
  {
    code: -32006,
    name: "BudgetExceededError",
    meaning: "the budget is used up",
    advice: "Raise the budget on the server, or wait until it is renewed.",
  },
  {
    code: -32007,
    name: "AcpVersionMismatchError",
    meaning: "the server speaks another version",
    error: "protocol_version",
    advice: "Update mm-repl or the server.",
  },
  {
    code: -32008,
    name: "PlanError",
    meaning: "the plan cannot go on",
    advice: "plan/status and plan/explain say more.",
  },
];

/** Whose codes an agent uses. */
export type ErrorDialect = "acp" | "cleveragents";

/** The dialect of an agent, by its raw answer to `initialize`. */
export function errorDialect(initialized: JsonObject): ErrorDialect {
  return advertises(initialized, CLEVERAGENTS) ? "cleveragents" : "acp";
}

/** What a code means in a dialect; `undefined` for one that is in no table. */
export function meaningOf(code: number, dialect: ErrorDialect): ErrorMeaning | undefined {
  const own = dialect === "cleveragents" ? CLEVERAGENTS_ERRORS : [];
  return [...own, ...STANDARD_ERRORS].find((row) => row.code === code);
}
