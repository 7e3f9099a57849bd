/**
 * Which paths of a permission request have to be followed, so that rules can be held against the files
 * that would really be opened.
 *
 * @module
 */

import { anchorsOf } from "./permission_path.ts";
import type { PermissionRequest } from "./permission_request.ts";
import type { PermissionRule } from "./permission_rules.ts";
import { unitsOf } from "./permission_unit.ts";

/** Absolute paths; empty where no rule is about any. */
export function pathsToFollow(
  rules: readonly PermissionRule[],
  request: PermissionRequest,
): readonly string[] {
  const patterns = rules.flatMap(({ path }) => path ?? []);
  if (patterns.length === 0) return [];
  const named = unitsOf(request).flatMap(({ paths, mentioned, suspected }) => [
    ...paths,
    ...mentioned,
    ...suspected,
  ]);
  return [...new Set([...patterns.flatMap((one) => anchorsOf(one, request)), ...named])];
}
