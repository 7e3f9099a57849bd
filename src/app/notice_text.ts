/**
 * The words of notices.
 *
 * @module
 */

/** Parts of a detail, one below the other; absent and empty ones leave nothing. */
export function joinLines(...parts: readonly (string | undefined)[]): string {
  return parts.map((part) => part?.trimEnd()).filter((part) => part).join("\n");
}
