/**
 * The state of a program as front ends see it.
 *
 * @module
 */

import { describeAgent } from "../model/agent_spec.ts";
import type { SessionStore } from "../model/session_store.ts";
import type { AgentLife } from "./agent_life.ts";
import type { AppOptions } from "./options.ts";
import { sessionName } from "./session_name.ts";
import type { Sessions } from "./sessions.ts";
import type { AppState, Question } from "./view.ts";

/** What the state is read from. */
export interface StateParts
  extends Pick<AppState, "questions" | "underway" | "thoughts" | "theme"> {
  readonly options: AppOptions;
  readonly life: AgentLife;
  readonly sessions: Sessions;
}

/** Reads the state of now. */
export function readState(parts: StateParts): AppState {
  const { options, life, sessions, questions, underway, thoughts, theme } = parts;
  const { active, destination, all } = sessions;
  const { phase, nextTry } = life;
  return {
    phase,
    agent: describeAgent(options.spec),
    demo: options.demo,
    active: active.store,
    sessions: all.map((conversation) => conversation.store),
    queue: destination.queue.texts,
    unopened: phase === "ready" && active.session === undefined && !active.reopening,
    attached: active.attachments.waiting.map((one) => one.label()),
    questions: questions.map((question) => named(question, active.store)),
    underway,
    tools: active.session?.toolbox?.tools.length ?? 0,
    thoughts,
    theme,
    missed: all
      .filter(({ missed }) => missed > 0)
      .map(({ store, missed }) => ({ store, updates: missed })),
    ...(nextTry === undefined ? {} : { reconnecting: nextTry }),
  };
}

/** A question of another session than the active one says whose it is. */
function named(question: Question, active: SessionStore): Question {
  const { store } = question;
  if (store === undefined || store === active) return question;
  return { ...question, title: `[session ${sessionName(store.state)}] ${question.title}` };
}
