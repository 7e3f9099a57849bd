/**
 * What the agent may do without being asked about: rules, remembered answers, the default.
 *
 * @module
 */

import type { PermissionPolicy } from "../api/contract.ts";
import { toMmError } from "../base/errors.ts";
import type { OutsideFileRequest } from "../client/files.ts";
import type { AgentAct } from "../client/objection.ts";
import { homeDir } from "../config/paths.ts";
import { remoteHost } from "../model/agent_spec.ts";
import type { PermissionRequest } from "../model/permission_request.ts";
import {
  decidePermission,
  defaultPolicy,
  describeRule,
  type PermissionRule,
  type RuleDecision,
} from "../model/permission_rules.ts";
import { rulesFor } from "../model/remembered_rules.ts";
import type { ToolEntry } from "../model/session.ts";
import type { SessionStore } from "../model/session_store.ts";
import { quoteWord } from "../model/shell_commands.ts";
import { actLines, describeAct, isGranted, requestOfAct } from "./agent_acts.ts";
import type { AppOptions, PermissionDefault } from "./options.ts";
import { type MemoryScope, PermissionMemory } from "./permission_memory.ts";
import { lastingRules } from "./lasting_answer.ts";
import { followLinks } from "./permission_links.ts";
import { originLines } from "./permission_question.ts";
import { DENIED, permissionPolicy, UNASKED } from "./permission_policy.ts";
import type { NewQuestion } from "./questions.ts";
import { watchTurnEnd } from "./turn_end.ts";
import type { QuestionAnswer, Refusal } from "./view.ts";
import { dirname } from "node:path";

/** Refusals that are remembered, at most. */
const MAX_REFUSED = 1_000;

/** What deciding needs. */
export interface PermissionsOptions {
  readonly app: AppOptions;
  /** The store of an open session. */
  readonly store: (sessionId: string) => SessionStore | undefined;
  /** Asks the person; dismissed at once when there is none, and when the signal aborts. */
  readonly ask: (question: NewQuestion, signal?: AbortSignal) => Promise<QuestionAnswer>;
  readonly notice: (severity: "info" | "warning" | "error", text: string) => void;
}

/** Decides about permission requests and files outside the session's directories. */
export class Permissions {
  /** The default answer, which may change while the program runs. */
  mode: PermissionDefault;
  readonly memory: PermissionMemory;
  /** Rules of the configuration, in the order in which they count. */
  readonly rules: readonly PermissionRule[];
  readonly policy: PermissionPolicy;
  readonly #options: PermissionsOptions;
  /** The newest answer that is meant to last. */
  #lasting: { readonly rules: readonly PermissionRule[]; readonly store: SessionStore } | undefined;
  /** What the rules are being tested for: files may have to be found first. */
  readonly #deciding = new Set<Promise<unknown>>();
  #unanswered: Refusal | undefined;
  /** What was refused, so that nothing is said twice. */
  readonly #refused = new Set<string>();
  /** Whether it was said how to remember one. */
  #hinted = false;

