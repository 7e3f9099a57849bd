/**
 * A program on a scripted agent, for tests.
 *
 * @module
 */

import { createApp } from "../../src/app/app.ts";
import type { AppOptions } from "../../src/app/options.ts";
import type { App } from "../../src/app/view.ts";
import { partsText } from "../../src/front/entry_lines.ts";
import type { Entry } from "../../src/model/session.ts";
import { type ScriptedAgent, scriptedAgent, type Step } from "../support/scripted_agent.ts";

/** A program, its agent, and what there is to see of them. */
export interface TestProgram extends AsyncDisposable {
  readonly app: App;
  readonly agent: ScriptedAgent;
  /** Directory of state and cache; apart from the session's. */
  readonly state: string;
  /** Markdown that commands have shown. */
  readonly outputs: readonly string[];
  /** The notices of the active session, details after ` | `. */
  notices(): readonly string[];
  /** The text of the active session's entries of a kind. */
  texts(kind: Entry["kind"]): readonly string[];
}

/** Starts a program; it has left when it is disposed of. */
export async function openProgram(
  steps: readonly Step[],
  options: Partial<AppOptions> & { readonly laterRuns?: readonly (readonly Step[])[] } = {},
): Promise<TestProgram> {
  const { laterRuns, ...given } = options;
  const agent = await scriptedAgent(steps, laterRuns === undefined ? {} : { laterRuns });
  const state = await Deno.makeTempDir({ prefix: "mm-app-state-" });
  const app = createApp({
    spec: agent.spec,
    demo: false,
    cwd: agent.directory,
    interactive: true,
    startNotices: [],
    toolDirectories: () => [],
    trustTools: false,
    discovery: "request",
    permissions: "ask",
    set: [],
    open: { how: "new" },
    mcpServers: [],
    paths: { configDir: state, stateDir: state, cacheDir: state },
    timeoutMs: 10_000,
    ...given,
  });
  const outputs: string[] = [];
  app.subscribe((change) => {
    if (change.type === "output") outputs.push(change.text);
  });
  const entries = () => [...app.state.active.state.entries];
  return {
    app,
    agent,
    state,
    outputs,
    notices: () =>
      entries().flatMap((entry) =>
        entry.kind === "notice"
          ? [entry.detail === undefined ? entry.text : `${entry.text} | ${entry.detail}`]
          : []
      ),
    texts: (kind) =>
      entries().flatMap((entry) =>
        entry.kind === kind && "parts" in entry ? [partsText(entry.parts)] : []
      ),
    async [Symbol.asyncDispose]() {
      await app.leave(0);
      await agent[Symbol.asyncDispose]();
      await Deno.remove(state, { recursive: true });
    },
  };
}
