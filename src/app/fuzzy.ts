/**
 * Fuzzy matching of names.
 *
 * @module
 */

/**
 * How well `typed` fits `name`: higher is better, `undefined` when its characters do not occur in
 * order. Runs, starts of words and of the last path segment count more. Case does not matter.
 */
export function fuzzyScore(typed: string, name: string): number | undefined {
  const pattern = typed.toLowerCase();
  const text = name.toLowerCase();
  if (pattern === "") return -text.length / 100;
  const whole = text.lastIndexOf(pattern);
  if (whole !== -1) {
    const start = whole === 0 || /[\s/._-]/u.test(text[whole - 1] ?? "");
    const inLast = whole > text.lastIndexOf("/", text.length - 2);
    return 1_000 + (start ? 200 : 0) + (inLast ? 100 : 0) - text.length / 100;
  }
  let score = 0;
  let at = -1;
  for (const character of pattern) {
    const next = text.indexOf(character, at + 1);
    if (next === -1) return undefined;
    if (next === at + 1) score += 5;
    else if (/[\s/._-]/u.test(text[next - 1] ?? "/")) score += 3;
    at = next;
  }
  return score - text.length / 100;
}

/** The names that fit, best first, at most `limit`. */
export function fuzzyFilter(
  typed: string,
  names: Iterable<string>,
  limit: number,
): readonly string[] {
  const found: { readonly name: string; readonly score: number }[] = [];
  for (const name of names) {
    const score = fuzzyScore(typed, name);
    if (score !== undefined) found.push({ name, score });
  }
  return found
    .sort((a, b) => b.score - a.score || a.name.localeCompare(b.name))
    .slice(0, limit)
    .map(({ name }) => name);
}