  constructor(options: PermissionsOptions) {
    const { app, store, notice } = options;
    this.#options = options;
    this.mode = app.permissions;
    this.memory = new PermissionMemory(app.paths.stateDir);
    this.rules = (app.settings?.permissionRules ?? []).flatMap(({ action, ...conditions }) =>
      action === undefined ? [] : [{ ...conditions, action }]
    );
    let told = false;
    const policy = permissionPolicy({
      rules: (sessionId) => this.#rulesOf(store(sessionId)),
      permissions: () => this.mode,
      ...(app.agentName === undefined ? {} : { agent: app.agentName }),
      commandTitles: app.commandTitles === true,
      session: (sessionId) => store(sessionId)?.state,
      interactive: app.interactive,
      refused: (refusal, sessionId) => {
        // What is asked outside of a turn is no part of what was to be done.
        if (store(sessionId)?.state.turn.state === "running") this.#unanswered ??= refusal;
        // How one is permitted holds for the others as well.
        if (told) return;
        told = true;
        notice("warning", `${refusal.message}; ${refusal.hint}`);
      },
    });
    this.policy = (request) => {
      const decision = Promise.resolve(policy(request));
      this.#deciding.add(decision);
      return decision.finally(() => this.#deciding.delete(decision));
    };
  }

  /** The first thing that was refused without a person, and without a rule that says so. */
  get unanswered(): Refusal | undefined {
    return this.#unanswered;
  }

  /** Settles when the rules have been tested for all that is asked now, and have answered it. */
  async decided(): Promise<void> {
    await Promise.allSettled(this.#deciding);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }

  /**
   * Takes a person's answer to a question. One that is meant to last is the agent's to keep; how to
   * keep it here as well is said once, and not asked every time.
   */
  answered(entry: ToolEntry, optionId: string | null, store: SessionStore): void {
    const option = entry.permission?.options.find((one) => one.optionId === optionId);
    if (option === undefined) return;
    const { cwd } = store.state;
    const { agentName: agent, commandTitles } = this.#options.app;
    const rules = lastingRules(entry, option, {
      cwd,
      ...(agent === undefined ? {} : { agent }),
      ...(commandTitles === undefined ? {} : { commandTitles }),
    });
    if (rules.length === 0) return;
    this.#lasting = { rules, store };
    if (this.#hinted) return;
    this.#hinted = true;
    this.#options.notice(
      "info",
      "/permissions remember keeps such an answer for later runs, too",
    );
  }

  /**
   * Remembers the newest lasting answer of a session.
   *
   * @returns The rules that now hold; empty when there is no such answer.
   */
  async remember(scope: MemoryScope, store: SessionStore): Promise<readonly PermissionRule[]> {
    const lasting = this.#lasting;
    if (lasting?.store !== store) return [];
    await this.memory.remember(scope, lasting.rules, { session: store, cwd: store.state.cwd });
    return lasting.rules;
  }

  /** Whether the agent may have a file outside the session's directories. */
  async admitOutsideFile(wanted: OutsideFileRequest): Promise<boolean> {
    const { path, access, sessionId, signal } = wanted;
    const { app } = this.#options;
    const store = this.#options.store(sessionId);
    // "reads" is about what the agent says it does; where its files are is another matter.
    const rules = [
      ...this.#rulesOf(store),
      ...(this.mode === "allow" || this.mode === "deny" ? defaultPolicy(this.mode) : []),
    ];
    // Where the file really is decides, but no name for it may be denied.
    const act = { type: "file", ...wanted } as const;
    const asked = this.#requestOf(act, store);
    const followed = await followLinks(rules, asked);
    const named = decidePermission(rules, followed);
    const decision = named.action === "deny"
      ? named
      : decidePermission(rules, { ...followed, paths: [path] });
    const { action } = decision;
    if (action === "allow") return true;
    if (action === "deny" && decision.rule?.origin !== "default") {
      this.#refuseBy(act, decision);
      return false;
    }
    if (action === "deny" || !app.interactive) {
      const directory = quoteWord(dirname(wanted.named));
      this.#refuseUnasked(
        act,
        `${action === "deny" ? DENIED : UNASKED} about a file outside the session's directories`,
        `run mm-repl in ${directory} or with --add-dir ${directory}, or --permissions allow permits it`,
      );
      return false;
    }
    const answer = await this.#askInTurn(
      {
        kind: "choice",
        title: `Let the agent ${access} a file outside the session's directory?`,
        body: [path],
        options: [
          { id: "once", label: "Yes, this time" },
          ...(store === undefined ? [] : [
            { id: "session", label: "Yes, for this session" },
            { id: "project", label: "Yes, always in this project", hint: store.state.cwd },
          ]),
          { id: "no", label: "No" },
        ],
      },
      signal,
      store,
    );
    if (answer.type !== "option" || answer.id === "no") return false;
    if (store !== undefined && answer.id !== "once") {
      const request = { ...asked, paths: [path] };
      await this.#remember(answer.id === "project" ? "project" : "session", request, store);
    }
    return true;
  }

  /**
   * What stands against something that the agent has us do inside the session's directories: a rule
   * that denies it, or one that asks about it when the person does not agree. Without such a rule it
   * is the agent's own affair to ask.
   */
  async objection(act: AgentAct): Promise<string | undefined> {
    const store = this.#options.store(act.sessionId);
    const own = this.#rulesOf(store);
    if (own.every((rule) => rule.action === "allow")) return undefined;
    const rules = [...own, ...defaultPolicy("allow")];
    const request = await followLinks(rules, this.#requestOf(act, store));
    const decision = decidePermission(rules, request);
    const { action, reason } = decision;
    if (action === "allow") return undefined;
    if (action === "ask") {
      if (isGranted(act, store?.state) || await this.#agreed(act, reason, store)) return undefined;
      return "a permission rule asks about it, and nobody agreed";
    }
    this.#refuseBy(act, decision);
    return "a permission rule denies it";
  }

  #refuseBy(act: AgentAct, { rule, reason }: RuleDecision): void {
    this.#refuse(act, rule === undefined ? reason : describeRule(rule));
  }

  #refuseUnasked(act: AgentAct, why: string, hint: string): void {
    this.#unanswered ??= { message: `Refused to ${describeAct(act)}: ${why}`, hint };
    this.#refuse(act, `${why}; ${hint}`);
  }

  /** Says once that something is not done, and why. */
  #refuse(act: AgentAct, why: string): void {
    const words = describeAct(act);
    if (this.#refused.has(words)) return;
    if (this.#refused.size >= MAX_REFUSED) this.#refused.clear();
    this.#refused.add(words);
    this.#options.notice("warning", `Refused to ${words}: ${why}`);
  }

  async #agreed(act: AgentAct, reason: string, store: SessionStore | undefined): Promise<boolean> {
    if (!this.#options.app.interactive) {
      this.#refuseUnasked(act, `${UNASKED}, and ${reason}`, "a rule that allows it permits it");
      return false;
    }
    const answer = await this.#askInTurn(
      {
        kind: "choice",
        title: act.type === "command"
          ? "Let the agent run a command?"
          : `Let the agent ${act.access} a file?`,
        body: [...actLines(act), `because: ${reason}`],
        options: [{ id: "yes", label: "Yes, this time" }, { id: "no", label: "No" }],
      },
      act.signal,
      store,
    );
    return answer.type === "option" && answer.id === "yes";
  }

