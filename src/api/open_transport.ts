/**
 * Opens the way to an agent, whatever kind it is.
 *
 * @module
 */

import type { AgentSpec, ProcessAgentSpec, RemoteAgentSpec } from "../model/agent_spec.ts";
import type { ProcessStarter } from "../process/early_start.ts";
import { startProcess } from "../process/supervised.ts";
import { secretsOfProcess } from "../transport/process_secrets.ts";
import { openStdioTransport } from "../transport/stdio.ts";
import type { TraceTap, Transport } from "../transport/transport.ts";
import { windowsAgent } from "../transport/windows_agent.ts";

/** What opening a transport takes besides the agent. */
export interface OpenTransportOptions {
  /** Directory that a process starts in, absolute. */
  readonly cwd: string;
  /** How the embedded agent is to find client tools. */
  readonly demoDiscovery: "request" | "meta";
  /** Default: `startProcess`. */
  readonly startAgent?: ProcessStarter;
  readonly tap?: TraceTap;
  readonly signal?: AbortSignal;
}

/** Opens a transport. Throws `agent_not_found` or `agent_directory`, or why a remote is out of reach. */
export async function openTransport(
  spec: AgentSpec,
  options: OpenTransportOptions,
): Promise<Transport> {
  switch (spec.kind) {
    case "process": {
      const { command, args, env } = spec;
      const { cwd, startAgent = startProcess } = options;
      const distribution = windowsAgent(command, (name) => Deno.env.get(name));
      if (distribution !== undefined) return await openWindows(spec, distribution, options);
      const process = await startAgent({ command, args, env, cwd });
      return openStdioTransport(process, { tap: options.tap, secrets: secretsOf(spec) });
    }
    case "demo":
      return await openDemo(options);
    case "remote":
      return await openRemote(spec, options);
  }
}

/** A Windows program under WSL, which has paths of its own there. */
async function openWindows(
  spec: ProcessAgentSpec,
  distribution: string,
  { cwd, tap, startAgent = startProcess }: OpenTransportOptions,
): Promise<Transport> {
  const { command, args, env = {} } = spec;
  const secrets = secretsOf(spec);
  const { windowsEnv, withWindowsPaths } = await import("../transport/windows_paths.ts");
  const variables = windowsEnv(env, Deno.env.get("WSLENV"));
  const process = await startAgent({ command, args, env: variables, cwd });
  return withWindowsPaths(openStdioTransport(process, { tap, secrets }), distribution);
}

function secretsOf(spec: ProcessAgentSpec): string[] {
  return secretsOfProcess(spec, Deno.env.toObject());
}

/** Loaded only where it is used, like the embedded agent: most starts need neither. */
async function openRemote(
  { url, headers }: RemoteAgentSpec,
  { tap, signal }: OpenTransportOptions,
): Promise<Transport> {
  const { openRemoteTransport } = await import("../transport/remote.ts");
  return await openRemoteTransport(url, { headers, tap, signal });
}

async function openDemo({ demoDiscovery, tap }: OpenTransportOptions): Promise<Transport> {
  const [{ DEFAULT_AGENT_OPTIONS, serveAgent }, { memoryTransportPair }] = await Promise.all([
    import("../agent/mod.ts"),
    import("../transport/memory.ts"),
  ]);
  const { transport, peer } = memoryTransportPair({ tap });
  const stderr = (line: string) => peer.stderrLine(line);
  serveAgent(peer, { ...DEFAULT_AGENT_OPTIONS, discovery: demoDiscovery, stderr });
  return transport;
}
