/**
 * Signing in to the agent, with the person's choice of the way.
 *
 * @module
 */

import type { Client } from "../api/contract.ts";
import { type SignIn, takesToken } from "../api/sign_in.ts";
import { MmError } from "../base/errors.ts";
import type { AuthMethod } from "../client/connection.ts";
import type { Ask } from "./agent_setup.ts";

/**
 * Asks which of the agent's ways to take, and for the token where it wants one, and signs in. Gives
 * what was sent; `undefined` when the person would not.
 *
 * @param named Id or name of a way, instead of the first question.
 * @throws {MmError} `not_supported`, or `auth` when the agent does not accept it.
 */
export async function signInByQuestion(
  client: Client,
  ask: Ask,
  named = "",
): Promise<SignIn | undefined> {
  const method = await chooseMethod(client.initialized.authMethods, ask, named);
  if (method === undefined) return undefined;
  const how = await completeMethod(method, ask);
  if (how !== undefined) await client.signIn(how);
  return how;
}

/** What is sent for a method; `undefined` when the person does not give what it takes. */
async function completeMethod(method: AuthMethod, ask: Ask): Promise<SignIn | undefined> {
  const methodId = method.id;
  if (!takesToken(method)) return { methodId };
  const answer = await ask({
    kind: "secret",
    title: `The secret for "${method.name}"`,
    body: method.description === undefined ? [] : [method.description],
    options: [],
  });
  if (answer.type !== "text" || answer.text === "") return undefined;
  return { methodId, token: answer.text };
}

async function chooseMethod(
  methods: readonly AuthMethod[],
  ask: Ask,
  named: string,
): Promise<AuthMethod | undefined> {
  if (methods.length === 0) {
    throw new MmError("not_supported", "Cannot sign in: the agent offers no way to do it here", {
      hint: "Sign in with the agent's own program, then /restart.",
    });
  }
  if (named !== "") {
    const found = methods.find(({ id, name }) => id === named || name === named);
    if (found !== undefined) return found;
    throw new MmError("not_supported", `Cannot sign in by ${named}: the agent does not offer it`, {
      hint: `It offers ${describeMethods(methods)}.`,
    });
  }
  const answer = await ask({
    kind: "choice",
    title: "How do you want to sign in to the agent?",
    body: [],
    options: methods.map(({ id, name, description }) => ({
      id,
      label: name,
      ...(description === undefined ? {} : { hint: description }),
    })),
  });
  return answer.type === "option" ? methods.find(({ id }) => id === answer.id) : undefined;
}

/** The ways to sign in, e.g. `login (Sign in), key (API key)`. */
export function describeMethods(methods: readonly AuthMethod[]): string {
  return methods.map(({ id, name }) => name === id ? id : `${id} (${name})`).join(", ");
}
