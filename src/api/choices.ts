/**
 * What a session can be set to, held against what the agent offers.
 *
 * @module
 */

import { MmError } from "../base/errors.ts";
import type { Choice } from "../model/session.ts";

/**
 * Gives `id` back when it is offered, or when the agent does not say what it offers.
 *
 * @throws {MmError} `not_supported`, with what there is instead
 */
export function checkChoice(
  what: "mode" | "model",
  id: string,
  choice: Choice | undefined,
): string {
  const ids = choice?.available.map((candidate) => candidate.id) ?? [];
  if (ids.length === 0 || ids.includes(id)) return id;
  throw new MmError("not_supported", `Cannot choose ${what} ${id}: the agent does not offer it`, {
    hint: offered("It offers", ids),
  });
}

/** A sentence that lists what there is. */
export function offered(start: string, ids: readonly string[]): string {
  return ids.length === 0 ? "It offers none." : `${start} ${ids.join(", ")}.`;
}
