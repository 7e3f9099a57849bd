/**
 * From a command to an agent with one open session.
 *
 * @module
 */

import { within } from "../base/clock.ts";
import { MmError } from "../base/errors.ts";
import type { JsonObject } from "../base/guards.ts";
import { fromAgentError } from "../client/errors.ts";
import { parsePermissionRequest } from "../client/permissions.ts";
import { setSessionModel } from "../client/sessions.ts";
import { splitCommandLine } from "../config/command_line.ts";
import { type AgentSpec, describeAgent } from "../model/agent_spec.ts";
import { chooseOption } from "../model/permission_rules.ts";
import { killAllProcesses } from "../process/supervised.ts";
import type { AnyToolDefinition } from "../toolbox/tool.ts";
import type { AcpClient } from "./acp_client.ts";
import { checkChoice } from "./choices.ts";
import { openClient } from "./client.ts";
import type {
  Client,
  ClientOptions,
  PermissionPolicy,
  PolicyDecision,
  Session,
} from "./contract.ts";
import { toolboxOpener } from "./given_tools.ts";
import { checkSessionDirectory } from "./session_opening.ts";
import { SingleSession } from "./single_session.ts";

/**
 * The choice in a permission request: an `optionId` that was offered, `null` to answer that it is
 * cancelled, `undefined` to reject it.
 *
 * ```ts
 * import type { JsonObject, PermissionChoice } from "@mm/repl";
 *
 * const onPermission = ({ toolCall, options }: JsonObject): PermissionChoice => {
 *   const { kind } = toolCall as { kind?: string };
 *   const choices = options as readonly { optionId: string; kind: string }[];
 *   if (kind !== "read") return undefined;
 *   return choices.find((choice) => choice.kind === "allow_once")?.optionId;
 * };
 * ```
 */
export type PermissionChoice = string | null | undefined;

/**
 * How to connect.
 *
 * ```ts
 * import { connect, type ConnectOptions } from "@mm/repl";
 *
 * const options: ConnectOptions = {
 *   cwd: "/tmp",
 *   onPermission: () => undefined, // reject whatever is asked
 *   tools: [{ name: "now", description: "The time.", handler: () => new Date().toJSON() }],
 *   promptTimeout: 60_000,
 * };
 * await using client = await connect({ kind: "demo" }, options);
 * ```
 */
export interface ConnectOptions extends
  Pick<
    ClientOptions,
    "discovery" | "facade" | "fs" | "onElicitation" | "signIn" | "tap" | "terminal"
  > {
  /** Directory of the session and of the agent's process, absolute. Default: our own. */
  readonly cwd?: string;
  /** MCP servers of the session, sent verbatim and in this order. Default `[]`, which is sent too. */
  readonly mcpServers?: readonly unknown[];
  /** `_meta` of `session/new`, opaque; absent when unset. */
  readonly sessionMeta?: JsonObject;
  /** `_meta` of the client capabilities in `initialize`, opaque; absent when unset. */
  readonly clientCapsMeta?: JsonObject;
  /**
   * Chosen once the session is open: with `session/set_config_option`, and where the agent refuses
   * that with `session/set_model`.
   */
  readonly model?: string;
  /** Set once the session is open. */
  readonly mode?: string;
  /** Added to the environment of an agent that is a process. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Decides every permission request by its raw params. Without it, and when it throws, requests are
   * rejected: with the option that rejects once, else always, else as cancelled.
   */
  readonly onPermission?: (params: JsonObject) => PermissionChoice | Promise<PermissionChoice>;
  /**
   * Receives the raw params of every `session/update`, in a turn or not, as they arrive. What it
   * throws is reported like any error that nobody catches.
   */
  readonly onUpdate?: (params: unknown) => void;
  /**
   * Tools that the model may call: definitions, each with its `name`, which run in this program; and
   * directories of tool files, relative to the program's own directory, which run in processes of
   * their own without asking for trust.
   */
  readonly tools?: readonly (string | AnyToolDefinition)[];
  /** Bound of each step of the setup, in milliseconds. Default 30,000. */
  readonly timeout?: number;
  /** How long `onPermission` may take before the request is rejected, in milliseconds. Default 30,000. */
  readonly permissionTimeout?: number;
  /** Bound of one turn in milliseconds; it is cancelled after that, and has failed. Default: none. */
  readonly promptTimeout?: number;
  /** Aborting ends the setup, or the client. */
  readonly signal?: AbortSignal;
}

/** Bound of each step of the setup. */
const SETUP_MS = 30_000;

/** Bound of an answer to a permission request. */
const PERMISSION_MS = 30_000;

