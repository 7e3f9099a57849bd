/**
 * Signing in to an agent.
 *
 * @module
 */

import { MmError } from "../base/errors.ts";
import type { AgentConnection, AuthMethod, RequestOptions } from "../client/connection.ts";
import { fromAgentError } from "../client/errors.ts";
import { type AgentSpec, describeAgent } from "../model/agent_spec.ts";

/**
 * What goes into `authenticate`.
 *
 * ```ts
 * import type { SignIn } from "@mm/repl";
 *
 * const how: SignIn = { methodId: "api_key", token: "the key" };
 * ```
 */
export interface SignIn {
  /** A method that the agent offers. Default: the first that takes a token, else the first. */
  readonly methodId?: string;
  /** For servers that take one. */
  readonly token?: string;
}

/** The method of agents that take a token and list no method. */
const TOKEN_METHOD = "token";

/** Whether a method wants a token of the user. */
export function takesToken({ id, name, type, raw }: AuthMethod): boolean {
  const words = /token|bearer|api[ _-]?key|password|secret/i;
  const meta = JSON.stringify(raw._meta ?? "");
  return [id, name, type, meta].some((text) => words.test(text));
}

/** Sends `authenticate`. Rejects with `auth` when the agent does not accept it; never tries again. */
export async function signIn(
  connection: AgentConnection,
  how: SignIn,
  spec: AgentSpec,
  options: RequestOptions,
): Promise<void> {
  const { authMethods } = connection.initialized;
  const { token } = how;
  const likely = token === undefined ? undefined : authMethods.find(takesToken);
  const methodId = how.methodId ?? likely?.id ?? authMethods[0]?.id ?? TOKEN_METHOD;
  const what = `Cannot sign in to ${describeAgent(spec)}`;
  try {
    const params = { methodId, ...(token === undefined ? {} : { token }) };
    await connection.request("authenticate", params, options);
  } catch (error) {
    if (error instanceof MmError) throw error;
    const { message, rpc, hint } = fromAgentError(error, { what, method: "authenticate" });
    throw new MmError("auth", message, {
      rpc,
      cause: error,
      phase: "authenticate",
      hint: token === undefined ? hint : "Check the token; it was not sent again.",
    });
  }
}
