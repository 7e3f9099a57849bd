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

/** What mini-me writes on its stderr when it takes the tools in `initialize` and got `true`. */
const WANTS_LIST = "is not a list of tools; a client that answers";

/** How long that line may come after the answer to `session/new`. */
const STDERR_LAG_MS = 200;

/** How a link is opened. */
export interface LinkOptions {
  readonly client: ClientOptions;
  readonly router: MethodRouter;
  readonly mode: "request" | "meta";
  /** Under `meta` the tools that go into `initialize`; absent: none are offered. */
  readonly toolbox: Toolbox | undefined;
  readonly onUpdate: (params: unknown) => void;
}

/** A running agent. */
export interface Link {
  readonly mode: "request" | "meta";
  readonly connection: AgentConnection;
  /**
   * Whether the agent has said, or says within 200 ms, that it takes its tools in `initialize`.
   */
  wantsList(): Promise<boolean>;
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
  const { promise: wanted, resolve } = Promise.withResolvers<void>();
  transport.onStderrLine((line) => {
    if (line.includes(WANTS_LIST)) resolve();
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
    wantsList: async () =>
      client.spec.kind === "process" && (await within(wanted, STDERR_LAG_MS)).ok,
  };
}
