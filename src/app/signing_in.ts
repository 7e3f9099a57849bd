/**
 * Signing in to the agent, by the way that a person chooses, and out again.
 *
 * @module
 */

import type { Client } from "../api/contract.ts";
import { type SignIn, takesToken } from "../api/sign_in.ts";
import { within } from "../base/clock.ts";
import { MmError } from "../base/errors.ts";
import { asObject, isObject } from "../base/guards.ts";
import type { AuthMethod } from "../client/connection.ts";
import type { AgentSpec } from "../model/agent_spec.ts";
import type { NewQuestion, QuestionQueue } from "./questions.ts";
import type { LendTerminal, QuestionAnswer } from "./view.ts";

/** How long the agent may take before the person is told what is waited for, in milliseconds. */
const PATIENCE_MS = 1_000;

/** Bound of `logout`, in milliseconds. */
const LOGOUT_MS = 30_000;

/** What signing in needs. */
export interface SigningInOptions {
  readonly spec: AgentSpec;
  /** Directory that the agent starts in, absolute. */
  readonly cwd: string;
  readonly questions: QuestionQueue;
  /** Somebody can be asked. */
  readonly interactive: boolean;
  /** The front end's way to hand its terminal over; absent while it has none. */
  readonly lendTerminal: () => LendTerminal | undefined;
}

/** Who is signed in, as far as we know. */
export class SigningIn {
  readonly #options: SigningInOptions;
  #again: SignIn | undefined;

  constructor(options: SigningInOptions) {
    this.#options = options;
  }

  /** What the next connection to a remote agent signs in with: what the person gave before. */
  get again(): SignIn | undefined {
    return this.#again;
  }

  /** What was given before is wrong, or no longer wanted. */
  forget(): void {
    this.#again = undefined;
  }

  /** True when the agent offers a way and somebody is there to choose it. */
  isPossible(client: Client): boolean {
    return this.#options.interactive && client.initialized.authMethods.length > 0;
  }

  /**
   * Asks which of the agent's ways to take, and for what it needs, and signs in. False when the
   * person would not.
   *
   * @param named Id or name of a way, instead of the first question.
   * @throws {MmError} `not_supported`, or `auth` when the agent does not accept it.
   */
  async signIn(client: Client, named = ""): Promise<boolean> {
    const { spec, cwd, lendTerminal } = this.#options;
    const method = await this.#choose(client.initialized.authMethods, named);
    if (method === undefined) return false;
    const { signInOnTerminal, terminalCommand } = await import("./terminal_sign_in.ts");
    const command = terminalCommand(method, spec, cwd);
    if (command !== undefined) {
      const ask = (question: NewQuestion) => this.#ask(question);
      return await signInOnTerminal(method, command, ask, lendTerminal());
    }
    const how = await this.#complete(method);
    if (how === undefined || !await this.#send(client, method, how)) return false;
    this.#again = spec.kind === "remote" ? how : undefined;
    return true;
  }

  /**
   * Signs out.
   *
   * @throws {MmError} `not_supported` when the agent does not offer it; `RpcError` when it fails.
   */
  async signOut(client: Client): Promise<void> {
    if (!canSignOut(client)) {
      throw new MmError("not_supported", "Cannot sign out: the agent does not offer it", {
        hint: "Sign out with the agent's own program.",
      });
    }
    await client.request("logout", {}, { timeoutMs: LOGOUT_MS });
    this.forget();
  }

  async #choose(methods: readonly AuthMethod[], named: string): Promise<AuthMethod | undefined> {
    if (methods.length === 0) {
      throw new MmError("not_supported", "Cannot sign in: the agent offers no way to do it here", {
        hint: "Sign in with the agent's own program, then /restart.",
      });
    }
    if (named !== "") {
      const found = methods.find(({ id, name }) => id === named || name === named);
      if (found !== undefined) return found;
      throw new MmError(
        "not_supported",
        `Cannot sign in by ${named}: the agent does not offer it`,
        { hint: `It offers ${describeMethods(methods)}.` },
      );
    }
    const answer = await this.#ask({
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

  /** What is sent for a method; `undefined` when the person does not give what it takes. */
  async #complete(method: AuthMethod): Promise<SignIn | undefined> {
    const methodId = method.id;
    // A program of this machine has ways of its own to find what it needs.
    if (this.#options.spec.kind !== "remote" || !takesToken(method)) return { methodId };
    const answer = await this.#ask({
      kind: "secret",
      title: `The secret for "${method.name}"`,
      body: method.description === undefined ? [] : [method.description],
      options: [],
    });
    if (answer.type !== "text" || answer.text === "") return undefined;
    return { methodId, token: answer.text };
  }

  /** Sends it. Some agents answer only when a page in the browser has done its work. */
  async #send(client: Client, { name }: AuthMethod, how: SignIn): Promise<boolean> {
    const { questions } = this.#options;
    const abort = new AbortController();
    const signedIn = client.signIn(how, { signal: abort.signal }).then(() => true);
    if ((await within(signedIn, PATIENCE_MS)).ok) return true;
    const waiting = questions.open({
      kind: "choice",
      title: `The agent signs you in: ${name}`,
      body: ["It may have opened a page in the browser; this goes away when it is done."],
      options: [{ id: "stop", label: "Give up" }],
    });
    const gaveUp = waiting.answer.then(() => false);
    try {
      return await Promise.race([signedIn, gaveUp]);
    } finally {
      questions.withdraw(waiting.id);
      abort.abort();
      signedIn.catch(() => {});
    }
  }

  #ask(question: NewQuestion): Promise<QuestionAnswer> {
    return this.#options.questions.ask(question);
  }
}

/** True when the agent offers to sign out. */
function canSignOut({ initialized }: Client): boolean {
  return isObject(asObject(initialized.capabilities.auth).logout);
}

/** The ways to sign in, e.g. `login (Sign in), key (API key)`. */
export function describeMethods(methods: readonly AuthMethod[]): string {
  return methods.map(({ id, name }) => name === id ? id : `${id} (${name})`).join(", ");
}
