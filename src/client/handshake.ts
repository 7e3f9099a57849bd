/**
 * The first exchange with an agent.
 *
 * @module
 */

import { VersionMismatch } from "../base/acp_errors.ts";
import { MmError } from "../base/errors.ts";
import { asArray, asObject, asString, isObject, type JsonObject } from "../base/guards.ts";
import { sanitizeLine } from "../base/sanitize.ts";
import type { Transport, TransportEnd } from "../transport/transport.ts";
import type { AuthMethod, InitializeResult } from "./connection.ts";

/** The protocol version that we speak. */
export const PROTOCOL_VERSION = 1;

const CHECK_URL = "Check the URL, its path too.";

/** Noise lines that an error quotes. */
const QUOTED_LINES = 5;

/**
 * Reads the result of `initialize`. Throws `protocol_version` unless the agent chose version
 * {@link PROTOCOL_VERSION}.
 */
export function parseInitialize(result: unknown, agentName: string): InitializeResult {
  const raw = asObject(result);
  if (raw.protocolVersion !== PROTOCOL_VERSION) {
    const theirs = raw.protocolVersion === undefined
      ? "names no version"
      : `speaks version ${sanitizeLine(JSON.stringify(raw.protocolVersion).slice(0, 60))}`;
    throw new VersionMismatch(
      `Cannot talk to "${agentName}": it ${theirs} of the Agent Client Protocol, ` +
        `and mm-repl speaks version ${PROTOCOL_VERSION}`,
      { hint: "Install a version of the agent that fits.", phase: "initialize" },
    );
  }
  const info = asObject(raw.agentInfo);
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentName: asString(info.title) ?? asString(info.name),
    agentVersion: asString(info.version),
    capabilities: asObject(raw.agentCapabilities),
    authMethods: asArray(raw.authMethods).filter(isObject).flatMap(parseAuthMethod),
    raw,
  };
}

function parseAuthMethod(raw: JsonObject): AuthMethod[] {
  const id = asString(raw.id);
  if (id === undefined) return [];
  return [{
    id,
    name: asString(raw.name) ?? id,
    description: asString(raw.description),
    type: asString(raw.type) ?? "agent",
    raw,
  }];
}

/** The error for a program that answers in JSON-RPC and is still no agent: a server, an echo. */
export function notAnAgentError(agentName: string, why: string, transport: Transport): MmError {
  return new MmError(
    "handshake",
    `${cannotStart(agentName, transport)}: ` +
      `it is not an agent of the Agent Client Protocol: ${why}`,
    {
      phase: "initialize",
      stderr: transport.stderr(),
      hint: quoteNoise(transport) ??
        (transport.address === undefined
          ? "Check the command: many agents speak the protocol only with a flag, such as -acp."
          : CHECK_URL),
    },
  );
}

/** What is known of an agent's end. */
export interface ExitDetails {
  /** What it wrote. Default: all that is kept. */
  readonly stderr?: string;
  /** Whether it had answered the step. Default false. */
  readonly answered?: boolean;
}

/** The error for an agent that ended before it was ready. */
export function exitedError(
  agentName: string,
  phase: string,
  end: TransportEnd,
  transport: Transport,
  { stderr = transport.stderr(), answered = false }: ExitDetails = {},
): MmError {
  // A remote agent that cannot be reached says so itself.
  if (end.error !== undefined) {
    const { code, message, hint, retryAfterMs } = end.error;
    if (code !== "agent_died") return end.error;
    return new MmError("agent_exited", message, { phase, hint, retryAfterMs, cause: end.error });
  }
  return new MmError(
    "agent_exited",
    `${cannotStart(agentName, transport)}: ` +
      `${sanitizeLine(end.reason)} ${answered ? "right after" : "before"} it answered ${phase}`,
    { phase, stderr, hint: quoteNoise(transport) },
  );
}

/** The error for an agent that does not answer a step of the setup. */
export function silentError(
  agentName: string,
  phase: string,
  timeoutMs: number,
  transport: Transport,
  stderr = transport.stderr(),
): MmError {
  return new MmError(
    "agent_silent",
    `${cannotStart(agentName, transport)}: ` +
      `no answer to ${phase} within ${timeoutMs / 1_000} s`,
    {
      phase,
      stderr,
      hint: quoteNoise(transport) ??
        (transport.address === undefined
          ? "Check that the command is an ACP agent."
          : `${CHECK_URL} A slow server may need a longer startTimeout.`),
    },
  );
}

/** What could not be done: start a process, or connect to a server. */
export function cannotStart(agentName: string, { address }: Transport): string {
  return address === undefined ? `Cannot start "${agentName}"` : `Cannot connect to ${address}`;
}

/** What the agent printed instead of the protocol, when it did: it usually names the cause. */
function quoteNoise(transport: Transport): string | undefined {
  const lines = transport.noise().slice(-QUOTED_LINES).map((line) => sanitizeLine(line));
  return lines.length === 0 ? undefined : `It printed: ${lines.join(" | ")}`;
}
