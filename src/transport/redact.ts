/**
 * Secrets out of what is written to a trace.
 *
 * @module
 */

import { isObject } from "../base/guards.ts";
import { isSecretName } from "../model/secret_arguments.ts";

/** Members whose values are all secret: environments and HTTP headers. */
const SECRET_MAP = /^(?:env|environment|headers)$/i;
const HIDDEN = "***";

/** A copy of a JSON value without the strings that are secret by the name of what holds them. */
export function redact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redact);
  if (!isObject(value)) return typeof value === "string" ? redactText(value) : value;
  // A pair such as an entry of an `env` list: {"name": "API_KEY", "value": "…"}.
  const named = typeof value.name === "string" && isSecretName(value.name);
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (SECRET_MAP.test(key)) copy[key] = hideValues(member);
    else if (isSecretName(key) || (named && key === "value")) copy[key] = hide(member);
    else copy[key] = redact(member);
  }
  return copy;
}

/** Text without bearer tokens and without the values of assignments to secret names. */
export function redactText(text: string): string {
  return text
    .replace(/\b(bearer\s+)[\w.~+/=-]{8,}/gi, `$1${HIDDEN}`)
    .replace(
      /\b([\w-]*(?:token|secret|password|passwd|api[-_]?key)"?\s*[=:]\s*"?)[^\s"']{4,}/gi,
      `$1${HIDDEN}`,
    );
}

/** Hides every string in a value; numbers, such as counts of tokens, stay. */
function hide(value: unknown): unknown {
  if (typeof value === "string") return value === "" ? value : HIDDEN;
  if (Array.isArray(value)) return value.map(hide);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, hide(member)]));
}

/** Hides the values of a map, or of a list of name and value pairs. */
function hideValues(value: unknown): unknown {
  if (!Array.isArray(value)) return hide(value);
  return value.map((pair) =>
    isObject(pair) && "name" in pair ? { ...pair, value: hide(pair.value) } : hide(pair)
  );
}
