/**
 * Permission rules: which questions are answered without a person, and how.
 *
 * The user's own denies are tested first, and nothing outranks them. Then the first rule that
 * matches decides. A question about a shell line is as many questions as the line has commands and
 * redirected files: all must be allowed, and one deny is enough. Doubt counts against an allow and
 * for a deny; where a deny might match but cannot be held against the request, the answer is to ask.
 *
 * @module
 */

import { matchRule } from "./permission_match.ts";
import type { PermissionRequest } from "./permission_request.ts";
import { type PermissionUnit, unitsOf } from "./permission_unit.ts";
import type { PermissionOption } from "./session.ts";

/** What a rule says. */
export type PermissionAction = "allow" | "ask" | "deny";

/** A rule. Every condition that is present must hold; globs take `*`, `**` and `?`. */
export interface PermissionRule {
  /** Kind of the tool call, e.g. `execute`. */
  readonly kind?: string;
  /** Name of the tool, where the agent tells it; of a client tool, its own name. */
  readonly tool?: string;
  /**
   * A file, or a directory with everything beneath it; `~/` is the home directory. Relative ones are
   * relative to the session's directory, and one without a slash is meant at any depth beneath it;
   * where it restricts, anywhere. An allow does not reach the commands of a shell line, which may
   * touch more than they say.
   */
  readonly path?: string;
  /** A shell command with its arguments; `git *` is `git` with any arguments, or none. */
  readonly command?: string;
  /** Name of the agent in the configuration. */
  readonly agent?: string;
  readonly action: PermissionAction;
  /**
   * Every condition is meant as it stands: nothing in it is a glob, and the words of the command are
   * quoted. Default false.
   */
  readonly literal?: boolean;
  /** Where it comes from. Default `user`: the user's own configuration. */
  readonly origin?: "user" | "project" | "remembered" | "flag" | "default";
}

/** The answer of the rules, and why. */
export interface RuleDecision {
  readonly action: PermissionAction;
  /** The rule that decided; absent when none did. */
  readonly rule?: PermissionRule;
  /** For people: one line without full stop. */
  readonly reason: string;
}

/** Decides a request. Without a matching rule the answer is to ask. */
export function decidePermission(
  rules: readonly PermissionRule[],
  request: PermissionRequest,
): RuleDecision {
  const units = unitsOf(request);
  const denies = rules.filter((rule) =>
    rule.action === "deny" && (rule.origin ?? "user") === "user"
  );
  // What only stands beside other parts needs no rule, but may have one.
  const own = rules.filter(({ origin }) => origin !== "default");
  const alone = units.every(({ incidental }) => incidental);
  return worst([
    ...units.flatMap((unit) => denies.flatMap((rule) => apply(rule, request, unit) ?? [])),
    ...units.flatMap((unit) =>
      decideUnit(unit.incidental && !alone ? own : rules, request, unit) ??
        (unit.incidental && !alone ? [] : unmatched(unit))
    ),
  ]);
}

/** The rules that `--permissions` stands for; they come after all others. */
export function defaultPolicy(mode: "ask" | "allow" | "deny" | "reads"): readonly PermissionRule[] {
  if (mode !== "reads") return [{ action: mode, origin: "default" }];
  return ["read", "search", "fetch", "think"]
    .map((kind) => ({ kind, action: "allow" as const, origin: "default" as const }));
}

/**
 * The option that an automatic answer takes: the narrowest of its sort, in the agent's order, or
 * `null` (cancelled) when there is none. Options of an unknown kind are never taken.
 */
export function chooseOption(
  options: readonly PermissionOption[],
  answer: "allow" | "deny",
): PermissionOption | null {
  const kinds = answer === "allow"
    ? ["allow_once", "allow_always"]
    : ["reject_once", "reject_always"];
  for (const kind of kinds) {
    const option = options.find((option) => option.kind === kind);
    if (option !== undefined) return option;
  }
  return null;
}

/** A rule in one line, as the configuration would say it. */
export function describeRule(rule: PermissionRule): string {
  const conditions = (["kind", "tool", "path", "command", "agent"] as const)
    .flatMap((key) => rule[key] === undefined ? [] : `${key} ${JSON.stringify(rule[key])}`);
  const where = rule.origin === undefined ? "" : ` (${rule.origin})`;
  return `${rule.action} ${conditions.length === 0 ? "everything" : conditions.join(", ")}${where}`;
}

function decideUnit(
  rules: readonly PermissionRule[],
  request: PermissionRequest,
  unit: PermissionUnit,
): RuleDecision | undefined {
  for (const rule of rules) {
    const decision = apply(rule, request, unit);
    if (decision !== undefined) return decision;
  }
  return undefined;
}

function unmatched(unit: PermissionUnit): RuleDecision {
  return { action: "ask", reason: `no rule matches ${unit.label}` };
}

/** What a rule says of a part; `undefined` when it says nothing. */
function apply(
  rule: PermissionRule,
  request: PermissionRequest,
  unit: PermissionUnit,
): RuleDecision | undefined {
  const match = matchRule(rule, request, unit);
  if (match === "yes") {
    const reason = `"${describeRule(rule)}" matches ${unit.label}`;
    return { action: rule.action, rule, reason };
  }
  if (match === "no" || rule.action === "allow") return undefined;
  return {
    action: "ask",
    rule,
    reason: `"${describeRule(rule)}" may match ${unit.label}: ${match.maybe}`,
  };
}

/** The strictest of decisions; of equals the first. */
function worst(decisions: readonly RuleDecision[]): RuleDecision {
  const order: readonly PermissionAction[] = ["deny", "ask", "allow"];
  for (const action of order) {
    const decision = decisions.find((decision) => decision.action === action);
    if (decision !== undefined) return decision;
  }
  return { action: "ask", reason: "no rule matches" };
}
