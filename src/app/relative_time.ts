/**
 * Points in time as people say them.
 *
 * @module
 */

const UNITS: readonly (readonly [string, number])[] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/** Older times are said as a date, in milliseconds. */
const RECENT_MS = 30 * 86_400_000;

/**
 * How long ago an ISO 8601 time was, e.g. `3 minutes ago`; its date when that is more than a month,
 * and the text itself when it is no time.
 *
 * @param now milliseconds since the epoch
 */
export function relativeTime(text: string, now: number): string {
  const at = Date.parse(text);
  if (Number.isNaN(at)) return text;
  const past = now - at;
  if (past >= RECENT_MS) return new Date(at).toISOString().slice(0, 10);
  for (const [unit, ms] of UNITS) {
    const count = Math.floor(past / ms);
    if (count >= 1) return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
  }
  return "just now";
}
