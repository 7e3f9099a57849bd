/**
 * Values that are nested deeper than anything sensible: code that walks a message would run out of
 * stack on them.
 *
 * @module
 */

/** True when objects and lists lie inside each other more than `levels` deep. */
export function isNestedDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isNestedDeeper(item, levels - 1));
  return Object.values(value).some((member) => isNestedDeeper(member, levels - 1));
}

/** A copy in which what lies deeper than `levels` is `null`. */
export function cutNesting(value: unknown, levels: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.map((item) => cutNesting(item, levels - 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, cutNesting(member, levels - 1)]),
  );
}
