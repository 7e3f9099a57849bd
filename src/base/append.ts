/**
 * Adding many values to a list.
 *
 * @module
 */

/** Adds the values at the end; `push(...values)` overflows the stack with a hundred thousand. */
export function append<T>(list: T[], values: Iterable<T>): void {
  for (const value of values) list.push(value);
}
