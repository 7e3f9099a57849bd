/**
 * What must hold after a run was played, whoever the agent was.
 *
 * @module
 */

import { asArray, asObject, asString } from "../../src/base/guards.ts";
import { RPC } from "../../src/base/rpc.ts";
import type { AgentReport, AskedRequest } from "../support/replay_agent.ts";
import { faultOfError, faultOfResult } from "./answer_shapes.ts";
import { checkSession } from "./check_session.ts";
import type { Outcome, PlayedRun } from "./drive.ts";
import { type Answer, type AnswerStep, type RequestStep, type Run, sessionOf } from "./trace.ts";

/** Requests that a client may send at its end although no recording has them. */
const PARTING: ReadonlySet<string> = new Set(["session/close"]);

/** Says everything that is wrong with a run that was played; an empty list when nothing is. */
export function checkRun(run: Run, played: PlayedRun): string[] {
  const { problems, report } = played;
  const faults = [...problems];
  faults.push(...report === undefined ? ["the agent could not report"] : checkAgent(run, report));
  faults.push(...checkOutcomes(run, played));
  for (const [sessionId, state] of played.states) {
    faults.push(...checkSession(run, sessionId, state).map((fault) => `${sessionId}: ${fault}`));
  }
  return faults;
}

/** Says what is wrong with what the agent saw of the client. */
export function checkAgent(run: Run, report: AgentReport): string[] {
  const { problems, left, extra, asked } = report;
  const strange = extra.filter((method) => !PARTING.has(method));
  return [
    ...problems,
    ...(left > 0 ? [`${left} steps were not reached`] : []),
    ...strange.map((method) => `the client asked for ${method}, which was not recorded`),
    ...checkAnswers(run, asked),
  ];
}

/** Each request of the agent has one answer: the recorded one, in the shape of its method. */
function checkAnswers(run: Run, asked: readonly AskedRequest[]): string[] {
  const recorded = answersOf(run, "client");
  return asked.flatMap(({ id, method, answers }) => {
    const name = `${method} ${JSON.stringify(id)}`;
    const [answer, second] = answers;
    const wanted = recorded.findLast((step) => step.id === id)?.answer;
    if (answer === undefined) return [`${name} was not answered`];
    if (second !== undefined) return [`${name} was answered ${answers.length} times`];
    return checkAnswer(method, answer, wanted).map((fault) => `${name}: ${fault}`);
  });
}

function checkAnswer(method: string, answer: Answer, wanted: Answer | undefined): string[] {
  if ("error" in answer) {
    const { code } = answer.error;
    const fault = faultOfError(answer.error);
    if (fault !== undefined) return [fault];
    if (wanted === undefined) return code === RPC.internalError ? ["an internal error"] : [];
    if ("result" in wanted) return [`refused: ${JSON.stringify(answer.error)}`];
    return wanted.error.code === code ? [] : [`refused with ${code}, not ${wanted.error.code}`];
  }
  const fault = faultOfResult(method, answer.result);
  if (fault !== undefined) return [fault];
  if (wanted === undefined) return [];
  if ("error" in wanted) {
    return [`answered, though it was refused: ${JSON.stringify(answer.result)}`];
  }
  const [is, was] = [answer.result, wanted.result].map((result) => JSON.stringify(result ?? {}));
  return is === was ? [] : [`answered ${is} instead of ${was}`];
}

/** Each request of the client ended as it did when it was recorded. */
function checkOutcomes(run: Run, { outcomes }: PlayedRun): string[] {
  const recorded = answersOf(run, "agent");
  return run.steps.flatMap((step) => {
    if (step.by !== "client" || step.type !== "request") return [];
    const name = `${step.method} ${JSON.stringify(step.id)}`;
    const outcome = outcomes.get(step.id);
    const wanted = recorded.find(({ id }) => id === step.id)?.answer;
    if (outcome === undefined) return [`${name} never ended`];
    const fault = wanted === undefined ? undefined : checkOutcome(step, outcome, wanted);
    return fault === undefined ? [] : [`${name}: ${fault}`];
  });
}

function checkOutcome(step: RequestStep, outcome: Outcome, wanted: Answer): string | undefined {
  if ("error" in wanted) {
    const { code } = wanted.error;
    if (outcome.ok) return `succeeded, though the agent answered with error ${code}`;
    return outcome.code === code
      ? undefined
      : `failed with ${outcome.code} instead of ${code}: ${outcome.message}`;
  }
  if (!outcome.ok) return `failed: ${outcome.message}`;
  const is = asObject(outcome.value);
  const was = asObject(wanted.result);
  switch (step.method) {
    case "session/prompt":
      return is.stopReason === was.stopReason
        ? undefined
        : `ended with ${is.stopReason} instead of ${was.stopReason}`;
    case "session/new":
    case "session/load":
    case "session/resume": {
      const id = sessionOf(step.params) ?? asString(was.sessionId);
      return is.sessionId === id ? undefined : `opened ${is.sessionId} instead of ${id}`;
    }
    case "session/list": {
      const [listed, all] = [asArray(is.sessions).length, asArray(was.sessions).length];
      return listed === all ? undefined : `lists ${listed} of ${all} sessions`;
    }
    default:
      return undefined;
  }
}

function answersOf(run: Run, by: "agent" | "client"): AnswerStep[] {
  return run.steps.flatMap((step) => step.type === "answer" && step.by === by ? [step] : []);
}
