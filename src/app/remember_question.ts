/**
 * Whether an answer to a permission question shall last, also where the agent itself forgets it.
 *
 * @module
 */

import { homeDir } from "../config/paths.ts";
import { permissionRequestOf } from "../model/permission_request.ts";
import { describeRule } from "../model/permission_rules.ts";
import { rulesFor } from "../model/remembered_rules.ts";
import type { PermissionOption, ToolEntry } from "../model/session.ts";
import type { SessionStore } from "../model/session_store.ts";
import type { PermissionMemory } from "./permission_memory.ts";
import type { NewQuestion } from "./questions.ts";
import type { QuestionAnswer } from "./view.ts";

/** What remembering needs. */
export interface RememberOptions {
  readonly memory: PermissionMemory;
  readonly ask: (question: NewQuestion) => Promise<QuestionAnswer>;
  /** The agent's name in rules. */
  readonly agent?: string;
}

/**
 * Asks how long an answer shall last, where the person has chosen an option that is meant to last and
 * the request is one that can be known again. Rejects when it cannot be stored.
 */
export async function offerToRemember(
  entry: ToolEntry,
  option: PermissionOption,
  store: SessionStore,
  { memory, ask, agent }: RememberOptions,
): Promise<void> {
  if (option.kind !== "allow_always" && option.kind !== "reject_always") return;
  const { cwd } = store.state;
  const request = permissionRequestOf({}, {
    cwd,
    home: homeDir(),
    known: entry,
    ...(agent === undefined ? {} : { agent }),
  });
  const rules = rulesFor(request, option.kind === "allow_always" ? "allow" : "deny");
  if (rules.length === 0) return;
  const answer = await ask({
    kind: "choice",
    title: "Shall mm-repl remember this answer, too?",
    body: rules.map(({ origin: _, ...rule }) => describeRule(rule)),
    options: [
      { id: "no", label: "No, leave it to the agent" },
      { id: "session", label: "For this session" },
      { id: "project", label: "For this project, in later runs too", hint: cwd },
    ],
    store,
  });
  if (answer.type !== "option" || answer.id === "no") return;
  const scope = answer.id === "project" ? "project" : "session";
  await memory.remember(scope, rules, { session: store, cwd });
}
