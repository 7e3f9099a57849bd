/**
 * What is wrong with schemas and permissions that only a process like a tool's can tell.
 *
 * @module
 */

import { messageOf } from "../../base/errors.ts";
import { compileArguments } from "./arguments.ts";
import type { HostStart, WorkerPermissions } from "./protocol.ts";

/** The problems by key; what is all right has none. */
export function findProblems({ schemas, grants }: HostStart): { [key: string]: string } {
  const problems: [key: string, problem: string][] = [];
  for (const [key, schema] of Object.entries(schemas)) {
    try {
      compileArguments(schema);
    } catch (error) {
      problems.push([key, messageOf(error)]);
    }
  }
  for (const [key, grant] of Object.entries(grants)) {
    const problem = problemOfGrant(grant);
    if (problem !== undefined) problems.push([key, `permissions: ${problem}`]);
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
