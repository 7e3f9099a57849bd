/**
 * The secrets of an agent: looked up late, and kept in memory only.
 *
 * @module
 */

import type { SignIn } from "../api/mod.ts";
import type { ResolvedAgent } from "../config/agents.ts";
import { placeSecrets, resolveSecrets } from "../config/secrets.ts";
import type { AgentSpec } from "../model/agent_spec.ts";
import type { Values } from "./values.ts";

/** What an agent is reached with. */
export interface AgentSecrets {
  /** With the values of headers in place of their placeholders. */
  readonly spec: AgentSpec;
  /** Absent when no token is given. */
  readonly signIn?: SignIn;
}

/**
 * Looks up the headers and the token of an agent; those of flags start at the current directory.
 *
 * @param base directory that files named in the configuration start at, absolute
 * @throws {MmError} `config`
 */
export async function revealSecrets(
  { spec, setting }: ResolvedAgent,
  values: Values,
  base: string,
): Promise<AgentSecrets> {
  const given = values.text("token");
  const text = given === undefined ? setting.token : placeSecrets(given, Deno.cwd());
  const token = text === undefined ? undefined : await resolveSecrets(text, "the token", { base });
  const methodId = setting.authMethod;
  const signIn = token === undefined && methodId === undefined ? undefined : {
    ...(methodId === undefined ? {} : { methodId }),
    ...(token === undefined ? {} : { token }),
  };
  if (spec.kind !== "remote" || spec.headers === undefined) return { spec, signIn };
  const headers = await Promise.all(
    Object.entries(spec.headers).map(async ([name, value]) =>
      [name, await resolveSecrets(value, `the header ${name}`, { base })] as const
    ),
  );
  return { spec: { ...spec, headers: Object.fromEntries(headers) }, signIn };
}
