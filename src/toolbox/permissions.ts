/**
 * The permissions of a tool file: as it declares them, as the user sees them, and as Deno enforces
 * them. One record serves for all three.
 *
 * @module
 */

import { isObject } from "../base/guards.ts";
import { didYouMean } from "../config/nearest.ts";
import type { PermissionGrant, ToolPermissions } from "../model/tool_manifest.ts";
import { dirname, resolve } from "node:path";
import type { WorkerPermissions } from "./host/protocol.ts";

/** The kinds, in the order in which they are shown. */
const KINDS = ["read", "write", "net", "env", "run", "sys", "ffi"] as const;

type Kind = typeof KINDS[number];

/** Kinds whose entries are paths. */
const PATH_KINDS: readonly Kind[] = ["read", "write", "ffi"];

/** The one host that modules may be fetched from besides npm: the registry of `jsr:` imports. */
const IMPORT_HOSTS = ["jsr.io:443"];

/** What a value declares: the permissions that can be read, and what is wrong with the others. */
export interface ParsedPermissions {
  readonly permissions: ToolPermissions;
  /** One line each. */
  readonly problems: readonly string[];
}

/** The permissions that a value declares; without a value none. */
export function parsePermissions(value: unknown): ParsedPermissions {
  if (value === undefined) return { permissions: {}, problems: [] };
  if (!isObject(value)) return { permissions: {}, problems: ["permissions is not an object"] };
  const problems: string[] = [];
  const permissions: { [kind in Kind]?: PermissionGrant } = {};
  for (const [key, grant] of Object.entries(value)) {
    const kind = KINDS.find((known) => known === key);
    if (kind === undefined) {
      const known = `permissions.${key} is not one of ${KINDS.join(", ")}`;
      problems.push(`${known}${didYouMean(key, KINDS)}`);
      continue;
    }
    if (!isGrant(grant)) {
      problems.push(`permissions.${key} is neither true, false nor a list of strings`);
      continue;
    }
    const badName = kind === "env" ? listOf(grant).find((entry) => entry.includes("=")) : undefined;
    if (badName !== undefined) {
      problems.push(`permissions.env: "${badName}" is no name of a variable`);
    } else if (grant === true || (Array.isArray(grant) && grant.length > 0)) {
      permissions[kind] = grant;
    }
  }
  return { permissions, problems };
}

/** What either grants. */
export function unitePermissions(a: ToolPermissions, b: ToolPermissions): ToolPermissions {
  const united: { [kind in Kind]?: PermissionGrant } = {};
  for (const kind of KINDS) {
    const [left, right] = [a[kind] ?? false, b[kind] ?? false];
    if (left === true || right === true) united[kind] = true;
    else if (left !== false || right !== false) {
      united[kind] = [...new Set([...listOf(left), ...listOf(right)])].sort();
    }
  }
  return united;
}

/** What `next` grants and `previous` does not. */
export function widenedPermissions(
  previous: ToolPermissions,
  next: ToolPermissions,
): ToolPermissions {
  const wider: { [kind in Kind]?: PermissionGrant } = {};
  for (const kind of KINDS) {
    const [before, after] = [previous[kind] ?? false, next[kind] ?? false];
    if (before === true || after === false) continue;
    if (after === true) {
      wider[kind] = true;
      continue;
    }
    const known = listOf(before);
    const added = after.filter((entry) => !known.includes(entry));
    if (added.length > 0) wider[kind] = added;
  }
  return wider;
}

/** True when nothing is granted. */
export function isEmpty(permissions: ToolPermissions): boolean {
  return KINDS.every((kind) => permissions[kind] === undefined || permissions[kind] === false);
}

/** True when the tool can do whatever the user can. */
export function isFullAccess(permissions: ToolPermissions): boolean {
  return [permissions.run, permissions.ffi].some((grant) =>
    grant === true || listOf(grant ?? false).length > 0
  );
}

/** One phrase, for example `read ., run git (full access)`; `no permissions` when there are none. */
export function renderPermissions(permissions: ToolPermissions): string {
  const parts = KINDS.flatMap((kind) => {
    const grant = permissions[kind] ?? false;
    if (grant === false) return [];
    return [`${kind} ${grant === true ? "everything" : grant.join(" ")}`];
  });
  if (parts.length === 0) return "no permissions";
  return parts.join(", ") + (isFullAccess(permissions) ? " (full access to this machine)" : "");
}

/** The record with relative paths made absolute against the session's directory. */
export function resolvePermissions(permissions: ToolPermissions, cwd: string): ToolPermissions {
  const resolved: { [kind in Kind]?: PermissionGrant } = {};
  for (const kind of KINDS) {
    const grant = permissions[kind] ?? false;
    if (grant === false) continue;
    resolved[kind] = grant === true ? true : grant.map((entry) => {
      const isPath = PATH_KINDS.includes(kind) || (kind === "run" && entry.includes("/"));
      return isPath ? resolve(cwd, entry) : entry;
    });
  }
  return resolved;
}

/**
 * The flags of `deno run` for a resolved record; `readable` can be read in any case. Never narrower
 * than the record, and wider only where the worker's permissions draw the line: for an entry with a
 * comma, and for `run`, without all of which the host cannot end what a tool has started.
 */
export function permissionFlags(
  permissions: ToolPermissions,
  readable: readonly string[],
): string[] {
  const all: ToolPermissions = {
    ...permissions,
    read: permissions.read === true || [...listOf(permissions.read ?? false), ...readable],
  };
  const flags = KINDS.flatMap((kind) => {
    const grant = all[kind] ?? false;
    const list = PATH_KINDS.includes(kind) ? listOf(grant).map(withoutComma) : listOf(grant);
    if (grant !== true && list.length === 0) return [];
    const isWhole = grant === true || kind === "run" || list.some((entry) => entry.includes(","));
    return [isWhole ? `--allow-${kind}` : `--allow-${kind}=${list.join(",")}`];
  });
  return [...flags, `--allow-import=${IMPORT_HOSTS.join(",")}`];
}

/** The permissions of the worker for a resolved record. */
export function workerPermissions(
  permissions: ToolPermissions,
  readable: readonly string[],
): WorkerPermissions {
  const grant = (kind: Kind) => permissions[kind] ?? false;
  return {
    read: grant("read") === true || [...listOf(grant("read")), ...readable],
    write: grant("write"),
    net: grant("net"),
    env: grant("env"),
    run: grant("run"),
    sys: grant("sys"),
    ffi: grant("ffi"),
    import: IMPORT_HOSTS,
  };
}

function isGrant(value: unknown): value is PermissionGrant {
  if (typeof value === "boolean") return true;
  return Array.isArray(value) &&
    // deno-lint-ignore no-control-regex
    value.every((entry) => typeof entry === "string" && /^[^\x00-\x1f]+$/.test(entry));
}

function listOf(grant: PermissionGrant): readonly string[] {
  return typeof grant === "boolean" ? [] : grant;
}

/**
 * Deno splits the values of flags at commas and has no way to escape one: such a path gives its
 * nearest directory without a comma, and the worker's permissions draw the exact line.
 */
function withoutComma(path: string): string {
  const [before = "", ...rest] = path.split(",");
  return rest.length === 0 ? path : dirname(`${before}x`);
}
