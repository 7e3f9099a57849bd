/**
 * Why a remote agent cannot be reached, or did not take a request, in words.
 *
 * @module
 */

import { type ErrorCode, messageOf, MmError } from "../base/errors.ts";
import { isObject } from "../base/guards.ts";
import { sanitizeLine } from "../base/sanitize.ts";
import { CONFLICT } from "./request_failure.ts";
import { SocketClosed } from "./remote_stream.ts";
import { SecretMask } from "./secret_mask.ts";

/** What went wrong, and what to do about it. */
export interface Explanation {
  readonly why: string;
  readonly hint: string;
  readonly code?: ErrorCode;
}

const CHECK_TOKEN = "Check the token or headers given for this agent.";
const CHECK_URL = "Check the URL, its path too.";
const TRY_LATER = "Try again later, or ask whoever runs the server.";
const CONNECT_AGAIN = "It may be restarting: connect again.";
const SEND_LESS = "Send less: fewer or smaller files.";
const NOT_ACP: Explanation = { why: "it does not speak ACP", hint: CHECK_URL };

const PROXY_CREDENTIALS: Explanation = {
  why: "the proxy wants credentials",
  hint: "Put them into its address: HTTPS_PROXY=http://user:password@proxy.",
};

/** What the statuses of HTTP mean here. */
const STATUSES: Readonly<Record<number, Explanation>> = {
  200: NOT_ACP,
  401: { why: "the server does not accept the credentials", hint: CHECK_TOKEN, code: "auth" },
  403: { why: "the server refuses access", hint: CHECK_TOKEN, code: "auth" },
  404: { why: "the server knows no agent or connection at this address", hint: CHECK_URL },
  405: { why: "the server takes no ACP messages at this address", hint: CHECK_URL },
  407: { ...PROXY_CREDENTIALS, code: "auth" },
  [CONFLICT]: {
    why: "the session is in use by another connection, or has to be opened again",
    hint: "The next prompt opens the session again, /reconnect does so now; " +
      "with -p use --resume.",
  },
  410: { why: "the connection has expired on the server", hint: "Connect again." },
  413: {
    why: "the message is too large for the server",
    hint: SEND_LESS,
  },
  426: {
    why: "the server takes no ACP over HTTP",
    hint: "Try the URL with wss:// or ws:// in front.",
  },
  429: { why: "the server takes no more requests for now", hint: TRY_LATER },
  502: { why: "the gateway cannot reach the agent", hint: TRY_LATER },
  503: { why: "the server is not available", hint: TRY_LATER },
  504: { why: "the gateway got no answer from the agent", hint: TRY_LATER },
};

/** What to do about a WebSocket that the server closes with a code. */
const CLOSES: Readonly<Record<number, Omit<Explanation, "why">>> = {
  1001: { hint: CONNECT_AGAIN },
  1008: { hint: CHECK_TOKEN },
  1009: { hint: SEND_LESS },
  1012: { hint: CONNECT_AGAIN },
  3000: { hint: CHECK_TOKEN, code: "auth" },
  3003: { hint: CHECK_TOKEN, code: "auth" },
  4401: { hint: CHECK_TOKEN, code: "auth" },
  4403: { hint: CHECK_TOKEN, code: "auth" },
};

const UNKNOWN_HOST = "the host is not known";
const NO_LISTENER = "the server does not take connections";
/** What the network says when it comes to nobody. */
const UNREACHED: ReadonlySet<string> = new Set([UNKNOWN_HOST, NO_LISTENER]);

/** What the texts of network errors mean, first match. */
const NETWORK: readonly (readonly [RegExp, string, string])[] = [
  [/proxy authentication/i, PROXY_CREDENTIALS.why, PROXY_CREDENTIALS.hint],
  [
    /\b(?:proxy|tunnel)/i,
    "the proxy does not let the connection through",
    "Check HTTP_PROXY, HTTPS_PROXY and NO_PROXY.",
  ],
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
  [/SSE stream closed/, "the server closed the connection", CONNECT_AGAIN],
  [
    /\bport \d+ (?:is|are) blocked/i,
    "nothing may connect to this port over HTTP",
    "Give the server another port.",
  ],
  [/dns error|lookup/i, UNKNOWN_HOST, "Check the name of the host."],
  [/tcp connect|refused|unreachable/i, NO_LISTENER, CHECK_URL],
  [
    /connection closed|connection reset|broken pipe|unexpected e(?:nd|of)|reading a body/i,
    "the connection broke off",
    CONNECT_AGAIN,
  ],
  [
    /decod|decompress|invalid (?:gzip|deflate|brotli)/i,
    "its answer cannot be decompressed",
    TRY_LATER,
  ],
  [
    /invalid HTTP|parse/i,
    "it does not speak HTTP as it should",
    "Check the URL; with TLS it begins with https:// or wss://.",
  ],
];

