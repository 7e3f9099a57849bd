/**
 * How an agent is reached.
 *
 * @module
 */

/** An agent that is a child process speaking ACP on stdio. */
export interface ProcessAgentSpec {
  readonly kind: "process";
  /** Program, found on the PATH when it has no slash. Never run through a shell. */
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the inherited environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The embedded reference agent, run in this process. */
export interface DemoAgentSpec {
  readonly kind: "demo";
}

/** An agent behind HTTP (streamable: POST and SSE) or a WebSocket. */
export interface RemoteAgentSpec {
  readonly kind: "remote";
  /** `http(s)://…` or `ws(s)://…`. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How an agent is reached: the union that everything that starts one takes. */
export type AgentSpec = ProcessAgentSpec | DemoAgentSpec | RemoteAgentSpec;

/**
 * One line that names the agent for people: its command line, `demo` or its URL without what may be
 * secret (user, password, query).
 */
export function describeAgent(spec: AgentSpec): string {
  switch (spec.kind) {
    case "process":
      return [spec.command, ...spec.args].join(" ");
    case "demo":
      return "demo";
    case "remote":
      return withoutSecrets(spec.url);
  }
}

/** Where a remote agent is, with its port; `undefined` for one on this machine. */
export function remoteHost(spec: AgentSpec): string | undefined {
  return spec.kind === "remote" ? URL.parse(spec.url)?.host ?? spec.url : undefined;
}

function withoutSecrets(text: string): string {
  const url = URL.parse(text);
  return url === null ? text : `${url.protocol}//${url.host}${url.pathname}`;
}
