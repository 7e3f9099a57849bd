/**
 * What a server says besides the status when it does not take a request, as one line.
 *
 * @module
 */

import { asString, isObject } from "../base/guards.ts";
import { parseJson } from "../base/json.ts";
import { sanitizeLine } from "../base/sanitize.ts";
import type { SecretMask } from "./secret_mask.ts";

/** How much of an answer is read, in bytes. What a person sees of it is much less. */
const MAX_BYTES = 8 * 1024;
/** How long is waited for it, in milliseconds: nothing else is sent meanwhile. */
const READ_MS = 1_000;
/** Longest text that is quoted, in characters. */
const MAX_TEXT = 200;
/** Answers that cannot have a body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);
/** Where servers that answer in JSON put the reason, the likeliest first. */
const REASON_KEYS = ["message", "error", "detail", "error_description", "title", "reason"] as const;

/** The same answer with one line in place of its body, read in bounded time and size. */
export async function readRefusal(response: Response, mask: SecretMask): Promise<Response> {
  const said = summary(mask.text(await readSome(response)), response);
  const line = [said, direction(response, mask), patience(response)]
    .filter((part) => part !== "").join("; ");
  const { status, statusText, headers } = response;
  const body = line === "" || BODILESS.has(status) ? null : line;
  return new Response(body, { status, statusText, headers });
}

/** How long the server asks to wait, in milliseconds. */
export function retryAfter({ headers }: Response): number | undefined {
  const value = headers.get("retry-after")?.trim() ?? "";
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return ms > 0 ? ms : undefined;
}

async function readSome({ body }: Response): Promise<string> {
  if (body === null) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), READ_MS);
  try {
    while (size < MAX_BYTES) {
      const { value, done } = await reader.read();
      if (done) break;
      text += decoder.decode(value.subarray(0, MAX_BYTES - size), { stream: true });
      size += value.length;
    }
  } catch {
    // What came until then is all there is.
  } finally {
    clearTimeout(timer);
    void reader.cancel().catch(() => {});
  }
  return text;
}

/** What a body says in one line; of a page its title. */
function summary(body: string, { status, statusText }: Response): string {
  const text = reasonIn(parseJson(body)) ?? titleOf(body) ?? body;
  const line = sanitizeLine(text.slice(0, MAX_TEXT * 5).replace(/\s+/g, " ").trim());
  if ([statusText, `${status}`, `${status} ${statusText}`].includes(line)) return "";
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line;
}

function titleOf(body: string): string | undefined {
  if (!/<(?:!doctype|html|head|body)\b/i.test(body) && !body.trimStart().startsWith("<")) {
    return undefined;
  }
  const [, text = ""] = /<title[^>]*>([^<]*)/i.exec(body) ?? /<h1[^>]*>([^<]*)/i.exec(body) ?? [];
  return text;
}

function reasonIn(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!isObject(value)) return undefined;
  for (const key of REASON_KEYS) {
    const member = value[key];
    const found = asString(member) ?? (isObject(member) ? reasonIn(member) : undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Where a redirect that is not followed leads. */
function direction({ status, headers, url }: Response, mask: SecretMask): string {
  const location = headers.get("location");
  if (location === null || status < 300 || status >= 400) return "";
  const target = URL.parse(location, url);
  if (target === null) return "where it leads is no address";
  return sanitizeLine(mask.text(`it leads to ${target.origin}${target.pathname}`));
}

function patience(response: Response): string {
  const ms = retryAfter(response);
  return ms === undefined ? "" : `it asks to wait ${Math.ceil(ms / 1_000)} s`;
}
