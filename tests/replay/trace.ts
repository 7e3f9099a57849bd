/**
 * Traces: what an agent and a client once wrote to each other.
 *
 * A trace is newline-delimited JSON, one record a line: `{dir, t, msg}`, where `dir` is `in` (the
 * agent wrote it), `out` (the client wrote it), `note` (a remark) or `x` (how the agent ended, in
 * `exit`), and `t` milliseconds that nothing depends on. A line that was not JSON has `raw` instead
 * of `msg`.
 *
 * @module
 */

import { asObject, asString, isObject, type JsonObject } from "../../src/base/guards.ts";

/** How an answer went: a result or an error. */
export type Answer = { readonly result: unknown } | { readonly error: JsonObject };

/** Which side wrote something. */
export type Side = "agent" | "client";

/** A request. */
export interface RequestStep {
  readonly type: "request";
  readonly by: Side;
  readonly id: unknown;
  readonly method: string;
  readonly params: JsonObject;
}

/** A notification. */
export interface NotificationStep {
  readonly type: "notification";
  readonly by: Side;
  readonly method: string;
  readonly params: JsonObject;
}

/** An answer to a request of the other side, whose `id` it bears. */
export interface AnswerStep {
  readonly type: "answer";
  readonly by: Side;
  readonly id: unknown;
  readonly answer: Answer;
}

/** Something on the agent's stdout that was no JSON. */
export interface LineStep {
  readonly type: "line";
  readonly by: "agent";
  readonly line: string;
}

/** One thing that was written. */
export type Step = RequestStep | NotificationStep | AnswerStep | LineStep;

/** One life of the agent: everything from `initialize` to its end. */
export interface Run {
  readonly steps: readonly Step[];
  /** False when the agent did not end although its stdin was closed. */
  readonly endsWithInput: boolean;
}

/** Reads a trace. Throws when a line is no record. */
export function parseTrace(text: string): Run[] {
  const runs: { steps: Step[]; endsWithInput: boolean }[] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const record = asObject(JSON.parse(line));
    const step = parseStep(record);
    if (step?.type === "request" && step.method === "initialize") {
      runs.push({ steps: [], endsWithInput: true });
    }
    const run = runs.at(-1);
    if (run === undefined) {
      if (step !== undefined) throw new Error("a trace starts with initialize");
    } else if (step !== undefined) run.steps.push(step);
    else if (record.dir === "x") run.endsWithInput = asObject(record.exit).signal !== "SIGTERM";
  }
  return runs;
}

/**
 * The steps as they go when a client keeps a prompt back while the turn before it runs: each prompt
 * that was sent during a turn of its session comes right after the end of that turn.
 */
export function queued(steps: readonly Step[]): Step[] {
  const result: Step[] = [];
  /** By session: the prompt that runs, then those that wait. */
  const lines = new Map<string | undefined, RequestStep[]>();
  for (const step of steps) {
    if (step.type === "request" && step.method === "session/prompt") {
      const session = sessionOf(step.params);
      const line = lines.get(session) ?? [];
      lines.set(session, [...line, step]);
      if (line.length > 0) continue;
    }
    result.push(step);
    if (step.type !== "answer" || step.by !== "agent") continue;
    for (const [session, [running, ...waiting]] of lines) {
      if (running?.id !== step.id) continue;
      lines.set(session, waiting);
      result.push(...waiting.slice(0, 1));
    }
  }
  return result;
}

/** The first session directory that a trace names. */
export function directoryOf(runs: readonly Run[]): string | undefined {
  for (const { steps } of runs) {
    for (const step of steps) {
      const cwd = step.type === "request" ? asString(step.params.cwd) : undefined;
      if (cwd !== undefined) return cwd;
    }
  }
  return undefined;
}

/** How the other side answered a request, if it did. */
export function answerTo(steps: readonly Step[], request: RequestStep): Answer | undefined {
  const from = steps.indexOf(request);
  const step = steps.find((later, index) =>
    index > from && later.type === "answer" && later.by !== request.by && later.id === request.id
  );
  return step?.type === "answer" ? step.answer : undefined;
}

/**
 * The option that answered a permission question: its id, `null` when the turn was cancelled
 * instead, and `undefined` when the question was dismissed or never answered.
 */
export function chosenOption(run: Run, question: RequestStep): string | null | undefined {
  const answer = answerTo(run.steps, question);
  if (answer === undefined || "error" in answer) return undefined;
  const chosen = asString(asObject(asObject(answer.result).outcome).optionId);
  if (chosen !== undefined) return chosen;
  const from = run.steps.indexOf(question);
  const cancelled = run.steps.some((step, index) =>
    index > from && step.type === "notification" && step.method === "session/cancel"
  );
  return cancelled ? null : undefined;
}

/** Writes a run as a trace that {@link parseTrace} reads back. */
export function formatTrace({ steps, endsWithInput }: Run): string {
  const records = steps.map((step) => {
    const dir = step.by === "agent" ? "in" : "out";
    switch (step.type) {
      case "line":
        return { dir, t: 0, raw: step.line };
      case "answer":
        return { dir, t: 0, msg: { jsonrpc: "2.0", id: step.id, ...step.answer } };
      case "request":
        return {
          dir,
          t: 0,
          msg: { jsonrpc: "2.0", id: step.id, method: step.method, params: step.params },
        };
      case "notification":
        return { dir, t: 0, msg: { jsonrpc: "2.0", method: step.method, params: step.params } };
    }
  });
  const exit = { dir: "x", t: 0, exit: { signal: endsWithInput ? null : "SIGTERM" } };
  return [...records, exit].map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** The session that a request or notification names. */
export function sessionOf(params: JsonObject): string | undefined {
  return asString(params.sessionId);
}

function parseStep(record: JsonObject): Step | undefined {
  if (record.dir === "note" || record.dir === "x") return undefined;
  if (record.dir !== "in" && record.dir !== "out") {
    throw new Error(`no record of a trace: ${JSON.stringify(record).slice(0, 80)}`);
  }
  const by = record.dir === "in" ? "agent" : "client";
  const { msg } = record;
  if (!isObject(msg)) {
    return by === "agent" ? { type: "line", by, line: asString(record.raw) ?? "" } : undefined;
  }
  const method = asString(msg.method);
  if (method === undefined) {
    const answer = isObject(msg.error) ? { error: msg.error } : { result: msg.result };
    return { type: "answer", by, id: msg.id, answer };
  }
  const params = asObject(msg.params);
  return "id" in msg
    ? { type: "request", by, id: msg.id, method, params }
    : { type: "notification", by, method, params };
}
