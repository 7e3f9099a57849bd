/**
 * What is wrong with schemas and permissions that only a process like a tool's can tell.
 *
 * @module
 */

import { messageOf } from "../../base/errors.ts";
import { compileArguments } from "./arguments.ts";
import type { HostStart, WorkerPermissions } from "./protocol.ts";

/** The problems by key; what is all right has none. */
export function findProblems({ schemas, grants }: HostStart): { [key: string]: string[] } {
  const problems = new Map<string, string[]>();
  const add = (key: string, problem: string) =>
    problems.set(key, [...problems.get(key) ?? [], problem]);
  for (const [key, schema] of Object.entries(schemas)) {
    try {
      compileArguments(schema);
    } catch (error) {
      add(key, messageOf(error));
    }
  }
  // Tools of one author ask for much the same, and each look takes a worker.
  const looked = new Map<string, string | undefined>();
  for (const [key, grant] of Object.entries(grants)) {
    const asked = JSON.stringify(grant);
    if (!looked.has(asked)) looked.set(asked, problemOfGrant(grant));
    const problem = looked.get(asked);
    if (problem !== undefined) add(key, `permissions: ${problem}`);
  }
  return Object.fromEntries(problems);
}

function problemOfGrant(permissions: WorkerPermissions): string | undefined {
  try {
    const options = { permissions: permissions as Deno.PermissionOptionsObject };
    new Worker("data:text/javascript,close()", { type: "module", deno: options }).terminate();
  } catch (error) {
    // What is right is more than this process has itself.
    return error instanceof Deno.errors.NotCapable ? undefined : messageOf(error).split("\n")[0];
  }
  return undefined;
}
