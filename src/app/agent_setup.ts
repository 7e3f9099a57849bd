/**
 * What the library is told when the agent is started.
 *
 * @module
 */

import type { ClientOptions } from "../api/contract.ts";
import { trustFile } from "../config/paths.ts";
import type { Toolbox, ToolboxOptions, TrustAnswer, TrustRequest } from "../toolbox/toolbox.ts";
import type { RunTrust } from "../toolbox/trust.ts";
import type { Elicitations } from "./elicitation.ts";
import type { AgentMemory } from "./memory.ts";
import type { AppOptions } from "./options.ts";
import type { Permissions } from "./permissions.ts";
import type { NewQuestion } from "./questions.ts";
import type { Trace } from "./trace.ts";
import type { QuestionAnswer } from "./view.ts";

/** Asks the person; dismissed at once when there is none. */
export type Ask = (question: NewQuestion) => Promise<QuestionAnswer>;

/** Opens the tools of a session's directory; the toolbox's `openToolbox`. */
export type OpenToolbox = (options: ToolboxOptions) => Promise<Toolbox>;

/** What the options come from. */
export interface AgentSetup {
  readonly options: AppOptions;
  readonly memory: AgentMemory;
  readonly openToolbox: OpenToolbox;
  /** The trust in tool directories that holds for this run. */
  readonly trustOfRun: RunTrust;
  readonly permissions: Permissions;
  readonly trace: Trace;
  readonly ask: Ask;
  readonly elicitations: Elicitations;
  readonly notice: (severity: "info", text: string) => void;
}

/** The options of a client for the program. Never rejects. */
export async function clientOptions(setup: AgentSetup): Promise<ClientOptions> {
  const { options, memory, permissions, elicitations, notice } = setup;
  const [remembered] = await Promise.all([memory.discovery(), permissions.memory.load()]);
  return {
    spec: options.spec,
    cwd: options.cwd,
    ...(options.agentCwd === undefined ? {} : { agentCwd: options.agentCwd }),
    ...(options.startAgent === undefined ? {} : { startAgent: options.startAgent }),
    ...(options.fs === undefined ? {} : { fs: options.fs }),
    ...(options.settings?.readLimit === undefined
      ? {}
      : { readLimit: Math.round(options.settings.readLimit * 1024 * 1024) }),
    ...(options.terminal === undefined ? {} : { terminal: options.terminal }),
    terminalAuth: options.interactive && options.spec.kind === "process",
    ...(options.signIn === undefined ? {} : { signIn: options.signIn }),
    discovery: options.discovery,
    ...(remembered === undefined ? {} : { rememberedDiscovery: remembered }),
    timeoutMs: options.timeoutMs,
    permissionPolicy: permissions.policy,
    // Without a directory no tools are offered at all.
    ...(options.toolDirectories(options.cwd).length === 0
      ? {}
      : { openToolbox: (cwd, toolsOf) => setup.openToolbox(toolboxOptions(setup, cwd, toolsOf)) }),
    onOutsideFile: (request) => permissions.admitOutsideFile(request),
    objection: (act) => permissions.objection(act),
    // Without a person it is not offered, and whoever asks all the same is declined.
    ...(options.interactive
      ? { onElicitation: (params, context) => elicitations.handle(params, context) }
      : {}),
    onDiscovery: (mode) => void memory.rememberDiscovery(mode),
    onAdvice: (text) => notice("info", text),
    tap: setup.trace,
  };
}

/** The tools of `toolsOf` in a session in `cwd`. Without a person untrusted directories are left out. */
function toolboxOptions(setup: AgentSetup, cwd: string, toolsOf = cwd): ToolboxOptions {
  const { options: { paths, toolDirectories, trustTools, interactive }, ask, notice } = setup;
  return {
    cwd,
    directories: toolDirectories(toolsOf),
    trustAll: trustTools,
    cacheDir: paths.cacheDir,
    trustFile: trustFile(paths),
    trustOfRun: setup.trustOfRun,
    onLong: (files) =>
      notice(
        "info",
        `Still finding out what ${
          files === 1 ? "a tool file offers" : `${files} tool files offer`
        }: ` +
          "each is loaded once, by itself",
      ),
    ...(interactive ? { askTrust: (request) => askTrust(ask, request) } : {}),
  };
}

async function askTrust(ask: Ask, request: TrustRequest): Promise<TrustAnswer> {
  const { trustAnswer, trustQuestion } = await import("./trust_question.ts");
  return trustAnswer(await ask(trustQuestion(request)));
}

/** Asks about a file outside the session's directory that a prompt mentions. */
export async function sendOutside(ask: Ask, path: string): Promise<boolean> {
  const answer = await ask({
    kind: "choice",
    title: "Send a file from outside the session's directory?",
    body: [path],
    options: [{ id: "yes", label: "Yes, this time" }, { id: "no", label: "No" }],
  });
  return answer.type === "option" && answer.id === "yes";
}
