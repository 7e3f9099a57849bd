/**
 * Follows the links in the paths of a permission request, before rules about files are tested.
 *
 * @module
 */

import { within } from "../base/clock.ts";
import { PathTooLong, realTarget } from "../client/confine.ts";
import { pathsToFollow } from "../model/permission_links.ts";
import type { PermissionRequest } from "../model/permission_request.ts";
import type { PermissionRule } from "../model/permission_rules.ts";

/** Paths that are followed, at most. */
const MOST = 2000;
/** How long that may take, in milliseconds: a file system may not answer at all. */
const PATIENCE_MS = 2000;

/**
 * The same request, with where its paths really lead; it is vague where that is not found out in time.
 * Never rejects.
 */
export async function followLinks(
  rules: readonly PermissionRule[],
  request: PermissionRequest,
): Promise<PermissionRequest> {
  const paths = pathsToFollow(rules, request);
  if (paths.length === 0) return request;
  const links = new Map<string, string>();
  let late = false;
  let long = false;
  const follow = async () => {
    for (const path of paths) {
      if (late) return;
      try {
        links.set(path, await realTarget(path));
      } catch (error) {
        if (error instanceof PathTooLong) long = true;
        // What else the system cannot open leads nowhere else than it says.
      }
    }
  };
  const followed = paths.length <= MOST && (await within(follow(), PATIENCE_MS)).ok;
  late = true;
  const vague = followed && !long ? {} : { vague: "it was not found out where its files are" };
  return { ...request, links, ...vague };
}