/**
 * Starts an agent, or reaches one, and opens a session: `initialize`, `session/new`, then the mode
 * and the model where they are given.
 *
 * ```ts
 * import { connect } from "@mm/repl";
 *
 * await using client = await connect({ kind: "demo" }); // for mini-me: connect("mm -acp")
 * const result = await client.prompt("echo hello");
 * console.assert(result.ok && result.text === "hello");
 * ```
 *
 * @param agent a command line, split like a shell does but not run by one; its words; or how the
 * agent is reached otherwise
 * @throws {MmError} with its code, the failed step in `phase` (`initialize`, `session/new`, …) and
 * the agent's last stderr lines; nothing of the agent is left running then. `usage` for a command, a
 * directory or a tool that cannot be used at all, `not_supported` for a mode or a model that the agent
 * does not offer
 */
export async function connect(
  agent: string | readonly string[] | AgentSpec,
  options: ConnectOptions = {},
): Promise<AcpClient> {
  const {
    cwd = await Deno.realPath("."),
    env,
    mcpServers,
    mode,
    model,
    onPermission,
    onUpdate,
    permissionTimeout = PERMISSION_MS,
    promptTimeout,
    sessionMeta,
    timeout = SETUP_MS,
    tools = [],
    ...further
  } = options;
  const spec = withEnvironment(parseAgent(agent), env);
  await checkSessionDirectory(spec, cwd);
  const openToolbox = await toolboxOpener(tools);
  // Agents have process groups of their own: a program that ends without closing takes them along.
  addEventListener("unload", killAllProcesses);
  const client = await openClient({
    ...further,
    spec,
    cwd,
    openToolbox,
    timeoutMs: timeout,
    permissionPolicy: permissionPolicy(onPermission, permissionTimeout),
    ...(onUpdate === undefined ? {} : { onUpdate }),
  });
  try {
    const session = await client.newSession({ cwd, mcpServers, meta: sessionMeta });
    const { store } = session;
    if (mode !== undefined) await session.setMode(checkChoice("mode", mode, store.state.modes));
    if (model !== undefined) {
      const offered = checkChoice("model", model, store.state.models);
      await chooseModel(client, session, offered, timeout);
    }
    return new SingleSession(client, session, promptTimeout);
  } catch (error) {
    const stderr = client.stderr();
    await client.close();
    if (!further.signal?.aborted) throw withStderr(error, stderr);
    const what = `Connecting to "${describeAgent(spec)}" was interrupted`;
    throw new MmError("interrupted", what, { cause: error });
  }
}

function parseAgent(agent: string | readonly string[] | AgentSpec): AgentSpec {
  if (typeof agent !== "string" && "kind" in agent) return agent;
  const [command = "", ...args] = typeof agent === "string" ? splitCommandLine(agent) : agent;
  if (command !== "") return { kind: "process", command, args };
  throw new MmError("usage", "Cannot start an agent: the command is empty");
}

function withEnvironment(spec: AgentSpec, env: ConnectOptions["env"]): AgentSpec {
  return spec.kind === "process" ? { ...spec, env: { ...spec.env, ...env } } : spec;
}

function permissionPolicy(
  decide: ConnectOptions["onPermission"],
  timeoutMs: number,
): PermissionPolicy {
  return async ({ params }) => {
    const reject = (reason: string): PolicyDecision => ({
      optionId: chooseOption(parsePermissionRequest(params).options, "deny")?.optionId ?? null,
      by: "nobody",
      reason,
    });
    if (decide === undefined) return reject("nobody could be asked");
    const answer = await within(Promise.resolve(decide(params)), timeoutMs);
    if (!answer.ok) return reject(`there was no answer within ${timeoutMs / 1_000} s`);
    if (answer.value === undefined) return reject("the program rejected it");
    return { optionId: answer.value, by: "rule", reason: "the program decided" };
  };
}

/** The newer way first; an agent that refuses it may know the older one. */
async function chooseModel(
  client: Client,
  session: Session,
  model: string,
  timeoutMs: number,
): Promise<void> {
  const { id, store } = session;
  const listed = store.state.configOptions.find(({ category }) => category === "model");
  try {
    return await session.setConfigOption(listed?.id ?? "model", model);
  } catch (error) {
    if (!(error instanceof MmError) || error.rpc === undefined) throw error;
  }
  try {
    await setSessionModel(client.connection, id, model, { timeoutMs });
  } catch (error) {
    const what = `Cannot choose the model ${model}`;
    throw fromAgentError(error, { what, method: "session/set_model" });
  }
  store.dispatch({ type: "model_changed", modelId: model });
}

/** The error with what the agent had to say, where that is not in it yet. */
function withStderr(error: unknown, stderr: string): unknown {
  if (!(error instanceof MmError) || error.stderr !== undefined || stderr === "") return error;
  const { code, message, hint, rpc, phase, cause } = error;
  return new MmError(code, message, { hint, rpc, phase, cause, stderr });
}
