/**
 * Answers what mini-me asks about client tools: the list of a session, and the calls.
 *
 * @module
 */

import { asObject, asString } from "../base/guards.ts";
import { RPC, RpcError } from "../base/rpc.ts";
import type { CallContext, MethodRouter } from "../client/router.ts";
import {
  TOOL_SESSION_KEY,
  type ToolDescription,
  type ToolResult,
  TOOLS_LIST_METHOD,
} from "../model/tool_manifest.ts";
import type { KnownSession, SessionRegistry } from "./session_registry.ts";

/**
 * Registers the list and every method that a toolbox of a session has.
 *
 * @param onList told of each list that is given
 */
export function registerClientTools<S extends KnownSession>(
  router: MethodRouter,
  registry: SessionRegistry<S>,
  onList: (tools: readonly ToolDescription[], sessionId: string) => void,
): void {
  router.register(TOOLS_LIST_METHOD, (params) => {
    const { tools, sessionId } = list(params, registry);
    onList(tools, sessionId);
    return { tools };
  });
  router.fallback((method) => {
    const known = registry.all().some(({ toolbox }) => toolbox?.offered(method) !== undefined);
    return known ? (params, context) => call(method, params, context, registry) : undefined;
  });
}

/** Only the session that is being opened may be asked about, and only with its own directory. */
function list<S extends KnownSession>(
  params: unknown,
  registry: SessionRegistry<S>,
): { tools: readonly ToolDescription[]; sessionId: string } {
  const { sessionId: given, cwd } = asObject(params);
  const sessionId = asString(given);
  const opening = typeof cwd === "string" && sessionId !== undefined
    ? registry.openingIn(cwd, sessionId)
    : undefined;
  if (sessionId === undefined || opening === undefined) {
    throw new RpcError(RPC.invalidParams, "No session is being opened in this directory", {
      sessionId: given ?? null,
      cwd: cwd ?? null,
    });
  }
  opening.sessionId = sessionId;
  opening.listed = true;
  return { tools: opening.toolbox?.descriptions() ?? [], sessionId };
}

async function call<S extends KnownSession>(
  method: string,
  params: unknown,
  { signal }: CallContext,
  registry: SessionRegistry<S>,
): Promise<ToolResult> {
  const sessionId = asString(asObject(asObject(params)._meta)[TOOL_SESSION_KEY]);
  const session = sessionId === undefined ? undefined : registry.find(sessionId);
  if (sessionId === undefined || session === undefined) {
    throw new RpcError(RPC.invalidParams, "Unknown session", { sessionId: sessionId ?? null });
  }
  const tool = session.toolbox?.offered(method);
  if (session.toolbox === undefined || tool === undefined) {
    throw new RpcError(RPC.methodNotFound, `Method not found: ${method}`);
  }
  return await session.toolbox.call({
    method,
    params,
    sessionId,
    signal,
    onLog: (line) => session.store.dispatch({ type: "tool_logged", tool: tool.name, ...line }),
  });
}
