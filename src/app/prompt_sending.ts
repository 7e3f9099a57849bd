/**
 * A prompt on its way to the agent.
 *
 * @module
 */

import type { Client } from "../api/contract.ts";
import type { JsonObject } from "../base/guards.ts";
import { isLoss } from "../base/acp_errors.ts";
import { toMmError } from "../base/errors.ts";
import type { TurnOutcome } from "../model/session.ts";
import type { Prompt } from "./attachments.ts";
import type { Severity } from "./commands/command.ts";
import type { Conversation } from "./conversation.ts";
import { loadPromptBlocks, promptCapabilities } from "./prompt_blocks.ts";
import { describeMethods, type SigningIn } from "./signing_in.ts";

/** What sending needs. */
export interface PromptSendingOptions {
  readonly client: Client;
  readonly signing: SigningIn;
  readonly allowOutside: (path: string) => Promise<boolean>;
  /** Adds a notice to the prompt's session. */
  readonly notice: (severity: Severity, text: string, detail?: string) => void;
}

/**
 * Sends a prompt with the files that it mentions, and waits for the end of its turn; `undefined` when
 * the session has ended before anything was sent. Where the agent wants a person to sign in first and
 * has done nothing else, it is sent once more after that.
 */
export async function sendPrompt(
  conversation: Conversation,
  prompt: Prompt,
  options: PromptSendingOptions,
): Promise<TurnOutcome | undefined> {
  const { client, notice } = options;
  const { store } = conversation;
  conversation.lastPrompt = prompt;
  const mentioned = await loadPromptBlocks(prompt.text, {
    cwd: store.state.cwd,
    capabilities: promptCapabilities(client.initialized.capabilities),
    allowOutside: options.allowOutside,
    notice: (line) => notice("info", line),
  });
  const blocks = [...mentioned, ...attachedBlocks(prompt, options)];
  const before = store.state.entries.length;
  const outcome = await send(conversation, blocks);
  if (outcome === undefined || outcome.ok || outcome.error.code !== "auth") return outcome;
  // It is not the agent that said so: the connection ended, and nobody can sign in over it.
  if (isLoss(outcome.error)) return outcome;
  if (!await signIn(options)) return outcome;
  const begun = [...store.state.entries].slice(before + 1).some(({ kind }) => kind !== "notice");
  if (begun) {
    notice("info", "The agent had begun to answer: /retry sends the prompt again");
    return outcome;
  }
  return await send(conversation, blocks);
}

async function send(
  { session }: Conversation,
  blocks: readonly JsonObject[],
): Promise<TurnOutcome | undefined> {
  const outcome = await session?.prompt(blocks);
  return outcome?.ok === false && outcome.unsent ? undefined : outcome;
}

/** What goes along; pictures stay behind where the agent takes none. */
function attachedBlocks(
  { attachments }: Prompt,
  { client, notice }: PromptSendingOptions,
): readonly JsonObject[] {
  const takesImages = promptCapabilities(client.initialized.capabilities).image === true;
  return attachments.flatMap((attachment) => {
    const blocks = attachment.blocks();
    if (takesImages || blocks.every(({ type }) => type !== "image")) return blocks;
    notice("warning", `The agent takes no pictures: ${attachment.label()} was left out`);
    return [];
  });
}

/** Whether a person has signed in because the agent wanted that. */
async function signIn({ client, signing, notice }: PromptSendingOptions): Promise<boolean> {
  const { authMethods } = client.initialized;
  if (!signing.isPossible(client)) {
    if (authMethods.length > 0) notice("info", `The agent offers: ${describeMethods(authMethods)}`);
    return false;
  }
  try {
    if (await signing.signIn(client)) return true;
    notice("info", "The prompt is kept: /login signs in, /retry sends it");
  } catch (error) {
    const { message, hint } = toMmError(error);
    notice("error", message, hint);
  }
  return false;
}
