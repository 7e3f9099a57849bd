/**
 * What a project's configuration file may do by itself, and what needs the user's word: the file
 * comes with the repository.
 *
 * @module
 */

import { PERMISSION_DEFAULTS } from "./choices.ts";
import type { ReadConfig } from "./read_config.ts";
import { type SettingKey, SETTINGS, type Settings } from "./settings.ts";

/** What a project's file asks for. */
export interface ProjectRequest {
  readonly file: string;
  /** Of exactly these keys and values: other ones are asked about anew. */
  readonly digest: string;
  readonly items: readonly {
    readonly key: SettingKey;
    /** From 1. */
    readonly line: number;
    /** The value as JSON, unsanitised. */
    readonly value: string;
  }[];
}

/** Parts the settings of a project's file into what counts at once and what needs confirmation. */
export async function splitProject(
  project: ReadConfig,
  user: Settings,
): Promise<{ readonly free: Settings; readonly request?: ProjectRequest }> {
  const free: Record<string, unknown> = {};
  const held: Partial<Record<SettingKey, unknown>> = {};
  for (const key of Object.keys(SETTINGS) as SettingKey[]) {
    const value = project.settings[key];
    if (value === undefined) continue;
    const parts = split(key, project.settings, user);
    if (parts.free !== undefined) free[key] = parts.free;
    if (parts.held !== undefined) held[key] = parts.held;
  }
  const keys = Object.keys(held) as SettingKey[];
  if (keys.length === 0) return { free };
  return {
    free,
    request: {
      file: project.file,
      digest: await digestOf(held),
      items: keys.map((key) => ({
        key,
        line: project.lineOf(key),
        value: JSON.stringify(held[key]),
      })),
    },
  };
}

function split(
  key: SettingKey,
  project: Settings,
  user: Settings,
): { readonly free?: unknown; readonly held?: unknown } {
  const value = project[key];
  if (SETTINGS[key].project === "free") return { free: value };
  if (key === "permissions") {
    const rank = (answer: Settings["permissions"]) => PERMISSION_DEFAULTS.indexOf(answer ?? "ask");
    return rank(project.permissions) > rank(user.permissions) ? { held: value } : { free: value };
  }
  if (key === "permissionRules") {
    const rules = project.permissionRules ?? [];
    const narrow = rules.filter((rule) => rule.action !== "allow");
    const wide = rules.filter((rule) => rule.action === "allow");
    return { free: narrow, ...(wide.length > 0 ? { held: wide } : {}) };
  }
  return JSON.stringify(value) === JSON.stringify(user[key]) ? { free: value } : { held: value };
}

async function digestOf(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
