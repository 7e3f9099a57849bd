/**
 * What of a recorded run a person in front of a terminal can do. The agent's side stays as it was
 * recorded; of the client's side what only a program can send is left out, or becomes what a person
 * does in its place.
 *
 * @module
 */

import { asArray, asObject, asString, type JsonObject } from "../../src/base/guards.ts";
import { SettingsOffered } from "./settings_offered.ts";
import {
  type Answer,
  answerTo,
  chosenOption,
  queued,
  type RequestStep,
  type Run,
  sessionOf,
  type Step,
} from "./trace.ts";

/** A run as a person plays it. */
export interface PersonRun extends Run {
  /** The session that the program is started with; absent: a new one. */
  readonly resume?: string;
  /** Which file requests are offered to the agent, as a row of the configuration says it. */
  readonly fs: "all" | "read" | "write" | "none";
  /** Prompts that are entered while the turn before them runs. */
  readonly early: ReadonlySet<Step>;
}

/** What a person enters where the recorded client sent a prompt without any text. */
const NO_TEXT = "go on";

/** Gives a run as a person plays it, or why nobody can. */
export function forPerson(run: Run): PersonRun | string {
  const steps = queued(run.steps);
  const rewriter = new Rewriter(run, steps);
  const kept = steps.flatMap((step) => rewriter.rewrite(step));
  if (rewriter.why !== undefined) return rewriter.why;
  if (rewriter.opened === 0) return "no session is opened";
  const { resume, early } = rewriter;
  return {
    steps: kept,
    endsWithInput: run.endsWithInput,
    ...(resume === undefined ? {} : { resume }),
    fs: filesOf(steps),
    early,
  };
}

/** Which file requests the recorded client offered. */
export function filesOf(steps: readonly Step[]): PersonRun["fs"] {
  const initialize = steps.find((step) => isRequest(step, "initialize"));
  const params = initialize?.type === "request" ? initialize.params : {};
  const { readTextFile, writeTextFile } = asObject(asObject(params.clientCapabilities).fs);
  if (readTextFile === true) return writeTextFile === true ? "all" : "read";
  return writeTextFile === true ? "write" : "none";
}

/** Walks through a run once and decides about each step. */
class Rewriter {
  /** Why nobody can play the run. */
  why: string | undefined;
  /** How many sessions were opened. */
  opened = 0;
  resume: string | undefined;
  readonly early = new Set<Step>();
  readonly #run: Run;
  readonly #steps: readonly Step[];
  readonly #settings = new SettingsOffered();
  /** Ids of requests of the client that are left out. */
  readonly #left = new Set<unknown>();

  constructor(run: Run, steps: readonly Step[]) {
    this.#run = run;
    this.#steps = steps;
  }

  rewrite(step: Step): readonly Step[] {
    if (step.type === "notification") this.#settings.told(step.params);
    if (step.by === "agent") {
      const isLeftOut = step.type === "answer" && this.#left.has(step.id);
      return isLeftOut ? [] : [step];
    }
    if (step.type === "answer") return [{ ...step, answer: this.#answer(step) }];
    if (step.type === "notification") return step.method === "session/cancel" ? [step] : [];
    const kept = this.#request(step);
    if (kept === undefined) this.#left.add(step.id);
    return kept === undefined ? [] : [kept];
  }

  /** The request that a person causes; `undefined` for none. */
  #request(step: RequestStep): RequestStep | undefined {
    const { method, params } = step;
    const result = this.#resultOf(step);
    switch (method) {
      case "initialize":
        this.#initialized = asObject(asObject(result).agentCapabilities);
        return step;
      case "session/new":
      case "session/load":
      case "session/resume":
        return result === undefined ? undefined : this.#open(step, asObject(result));
      case "session/prompt":
        return this.#prompt(step);
      default:
        return this.#settings.canSet(method, params) ? step : undefined;
    }
  }

  #initialized: JsonObject = {};

  #open(step: RequestStep, result: JsonObject): RequestStep {
    const { method, params } = step;
    const id = sessionOf(params) ?? asString(result.sessionId) ?? "";
    this.#settings.opened(id, result);
    this.opened++;
    if (method === "session/new") return step;
    if (this.opened > 1) this.why = "a session is opened again while the program runs";
    // Who looks at a terminal wants to see what was said before.
    if (method === "session/resume" && this.#initialized.loadSession === true) {
      this.why = "a person would load the session, not resume it";
    }
    this.resume = id;
    return step;
  }

  #prompt(step: RequestStep): RequestStep {
    const text = asArray(step.params.prompt)
      .flatMap((block) => asString(asObject(block).text) ?? []).join("");
    const prompt = [{ type: "text", text: text === "" ? NO_TEXT : text }];
    const asked = { ...step, params: { ...step.params, prompt } };
    if (isGivenEarly(this.#run.steps, step)) this.early.add(asked);
    return asked;
  }

  /** A question that was put away without cancelling the turn is refused by a person. */
  #answer(step: Extract<Step, { readonly type: "answer" }>): Answer {
    const question = this.#steps.slice(0, this.#steps.indexOf(step)).findLast((one) =>
      one.by === "agent" && one.type === "request" && one.id === step.id
    );
    if (question === undefined || !isRequest(question, "session/request_permission")) {
      return step.answer;
    }
    if (chosenOption(this.#run, question) !== undefined) return step.answer;
    const refusal = asArray(question.params.options).map(asObject)
      .find(({ kind }) => kind === "reject_once");
    return refusal === undefined ? step.answer : {
      result: { outcome: { outcome: "selected", optionId: refusal.optionId } },
    };
  }

  #resultOf(step: RequestStep): unknown {
    const answer = answerTo(this.#run.steps, step);
    return answer === undefined || "error" in answer ? undefined : answer.result ?? {};
  }
}

/** True when the turn before a prompt still ran as the prompt was given. */
function isGivenEarly(steps: readonly Step[], prompt: RequestStep): boolean {
  const session = sessionOf(prompt.params);
  const running = new Set<unknown>();
  for (const step of steps) {
    if (step === prompt) return running.size > 0;
    if (isRequest(step, "session/prompt") && sessionOf(step.params) === session) {
      running.add(step.id);
    } else if (step.type === "answer" && step.by === "agent") running.delete(step.id);
  }
  return false;
}

function isRequest(step: Step, method: string): step is RequestStep {
  return step.type === "request" && step.method === method;
}
