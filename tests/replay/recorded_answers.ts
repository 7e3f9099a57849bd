/**
 * What a recorded client answered to the questions of the agent.
 *
 * @module
 */

import type { PolicyDecision } from "../../src/api/mod.ts";
import { asObject, asString, type JsonObject } from "../../src/base/guards.ts";
import { RPC, RpcError } from "../../src/base/rpc.ts";
import type { Progress } from "./progress.ts";
import { type RequestStep, type Run, sessionOf } from "./trace.ts";

interface Recorded {
  readonly result: unknown;
  /** The turn was cancelled between the question and the answer. */
  readonly cancelled: boolean;
}

/** Gives each answer once, when everything has come that the trace has before it. */
export class RecordedAnswers {
  readonly #run: Run;
  readonly #progress: Progress;
  /** Questions that were answered. */
  readonly #asked = new Set<RequestStep>();

  constructor(run: Run, progress: Progress) {
    this.#run = run;
    this.#progress = progress;
  }

  /** What was chosen; a cancel is left to `session/cancel` where it came from it. */
  async decide(sessionId: string, params: JsonObject): Promise<PolicyDecision> {
    this.#progress.questioned();
    const { toolCallId } = asObject(params.toolCall);
    const recorded = await this.#find((step) =>
      step.method === "session/request_permission" && sessionOf(step.params) === sessionId &&
      asObject(step.params.toolCall).toolCallId === toolCallId
    );
    if (recorded === undefined || recorded.cancelled) return undefined;
    const optionId = asString(asObject(asObject(recorded.result).outcome).optionId) ?? null;
    return { optionId, by: "user" };
  }

  /** What was answered to the next form. */
  async elicit(): Promise<unknown> {
    const recorded = await this.#find(({ method }) => method === "elicitation/create");
    if (recorded !== undefined) return recorded.result;
    throw new RpcError(RPC.internalError, "the recording has no answer");
  }

  async #find(isIt: (step: RequestStep) => boolean): Promise<Recorded | undefined> {
    const { steps } = this.#run;
    const asked = steps.find((step): step is RequestStep =>
      step.by === "agent" && step.type === "request" && !this.#asked.has(step) && isIt(step)
    );
    if (asked === undefined) return undefined;
    this.#asked.add(asked);
    const from = steps.indexOf(asked);
    const index = steps.findIndex((step, i) =>
      i > from && step.by === "client" && step.type === "answer" && step.id === asked.id
    );
    const step = steps[index];
    if (step?.type !== "answer" || "error" in step.answer) return undefined;
    await this.#progress.reach(index);
    const cancelled = steps.slice(from, index).some((between) =>
      between.type === "notification" && between.method === "session/cancel"
    );
    return { result: step.answer.result, cancelled };
  }
}