/** What a status of HTTP means here. */
export function explainStatus(status: number): Explanation {
  const row = STATUSES[status];
  if (row !== undefined) return row;
  if (status >= 300 && status < 400) {
    return {
      why: "it answers with a redirect that is not followed",
      hint: "Give the address that it leads to as the URL if you trust it.",
    };
  }
  return status >= 500
    ? { why: "the server failed", hint: TRY_LATER }
    : { why: "the server refuses the request", hint: CHECK_URL };
}

/** The same in words, with what the server `said`. */
export function describeStatus(status: number, said: unknown): string {
  const text = `${explainStatus(status).why} (HTTP ${status})`;
  return typeof said === "string" && said !== "" ? `${text}: ${shortened(said)}` : text;
}

/** Whose connection failed, and when. */
export interface FailureContext {
  /** The address, without secrets. */
  readonly name: string;
  /** Whether the agent had already answered. */
  readonly established: boolean;
  readonly mask?: SecretMask;
  /** How long the server asked to wait when it last refused something, in milliseconds. */
  readonly retryAfterMs?: number;
  /** The environment variable that names the proxy in between. */
  readonly proxy?: string;
}

/** What {@link explainRemote} tells. */
export interface RemoteFailure {
  /** A sentence part: why. */
  readonly reason: string;
  readonly error: MmError;
}

/** Explains an error of the network, of HTTP or of the protocol library. */
export function explainRemote(error: unknown, context: FailureContext): RemoteFailure {
  const { name, established, mask = new SecretMask(), retryAfterMs } = context;
  if (error instanceof MmError) return { reason: causeIn(error.message), error };
  const { reason, hint, code } = explain(error, mask, context.proxy);
  const what = established ? `Lost the agent at ${name}` : `Cannot connect to ${name}`;
  const texts = new Set([messageOf(error), innerMessage(error)]);
  const cause = new Error(mask.text([...texts].join(": ")));
  const fallback = established ? "agent_died" : "handshake";
  const wait = statusOf(error) === undefined ? undefined : retryAfterMs;
  return {
    reason,
    error: new MmError(code ?? fallback, `${what}: ${reason}`, {
      hint,
      cause,
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
    }),
  };
}

function explain(
  error: unknown,
  mask: SecretMask,
  proxy: string | undefined,
): { reason: string; hint: string; code?: ErrorCode } {
  const status = statusOf(error);
  if (status !== undefined) {
    const { hint, code } = explainStatus(status);
    const said = isObject(error) && typeof error.body === "string" ? mask.text(error.body) : "";
    return { reason: describeStatus(status, said), hint, code };
  }
  const text = mask.text(networkText(error));
  if (error instanceof SocketClosed) {
    const close = CLOSES[error.code] ?? { hint: TRY_LATER };
    return { reason: shortened(text), ...close };
  }
  if (error instanceof SyntaxError || /^ACP initialize response/.test(text)) {
    return { reason: NOT_ACP.why, hint: NOT_ACP.hint };
  }
  for (const [pattern, why, hint] of NETWORK) {
    if (!pattern.test(text)) continue;
    // The protocol library's own words say nothing more.
    const reason = text.startsWith("ACP ") ? why : `${why} (${shortened(text)})`;
    // What is said of the server may be true of the proxy in between.
    if (proxy === undefined || !UNREACHED.has(why)) return { reason, hint };
    return { reason, hint: `${hint} It goes through the proxy of ${proxy}: check that, too.` };
  }
  return { reason: shortened(text), hint: TRY_LATER };
}

/** The HTTP status that the protocol library, or Deno's WebSocket, puts into its error. */
function statusOf(error: unknown): number | undefined {
  if (isObject(error) && typeof error.status === "number") return error.status;
  const status = /Invalid status code: (\d{3})/.exec(messageOf(error))?.[1];
  return status === undefined ? undefined : Number(status);
}

function innerMessage(error: unknown): string {
  const inner = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return messageOf(inner);
}

/** Deno puts what really happened into the cause, behind the URL and its own steps. */
function networkText(error: unknown): string {
  return innerMessage(error)
    .replace(/^error sending request (?:from \S+ )?for (?:url \(.*?\)|\S+)(?: \(\S+\))?: /, "")
    .replace(/^(?:client error \(\w+\): )+/, "")
    .replace(/^failed to connect to WebSocket: |^NetworkError: /g, "");
}

function shortened(text: string): string {
  const line = sanitizeLine(text);
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}

function causeIn(message: string): string {
  const at = message.indexOf(": ");
  return at < 0 ? message : message.slice(at + 2);
}
