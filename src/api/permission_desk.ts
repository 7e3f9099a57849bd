/**
 * Answers `session/request_permission`: by the policy, or by whoever looks at the session's state.
 *
 * @module
 */

import { messageOf } from "../base/errors.ts";
import { isObject } from "../base/guards.ts";
import { RPC, RpcError } from "../base/rpc.ts";
import {
  parsePermissionRequest,
  type PermissionRequest,
  type PermissionResult,
  permissionResult,
} from "../client/permissions.ts";
import type { CallContext } from "../client/router.ts";
import { chooseOption } from "../model/permission_rules.ts";
import type { PermissionAnswer } from "../model/session.ts";
import type { SessionStore } from "../model/session_store.ts";
import type { PermissionPolicy } from "./contract.ts";

interface Question {
  readonly sessionId: string;
  readonly request: PermissionRequest;
  settle(answer: PermissionAnswer): void;
}

/** The open permission questions of one client. Each is answered exactly once. */
export class PermissionDesk {
  readonly #open = new Map<string, Question>();
  readonly #policy: PermissionPolicy | undefined;
  readonly #store: (sessionId: string) => SessionStore | undefined;

  /** @param store finds the store of a session, open or being opened */
  constructor(
    policy: PermissionPolicy | undefined,
    store: (sessionId: string) => SessionStore | undefined,
  ) {
    this.#policy = policy;
    this.#store = store;
  }

  /** Handles one request. */
  async handle(params: unknown, { signal }: CallContext): Promise<PermissionResult> {
    const request = parsePermissionRequest(params);
    const { sessionId } = request;
    const store = sessionId === undefined ? undefined : this.#store(sessionId);
    if (sessionId === undefined || store === undefined) {
      throw new RpcError(RPC.invalidParams, "Unknown session", { sessionId: sessionId ?? null });
    }
    const requestId = `permission-${crypto.randomUUID()}`;
    const { toolCall, options } = request;
    const { promise, resolve } = Promise.withResolvers<PermissionAnswer>();
    const settle = (answer: PermissionAnswer) => {
      if (!this.#open.delete(requestId)) return;
      // Now, not a moment later: what settles a question may be about to end the turn.
      store.dispatch({ type: "permission_answered", requestId, answer });
      resolve(answer);
    };
    this.#open.set(requestId, { sessionId, request, settle });
    store.dispatch({ type: "permission_asked", requestId, toolCall, options });
    const withdraw = () => settle(cancelled(whyWithdrawn(signal)));
    signal.addEventListener("abort", withdraw);
    try {
      if (signal.aborted) withdraw();
      else void this.#decide(sessionId, request, store).then((answer) => answer && settle(answer));
      const { optionId } = await promise;
      if (signal.aborted) throw new RpcError(RPC.requestCancelled, "Request cancelled");
      return permissionResult(optionId);
    } finally {
      signal.removeEventListener("abort", withdraw);
    }
  }

  /** The user's answer; ignored when the question or the option does not exist. */
  answer(sessionId: string, requestId: string, optionId: string | null): void {
    const question = this.#open.get(requestId);
    if (question?.sessionId !== sessionId) return;
    if (optionId !== null && !offers(question.request, optionId)) return;
    question.settle({ optionId, by: "user" });
  }

  /** Answers the open questions of a session, or of all, with `cancelled`. */
  cancel(sessionId: string | undefined, reason: string): void {
    for (const question of [...this.#open.values()]) {
      if (sessionId === undefined || question.sessionId === sessionId) {
        question.settle(cancelled(reason));
      }
    }
  }

  /** The answer that needs nobody, if there is one. Never rejects. */
  async #decide(
    sessionId: string,
    request: PermissionRequest,
    store: SessionStore,
  ): Promise<PermissionAnswer | undefined> {
    const { options, params } = request;
    const { turn, replaying } = store.state;
    if (turn.state === "running" && turn.cancelRequested) return cancelled("the turn is cancelled");
    if (options.length === 0) {
      return { optionId: null, by: "nobody", reason: "the agent offers no choice" };
    }
    const refuse = (reason: string): PermissionAnswer => ({
      optionId: chooseOption(options, "deny")?.optionId ?? null,
      by: "nobody",
      reason,
    });
    if (replaying) return refuse("asked while the history was replayed");
    try {
      const decision = await this.#policy?.({ sessionId, params });
      if (decision === undefined) return undefined;
      if (decision.optionId === null || offers(request, decision.optionId)) return decision;
      return refuse("the policy chose an option that is not offered");
    } catch (error) {
      return refuse(`the policy failed: ${messageOf(error)}`);
    }
  }
}

function offers(request: PermissionRequest, optionId: string): boolean {
  return request.options.some((option) => option.optionId === optionId);
}

/** A request ends because the agent takes it back, or together with the connection. */
function whyWithdrawn({ reason }: AbortSignal): string {
  const takenBack = isObject(reason) && reason.code === RPC.requestCancelled;
  return takenBack ? "the agent took its question back" : "the agent is gone";
}

function cancelled(reason: string): PermissionAnswer {
  return { optionId: null, by: "cancel", reason };
}
