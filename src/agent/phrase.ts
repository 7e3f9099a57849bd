/**
 * What a row of the table of phrases is.
 *
 * @module
 */

import type { StopReason } from "@agentclientprotocol/sdk";
import type { Turn } from "./turn.ts";

/** What a phrase is given. */
export interface Said {
  /** The text after the phrase, trimmed. For the fallback, the whole prompt. */
  readonly argument: string;
  /** A few words for everything in the prompt that is not text. */
  readonly attachments: readonly string[];
}

/** Something that a person can say to the reference agent. */
export interface Phrase {
  /** The first word of the prompt, in lower case. */
  readonly name: string;
  /** The phrase as a person types it, with its arguments. */
  readonly usage: string;
  /** What it shows, for `help`. */
  readonly shows: string;
  /** Offered as a slash command: the hint for its argument, empty when it takes none. */
  readonly command?: string;
  /** Answers. Without a stop reason the turn ends with `end_turn`. */
  run(turn: Turn, said: Said): Promise<StopReason | void>;
}

/** A fence around text that may itself contain fences. */
export function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}\n`;
}