  /** Asks as long as the turn wants the answer, and says where the question comes from. */
  async #askInTurn(
    question: NewQuestion,
    signal: AbortSignal,
    store: SessionStore | undefined,
  ): Promise<QuestionAnswer> {
    const { app, ask } = this.#options;
    const turnEnd = watchTurnEnd(store);
    return await ask({
      ...question,
      body: [...originLines(remoteHost(app.spec)), ...question.body],
      ...(store === undefined ? {} : { store }),
    }, AbortSignal.any([signal, turnEnd.signal])).finally(turnEnd.stop);
  }

  #requestOf(act: AgentAct, store: SessionStore | undefined): PermissionRequest {
    const { app } = this.#options;
    const cwd = store?.state.cwd ?? app.cwd;
    return requestOfAct(act, { cwd, home: homeDir(), agent: app.agentName });
  }

  #rulesOf(store: SessionStore | undefined): readonly PermissionRule[] {
    if (store === undefined) return this.rules;
    return [...this.rules, ...this.memory.rules({ session: store, cwd: store.state.cwd })];
  }

  async #remember(scope: MemoryScope, request: PermissionRequest, store: SessionStore) {
    const place = { session: store, cwd: request.cwd };
    try {
      await this.memory.remember(scope, rulesFor(request, "allow"), place);
    } catch (error) {
      this.#notRemembered(error);
    }
  }

  #notRemembered(error: unknown): void {
    this.#options.notice("error", `The answer is not remembered: ${toMmError(error).message}`);
  }
}
