/**
 * Finds the tools that the client offers, in the mode that the configuration names.
 *
 * @module
 */

import { asArray, asObject, isObject, type JsonObject } from "../base/guards.ts";
import {
  describeForModel,
  modelToolName,
  type ToolDescription,
  TOOLS_CAPABILITY,
  TOOLS_LIST_METHOD,
  validateToolList,
} from "../model/tool_manifest.ts";
import { readError } from "./result_text.ts";
import type { Peer } from "./peer.ts";

/** A client tool: as the client described it, and as the model sees it. */
export interface ClientTool {
  readonly name: string;
  readonly method: string;
  readonly modelName: string;
  readonly description: string;
  readonly schema: JsonObject;
  /** Parameters that are checked before a call. */
  readonly required: readonly string[];
}

/** The tools of every session in mode `meta`: read from `initialize`, with the lines on stderr. */
export function toolsOfInitialize(peer: Peer): readonly ClientTool[] {
  const { enabled, discovery } = peer.options;
  const offered = advertised(peer);
  if (!enabled || discovery !== "meta" || offered === undefined || offered === false) return [];
  if (!Array.isArray(offered)) {
    peer.log(
      `[acp] client tools: "${TOOLS_CAPABILITY}" is not a list of tools; a client that answers ` +
        `${TOOLS_LIST_METHOD} needs acp.clientTools.discovery: request`,
    );
    return [];
  }
  const tools = readList(offered, peer);
  peer.log(`[acp] client tools (meta): ${names(tools)}`.trimEnd());
  return tools;
}

/** The tools of one session in mode `request`: asks the client; never rejects. */
export async function toolsOfSession(
  peer: Peer,
  session: { readonly sessionId: string; readonly cwd: string },
): Promise<readonly ClientTool[]> {
  const { enabled, discovery, timeoutMs } = peer.options;
  const offered = advertised(peer);
  if (!enabled || discovery !== "request" || offered === undefined || offered === false) return [];
  let answer: unknown;
  try {
    answer = await peer.request(TOOLS_LIST_METHOD, { ...session }, { timeoutMs });
  } catch (error) {
    peer.log(`[acp] client tools: ${TOOLS_LIST_METHOD} failed: ${readError(error).text}`);
    return [];
  }
  if (!isObject(answer) || !Array.isArray(answer.tools)) {
    peer.log(`[acp] client tools: ${TOOLS_LIST_METHOD} failed: the answer has no "tools" array`);
    return [];
  }
  const tools = readList(answer.tools, peer);
  peer.log(`[acp] session ${session.sessionId} client tools (request): ${names(tools)}`.trimEnd());
  return tools;
}

/** The tool that a person means: its own name or the model's, with or without `client_`. */
export function findTool(tools: readonly ClientTool[], name: string): ClientTool | undefined {
  return tools.find((tool) => tool.name === name || tool.modelName === name) ??
    tools.find((tool) => tool.modelName === modelToolName(name));
}

function advertised(peer: Peer): unknown {
  return asObject(peer.capabilities._meta)[TOOLS_CAPABILITY] ?? undefined;
}

function readList(list: readonly unknown[], peer: Peer): readonly ClientTool[] {
  const { tools, skipped } = validateToolList(list);
  for (const { index, reason } of skipped) {
    peer.log(`[acp] client tools: entry ${index} skipped: ${reason}`);
  }
  return tools.map(toClientTool);
}

function toClientTool(tool: ToolDescription): ClientTool {
  const { name, description, schema } = describeForModel(tool);
  const required = asArray(tool.inputSchema?.required).filter((item) => typeof item === "string");
  return { name: tool.name, method: tool.method, modelName: name, description, schema, required };
}

function names(tools: readonly ClientTool[]): string {
  return tools.map((tool) => tool.modelName).join(", ");
}
