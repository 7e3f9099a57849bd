/**
 * Which directories of tool scripts the user trusts, and as what they were when that was said.
 *
 * @module
 */

import { asObject, asString, isObject } from "../base/guards.ts";
import type { PermissionGrant, ToolPermissions } from "../model/tool_manifest.ts";
import { readState, updateState } from "./state_file.ts";

/** A directory as it was when the user agreed to it. */
export interface TrustRecord {
  /** Hexadecimal SHA-256 over all names and contents. */
  readonly digest: string;
  /** Hexadecimal SHA-256 of each file, by path below the directory. */
  readonly files: { readonly [name: string]: string };
  /** What each tool file may do, by path below the directory. */
  readonly permissions: { readonly [name: string]: ToolPermissions };
  /** ISO 8601. */
  readonly since: string;
}

/** The records by absolute directory, links resolved. */
export type TrustBook = { readonly [directory: string]: TrustRecord };

/** Every trusted directory. A missing or damaged store trusts none. */
export function loadTrust(path: string): Promise<TrustBook> {
  return readState(path, parseTrust, {});
}

/** Remembers that a directory is trusted as it is; replaces what was remembered of it. */
export async function rememberTrust(
  path: string,
  directory: string,
  record: TrustRecord,
): Promise<void> {
  await updateState(path, parseTrust, {}, (book) => ({ ...book, [directory]: record }));
}

/** A record that is not whole is left out: its directory is asked about again. */
function parseTrust(value: unknown): TrustBook | undefined {
  if (!isObject(value)) return undefined;
  const book: { [directory: string]: TrustRecord } = {};
  for (const [directory, raw] of Object.entries(value)) {
    const { digest, files, permissions, since } = asObject(raw);
    if (asString(digest) === undefined || !isObject(files) || !isObject(permissions)) continue;
    book[directory] = {
      digest: String(digest),
      files: Object.fromEntries(
        Object.entries(files).map(([name, hash]) => [name, String(hash)]),
      ),
      permissions: Object.fromEntries(
        Object.entries(permissions).map(([name, grants]) => [name, parseGrants(grants)]),
      ),
      since: asString(since) ?? "",
    };
  }
  return book;
}

function parseGrants(value: unknown): ToolPermissions {
  return Object.fromEntries(
    Object.entries(asObject(value)).filter((entry): entry is [string, PermissionGrant] =>
      isGrant(entry[1])
    ),
  );
}

function isGrant(value: unknown): value is PermissionGrant {
  return typeof value === "boolean" ||
    (Array.isArray(value) && value.every((entry) => typeof entry === "string"));
}
