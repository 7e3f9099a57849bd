/**
 * The running program: one agent, its sessions, and what a person enters.
 *
 * @module
 */

import { describeAgent } from "../model/agent_spec.ts";
import { Listeners } from "../base/listeners.ts";
import { SessionStore } from "../model/session_store.ts";
import type { AppOptions } from "./options.ts";
import type { App, AppChange, AppState } from "./view.ts";

/** Starts a program. Returns at once; the agent is started in the background. */
export function createApp(options: AppOptions): App {
  const store = new SessionStore(options.cwd);
  const changes = new Listeners<AppChange>();
  const done = Promise.withResolvers<number>();
  const state: AppState = {
    phase: "starting",
    agent: describeAgent(options.spec),
    demo: options.demo,
    active: store,
    sessions: [store],
    queue: [],
    questions: [],
    tools: 0,
  };
  return {
    state,
    startError: Promise.resolve(undefined),
    interactive: options.interactive,
    history: { load: () => Promise.resolve([]), add: () => Promise.resolve() },
    subscribe: (listener) => changes.add(listener),
    submit: () => Promise.resolve(),
    prompt: () => Promise.resolve(undefined),
    cancelTurn: () => false,
    answer: () => {},
    unqueue: () => undefined,
    complete: (_text, cursor) => Promise.resolve({ start: cursor, items: [] }),
    leave(status) {
      done.resolve(status);
      return Promise.resolve();
    },
    done: done.promise,
  };
}
