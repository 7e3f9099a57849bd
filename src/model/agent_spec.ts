/**
 * How an agent is reached.
 *
 * @module
 */

import { hideArguments } from "./secret_arguments.ts";

/**
 * An agent that is a child process speaking ACP on stdio.
 *
 * ```ts
 * import type { ProcessAgentSpec } from "@mm/repl";
 *
 * const spec: ProcessAgentSpec = { kind: "process", command: "mm", args: ["-acp"] };
 * ```
 */
export interface ProcessAgentSpec {
  /** Tells it from the other ways. */
  readonly kind: "process";
  /** Program, found on the PATH when it has no slash. Never run through a shell. */
  readonly command: string;
  /** As they are. */
  readonly args: readonly string[];
  /** Added to the inherited environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * The embedded reference agent, run in this process.
 *
 * ```ts
 * import type { DemoAgentSpec } from "@mm/repl";
 *
 * const spec: DemoAgentSpec = { kind: "demo" };
 * ```
 */
export interface DemoAgentSpec {
  /** Tells it from the other ways. */
  readonly kind: "demo";
}

/**
 * An agent behind HTTP (streamable: POST and SSE) or a WebSocket.
 *
 * ```ts
 * import type { RemoteAgentSpec } from "@mm/repl";
 *
 * const spec: RemoteAgentSpec = { kind: "remote", url: "https://agent.example.org/acp" };
 * ```
 */
export interface RemoteAgentSpec {
  /** Tells it from the other ways. */
  readonly kind: "remote";
  /** `http(s)://…` or `ws(s)://…`. */
  readonly url: string;
  /** Sent with every request; never to another host. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * How an agent is reached: the union that everything that starts one takes.
 *
 * ```ts
 * import { type AgentSpec, connect } from "@mm/repl";
 *
 * const spec: AgentSpec = { kind: "demo" };
 * await using client = await connect(spec);
 * ```
 */
export type AgentSpec = ProcessAgentSpec | DemoAgentSpec | RemoteAgentSpec;

/**
 * One line that names the agent for people: its command line without tokens and passwords, `demo`, or
 * its URL without what may be secret (user, password, query).
 *
 * ```ts
 * import { describeAgent } from "@mm/repl";
 *
 * const spec = { kind: "remote", url: "https://user:secret@example.org/acp?key=1" } as const;
 * console.assert(describeAgent(spec) === "https://example.org/acp");
 * ```
 */
export function describeAgent(spec: AgentSpec): string {
  switch (spec.kind) {
    case "process":
      return [spec.command, ...hideArguments(spec.args)].join(" ");
    case "demo":
      return "demo";
    case "remote":
      return describeAddress(spec.url);
  }
}

/** Where a remote agent is, with its port; `undefined` for one on this machine. */
export function remoteHost(spec: AgentSpec): string | undefined {
  return spec.kind === "remote"
    ? URL.parse(spec.url)?.host ?? describeAddress(spec.url)
    : undefined;
}

/** An address without what may be secret in it. */
export function describeAddress(text: string): string {
  const url = URL.parse(text);
  if (url !== null && url.host !== "") return `${url.protocol}//${url.host}${url.pathname}`;
  // Where it is no address that can be read, what would be the user and the query goes all the same.
  return text.replace(/[?#].*$/s, "").replace(/^([a-z+.-]+:\/\/)?.*@/is, "$1");
}
