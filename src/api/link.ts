/**
 * One start of the agent: its transport and connection, and what it says about client tools.
 *
 * @module
 */

import { within } from "../base/clock.ts";
import type { AgentConnection } from "../client/connection.ts";
import type { MethodRouter } from "../client/router.ts";
import { describeAgent } from "../model/agent_spec.ts";
import type { Toolbox } from "../toolbox/toolbox.ts";
import { CLIENT_INFO, clientCapabilities } from "./capabilities.ts";
import type { ClientOptions } from "./contract.ts";
import { openTransport } from "./open_transport.ts";
import { parseToolLine, ToolReceptions } from "./tool_reception.ts";

/** How long a line about tools on stderr may come after the answer to `session/new`. */
const STDERR_LAG_MS = 200;

/** How a link is opened. */
export interface LinkOptions {
  readonly client: ClientOptions;
  readonly router: MethodRouter;
  readonly mode: "request" | "meta";
  /** Under `meta` the tools that go into `initialize`; absent: none are offered. */
  readonly toolbox: Toolbox | undefined;
  readonly onUpdate: (params: unknown) => void;
  /** Told of each trouble that the agent has with the tools. */
  readonly onToolTrouble: (text: string) => void;
}

/** A running agent. */
export interface Link {
  readonly mode: "request" | "meta";
  readonly connection: AgentConnection;
  /** What the agent lets us know about the tools. */
  readonly receptions: ToolReceptions;
  /**
   * Whether the agent has said, or says within 200 ms, that it takes its tools in the other mode: in
   * `initialize` under `request`; under `meta` by not saying that it has taken them.
   */
  refusesMode(): Promise<boolean>;
}

/** Starts the agent and does the handshake. */
export async function openLink(options: LinkOptions): Promise<Link> {
  const { client, mode, toolbox } = options;
  const offered = client.openToolbox === undefined
    ? undefined
    : mode === "request"
    ? true
    : toolbox?.descriptions() ?? [];
  const transport = await openTransport(client.spec, {
    cwd: client.agentCwd ?? client.cwd,
    demoDiscovery: mode,
    startAgent: client.startAgent,
    tap: client.tap,
    signal: client.signal,
  });
  const receptions = new ToolReceptions(options.onToolTrouble);
  if (Array.isArray(offered)) receptions.sent(offered);
  const said = { wants_list: Promise.withResolvers<void>(), taken: Promise.withResolvers<void>() };
  transport.onStderrLine((text) => {
    const line = parseToolLine(text);
    if (line === undefined) return;
    receptions.take(line);
    if (line.type === "wants_list" || line.type === "taken") said[line.type].resolve();
  });
  // Loaded while the agent starts: the protocol library takes longer to load than all the rest.
  const { openConnection } = await import("../client/open_connection.ts");
  const connection = await openConnection(transport, {
    agentName: describeAgent(client.spec),
    router: options.router,
    capabilities: clientCapabilities(client, offered),
    clientInfo: CLIENT_INFO,
    timeoutMs: client.timeoutMs,
    signal: client.signal,
    onUpdate: options.onUpdate,
  });
  return {
    mode,
    connection,
    receptions,
    async refusesMode() {
      if (client.spec.kind !== "process") return false;
      const line = mode === "request" ? "wants_list" : "taken";
      const { ok } = await within(said[line].promise, STDERR_LAG_MS);
      return mode === "request" ? ok : !ok;
    },
  };
}
