/**
 * What is thrown when a session cannot be opened.
 *
 * @module
 */

import { isLoss, NotAvailable } from "../base/acp_errors.ts";
import { MmError } from "../base/errors.ts";
import type { AgentConnection } from "../client/connection.ts";
import { fromAgentError } from "../client/errors.ts";
import { exitedError, silentError } from "../client/handshake.ts";
import { type AgentSpec, describeAgent } from "../model/agent_spec.ts";
import type { Opening } from "./session_registry.ts";

/** The agent ended when it had opened the session. */
export class LostAfterAnswer extends NotAvailable {}

/** Whose session it was. */
export interface OpeningContext {
  readonly spec: AgentSpec;
  readonly connection: Pick<AgentConnection, "closed" | "transport">;
  readonly timeoutMs: number;
  /** What the agent wrote meanwhile. */
  readonly stderr: string;
}

/** The error for a failed `session/new`, `load` or `resume`. */
export async function openingError(
  error: unknown,
  { how, sessionId, forkOf }: Pick<Opening, "how" | "sessionId" | "forkOf">,
  { spec, connection, timeoutMs, stderr }: OpeningContext,
): Promise<MmError> {
  const agent = describeAgent(spec);
  const method = `session/${forkOf === undefined ? how : "fork"}`;
  if (error instanceof MmError) {
    if (isLoss(error)) {
      const answered = error instanceof LostAfterAnswer;
      const end = await connection.closed;
      return exitedError(agent, method, end, connection.transport, { stderr, answered });
    }
    if (error.code === "timeout") {
      return silentError(agent, method, timeoutMs, connection.transport, stderr);
    }
    return error;
  }
  return fromAgentError(error, {
    what: forkOf !== undefined
      ? `Cannot fork the session ${forkOf}`
      : how === "new"
      ? "Cannot open a session"
      : `Cannot ${how} the session ${sessionId}`,
    method,
    code: how === "new" && forkOf === undefined ? "handshake" : "request_failed",
    stderr,
  });
}
