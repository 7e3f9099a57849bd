/**
 * Why a remote agent cannot be reached, in words.
 *
 * @module
 */

import { type ErrorCode, messageOf, MmError } from "../base/errors.ts";
import { isObject } from "../base/guards.ts";
import { sanitizeLine } from "../base/sanitize.ts";

/** What went wrong, and what to do about it. */
interface Explanation {
  readonly why: string;
  readonly hint: string;
  readonly code?: ErrorCode;
}

const CHECK_TOKEN = "Check the token or headers given for this agent.";
const CHECK_URL = "Check the URL, its path too.";
const TRY_LATER = "Try again later, or ask whoever runs the server.";
const NOT_ACP: Explanation = { why: "it does not speak ACP", hint: CHECK_URL };

/** What the statuses of HTTP mean here. */
const STATUSES: Readonly<Record<number, Explanation>> = {
  200: NOT_ACP,
  401: { why: "the server does not accept the credentials", hint: CHECK_TOKEN, code: "auth" },
  403: { why: "the server refuses access", hint: CHECK_TOKEN, code: "auth" },
  404: { why: "the server knows no agent or connection at this address", hint: CHECK_URL },
  405: NOT_ACP,
  409: {
    why: "the session is in use by another connection",
    hint: "Close it there, or resume the session here.",
  },
  410: { why: "the connection has expired on the server", hint: "Connect again." },
  429: { why: "the server takes no more requests for now", hint: TRY_LATER },
  502: { why: "the gateway cannot reach the agent", hint: TRY_LATER },
  503: { why: "the server is not available", hint: TRY_LATER },
  504: { why: "the gateway got no answer from the agent", hint: TRY_LATER },
};

/** What the texts of network errors mean, first match. */
const NETWORK: readonly (readonly [RegExp, string, string])[] = [
  [
    /certificate|UnknownIssuer|NotValidForName/i,
    "its TLS certificate is not accepted",
    "For an authority of your own name its certificate in DENO_CERT.",
  ],
  [
    /corrupt message|InvalidContentType|tls|handshake/i,
    "it does not speak TLS as it should",
    "For a server without TLS use http:// or ws://.",
  ],
  [/SSE stream closed/, "the server closed the connection", "It may be restarting: connect again."],
  [/dns error|lookup/i, "the host is not known", "Check the name of the host."],
  [/tcp connect|refused|unreachable/i, "the server does not take connections", CHECK_URL],
];

/** The sentence part for a status, with the status. */
export function describeStatus(status: number): string {
  return `${explainStatus(status).why} (HTTP ${status})`;
}

function explainStatus(status: number): Explanation {
  const row = STATUSES[status];
  if (row !== undefined) return row;
  if (status >= 300 && status < 400) {
    return { why: "it answers with a redirect that is not followed", hint: CHECK_URL };
  }
  return status >= 500
    ? { why: "the server failed", hint: TRY_LATER }
    : { why: "the server refuses the request", hint: CHECK_URL };
}

/** What {@link explainRemote} tells. */
export interface RemoteFailure {
  /** A sentence part: why. */
  readonly reason: string;
  readonly error: MmError;
}

/**
 * Explains an error of the network, of HTTP or of the protocol library.
 *
 * @param name the address, without secrets
 * @param established whether the agent had already answered
 */
export function explainRemote(name: string, error: unknown, established: boolean): RemoteFailure {
  if (error instanceof MmError) return { reason: causeIn(error.message), error };
  const { reason, hint, code } = explain(error);
  const what = established ? `Lost the agent at ${name}` : `Cannot connect to ${name}`;
  const options = { hint, cause: error };
  const fallback = established ? "agent_died" : "handshake";
  return { reason, error: new MmError(code ?? fallback, `${what}: ${reason}`, options) };
}

function explain(error: unknown): { reason: string; hint: string; code?: ErrorCode } {
  const status = statusOf(error);
  if (status !== undefined) {
    const { hint, code } = explainStatus(status);
    return { reason: describeStatus(status) + bodyOf(error), hint, code };
  }
  const text = networkText(error);
  if (error instanceof SyntaxError || /^ACP initialize response/.test(text)) {
    return { reason: NOT_ACP.why, hint: NOT_ACP.hint };
  }
  for (const [pattern, why, hint] of NETWORK) {
    if (!pattern.test(text)) continue;
    // The protocol library's own words say nothing more.
    return { reason: text.startsWith("ACP ") ? why : `${why} (${shortened(text)})`, hint };
  }
  return { reason: shortened(text), hint: TRY_LATER };
}

/** The HTTP status that the protocol library, or Deno's WebSocket, puts into its error. */
function statusOf(error: unknown): number | undefined {
  if (isObject(error) && typeof error.status === "number") return error.status;
  const status = /Invalid status code: (\d{3})/.exec(messageOf(error))?.[1];
  return status === undefined ? undefined : Number(status);
}

/** What the server says itself, unless it is a page. */
function bodyOf(error: unknown): string {
  const body = isObject(error) && typeof error.body === "string" ? error.body.trim() : "";
  return body === "" || body.startsWith("<") ? "" : `: ${shortened(body)}`;
}

/** Deno puts what really happened into the cause, behind the URL. */
function networkText(error: unknown): string {
  const inner = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return messageOf(inner)
    .replace(/^error sending request for url \(.*?\): /, "")
    .replace(/^client error \(Connect\): /, "")
    .replace(/^failed to connect to WebSocket: |^NetworkError: /g, "");
}

function shortened(text: string): string {
  const line = sanitizeLine(text);
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

function causeIn(message: string): string {
  const at = message.indexOf(": ");
  return at < 0 ? message : message.slice(at + 2);
}
