/**
 * Whether the tools of a directory may be offered and run.
 *
 * @module
 */

import { loadTrust, rememberTrust, type TrustRecord } from "../config/trust_store.ts";
import type { ToolPermissions } from "../model/tool_manifest.ts";
import type { DirectoryDescription } from "./describe.ts";
import { isEmpty, isFullAccess, renderPermissions, widenedPermissions } from "./permissions.ts";
import { nameChanges, type ToolFiles } from "./tool_files.ts";
import type { ToolboxOptions, ToolDirectory, TrustRequest } from "./toolbox.ts";

/** A trusted directory: as what, and whether later edits are covered. */
export interface Trust {
  readonly record: TrustRecord;
  readonly coversEdits: boolean;
}

/** The answers of one run of the program, by resolved directory. */
export type RunTrust = Map<string, Trust>;

/** What the user would agree to now. */
export function recordOf(files: ToolFiles, described: DirectoryDescription): TrustRecord {
  return {
    digest: files.digest,
    files: files.seen,
    permissions: permissionsOf(described),
    since: new Date().toISOString(),
  };
}

/** The question about a directory; with what changed when `before` is known. */
export function trustRequest(
  files: ToolFiles,
  described: DirectoryDescription,
  before: TrustRecord | undefined,
): TrustRequest {
  const tools = [...described.files].flatMap(([file, { tools, permissions }]) =>
    tools.map(({ name }) => ({
      name,
      file,
      permissions,
      fullAccess: isFullAccess(permissions),
    }))
  );
  if (before === undefined) return { directory: files.root, tools };
  return { directory: files.root, tools, changes: changesSince(before, files, described) };
}

/** What is different from what was agreed to, one line each: files first, then permissions. */
export function changesSince(
  before: TrustRecord,
  files: ToolFiles,
  described: DirectoryDescription,
): string[] {
  const now = recordOf(files, described);
  const widened = Object.entries(widenedSince(before.permissions, now.permissions))
    .map(([name, more]) => `${name} now also asks for ${renderPermissions(more)}`);
  return [...nameChanges(before.files, now.files), ...widened];
}

/** The files that ask for more than was agreed to, with what. */
export function widenedSince(
  before: { readonly [name: string]: ToolPermissions },
  now: { readonly [name: string]: ToolPermissions },
): { [name: string]: ToolPermissions } {
  return Object.fromEntries(
    Object.entries(now)
      .map(([name, asked]) => [name, widenedPermissions(before[name] ?? {}, asked)] as const)
      .filter(([, more]) => !isEmpty(more)),
  );
}

/**
 * The trust in a directory as it is now: given by whose it is, by an earlier answer, or by asking.
 * `undefined` when there is none.
 */
export async function settleTrust(
  directory: ToolDirectory,
  files: ToolFiles,
  described: DirectoryDescription,
  options: ToolboxOptions,
  trustOfRun: RunTrust,
): Promise<Trust | undefined> {
  const record = recordOf(files, described);
  if (directory.origin === "user" || options.trustAll === true) {
    return { record, coversEdits: true };
  }
  const ofRun = trustOfRun.get(files.root);
  if (ofRun !== undefined && isCovered(ofRun, record)) return ofRun;
  const remembered = (await loadTrust(options.trustFile))[files.root];
  if (remembered !== undefined) {
    const trust = { record: remembered, coversEdits: false };
    if (isCovered(trust, record)) return trust;
  }
  if (options.askTrust === undefined) return undefined;
  const before = ofRun?.record ?? remembered;
  const answer = await options.askTrust(trustRequest(files, described, before));
  if (answer === "no") return undefined;
  const trust = { record, coversEdits: answer === "session_edits" };
  trustOfRun.set(files.root, trust);
  if (answer !== "once") await rememberTrust(options.trustFile, files.root, record);
  return trust;
}

/** True when an earlier answer also holds for a directory that is now as `record` says. */
export function isCovered({ record: agreed, coversEdits }: Trust, record: TrustRecord): boolean {
  const isWider = Object.keys(widenedSince(agreed.permissions, record.permissions)).length > 0;
  return !isWider && (coversEdits || agreed.digest === record.digest);
}

function permissionsOf({ files }: DirectoryDescription): { [name: string]: ToolPermissions } {
  return Object.fromEntries([...files].map(([name, { permissions }]) => [name, permissions]));
}
