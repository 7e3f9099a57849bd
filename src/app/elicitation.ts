/**
 * What the agent asks a person for: a form to fill in, or a page to visit.
 *
 * @module
 */

import { asObject, asString } from "../base/guards.ts";
import { RPC, RpcError } from "../base/rpc.ts";
import type { CallContext, MethodRouter } from "../client/router.ts";
import type { SessionStore } from "../model/session_store.ts";
import type { ElicitationTrace } from "./elicitation_trace.ts";
import type { ElicitationResult } from "./form_questions.ts";
import { originLines } from "./permission_question.ts";
import type { NewQuestion, QuestionQueue } from "./questions.ts";
import { watchTurnEnd } from "./turn_end.ts";
import type { QuestionAnswer } from "./view.ts";

/** What answering needs. */
export interface ElicitationOptions {
  readonly questions: QuestionQueue;
  /** Where a remote agent is. */
  readonly host?: string;
  /** The store of an open session. */
  readonly store: (sessionId: string) => SessionStore | undefined;
  readonly notice: (
    severity: "info" | "warning",
    text: string,
    store?: SessionStore,
    detail?: string,
  ) => void;
  /** Opens a page; gives why that failed, if it did. */
  readonly openUrl: (url: string) => Promise<string | undefined>;
}

/** A page that a person was asked to visit. It is told that it has done its work once it is agreed. */
interface Visit {
  readonly host: string;
  readonly store: SessionStore | undefined;
  agreed: boolean;
  /** The agent has called it done; that may come before the browser has taken the page. */
  completed: boolean;
}

/** Visits that are remembered, at most. */
const MAX_VISITS = 100;

const CANCELLED: ElicitationResult = { action: "cancel" };
const DECLINED: ElicitationResult = { action: "decline" };

/** Answers `elicitation/create`, one request after the other. */
export class Elicitations {
  readonly #options: ElicitationOptions;
  readonly #visits = new Map<string, Visit>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ElicitationOptions) {
    this.#options = options;
  }

  /** Handles a request. A turn that is cancelled or ends takes its questions with it. */
  async handle(params: unknown, { signal }: CallContext): Promise<ElicitationResult> {
    const raw = asObject(params);
    const sessionId = asString(raw.sessionId);
    const store = sessionId === undefined ? undefined : this.#options.store(sessionId);
    const turnEnd = watchTurnEnd(store);
    const ended = AbortSignal.any([signal, turnEnd.signal]);
    const before = this.#last;
    const answer = before.then(() =>
      ended.aborted ? CANCELLED : this.#answer(raw, store, (q) => this.#ask(q, store, ended))
    );
    this.#last = answer.catch(() => {});
    try {
      const result = await answer;
      if (signal.aborted) throw new RpcError(RPC.requestCancelled, "Request cancelled");
      return ended.aborted ? CANCELLED : result;
    } finally {
      turnEnd.stop();
    }
  }

  /** Listens for pages that have done their work. Without a person every request is declined. */
  register(router: MethodRouter, interactive: boolean): void {
    router.on("elicitation/complete", (params) => this.#completed(params));
    if (!interactive) router.register("elicitation/create", () => DECLINED);
  }

  #completed(params: unknown): void {
    const id = asString(asObject(params).elicitationId) ?? "";
    const visit = this.#visits.get(id);
    if (visit === undefined) return;
    visit.completed = true;
    this.#tellCompleted(id, visit);
  }

  #tellCompleted(id: string, { host, store, agreed, completed }: Visit): void {
    if (!agreed || !completed) return;
    this.#visits.delete(id);
    this.#options.notice("info", `The agent has what it needed from ${host}`, store);
  }

  async #answer(
    raw: Readonly<Record<string, unknown>>,
    store: SessionStore | undefined,
    ask: (question: NewQuestion) => Promise<QuestionAnswer>,
  ): Promise<ElicitationResult> {
    const message = asString(raw.message) ?? "";
    if (raw.mode === "form") {
      // Loaded with the first form: few agents ask for any.
      const [{ parseForm }, { fillForm }, { formTrace }] = await Promise.all([
        import("../model/form.ts"),
        import("./form_questions.ts"),
        import("./elicitation_trace.ts"),
      ]);
      const form = parseForm(raw.requestedSchema);
      const result = await fillForm({ message, form }, ask);
      this.#trace(formTrace(message, form, result), store);
      return result;
    }
    if (raw.mode !== "url") return DECLINED;
    const url = parseUrl(raw.url);
    if (url === undefined) {
      this.#options.notice(
        "warning",
        "The agent wanted a page opened that is no web page: declined",
        store,
      );
      return DECLINED;
    }
    const id = asString(raw.elicitationId) ?? "";
    const visit: Visit = { host: url.host, store, agreed: false, completed: false };
    if (id !== "" && this.#visits.size < MAX_VISITS) this.#visits.set(id, visit);
    const result = await this.#offerPage(url, message, ask);
    const { pageTrace } = await import("./elicitation_trace.ts");
    this.#trace(pageTrace(url.host, result), store);
    visit.agreed = result.action === "accept";
    if (visit.agreed) this.#tellCompleted(id, visit);
    else if (this.#visits.get(id) === visit) this.#visits.delete(id);
    return result;
  }

  #trace({ text, detail }: ElicitationTrace, store: SessionStore | undefined): void {
    this.#options.notice("info", text, store, detail);
  }

  /** The page is opened only when the person says so. */
  async #offerPage(
    url: URL,
    message: string,
    ask: (question: NewQuestion) => Promise<QuestionAnswer>,
  ): Promise<ElicitationResult> {
    let problem: string | undefined;
    for (;;) {
      const answer = await ask({
        kind: "choice",
        title: `The agent asks you to visit ${url.host}`,
        body: [
          ...message.trim().split("\n").filter((line) => line !== ""),
          `page: ${url.href}`,
          `host: ${url.host}`,
          ...warnings(url),
          ...(problem === undefined ? [] : [`It could not be opened: ${problem}`]),
        ],
        options: [
          ...(problem === undefined ? [{ id: "open", label: "Open it in the browser" }] : []),
          { id: "self", label: "I open it myself" },
          { id: "decline", label: "Decline" },
        ],
      });
      if (answer.type !== "option") return CANCELLED;
      if (answer.id === "decline") return DECLINED;
      if (answer.id === "self") return { action: "accept" };
      problem = await this.#options.openUrl(url.href);
      if (problem === undefined) return { action: "accept" };
    }
  }

  #ask(
    question: NewQuestion,
    store: SessionStore | undefined,
    signal: AbortSignal,
  ): Promise<QuestionAnswer> {
    const { questions, host } = this.#options;
    const body = [...originLines(host), ...question.body];
    const quiet = { ...question, body, quiet: true };
    return questions.ask(store === undefined ? quiet : { ...quiet, store }, signal);
  }
}

function parseUrl(value: unknown): URL | undefined {
  const text = asString(value);
  if (text === undefined || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.protocol === "https:" || url.protocol === "http:" ? url : undefined;
}

function warnings(url: URL): readonly string[] {
  return [
    ...(url.username === "" && url.password === ""
      ? []
      : ["Careful: what stands before the @ is not the host"]),
    ...(url.host.includes("xn--")
      ? ["Careful: the host has letters that may look like others"]
      : []),
    ...(url.protocol === "http:" ? ["The connection is not encrypted"] : []),
  ];
}
