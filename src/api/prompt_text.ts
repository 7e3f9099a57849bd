/**
 * A list of messages as the text of one prompt.
 *
 * @module
 */

/**
 * A message as chat models take them: content is text, or parts of which those with text count.
 *
 * ```ts
 * import type { ChatMessage } from "@mm/repl";
 *
 * const message: ChatMessage = { role: "user", content: "What is in this folder?" };
 * ```
 */
export interface ChatMessage {
  /** `user`, `assistant`, `system`, `tool` or whatever the framework says. */
  readonly role: string;
  /** Absent and `null` are no text. */
  readonly content?: string | null | readonly { readonly text?: string }[];
}

/**
 * The whole list as text: every message as `role: content`, and a last paragraph that quotes the
 * latest message and says that it supersedes the earlier ones. A session keeps what it was told, so
 * an agent would else take a list that it has mostly seen for a repetition, and answer an earlier
 * message again. An empty list is an empty text.
 *
 * ```ts
 * import { assemblePromptText } from "@mm/repl";
 *
 * const text = assemblePromptText([
 *   { role: "system", content: "Be brief." },
 *   { role: "user", content: "What is 2 + 2?" },
 * ]);
 * console.assert(text.startsWith("system: Be brief.\nuser: What is 2 + 2?\n"));
 * console.assert(text.includes('"What is 2 + 2?" supersedes'));
 * ```
 */
export function assemblePromptText(messages: readonly ChatMessage[]): string {
  const latest = messages.at(-1);
  if (latest === undefined) return "";
  const lines = messages.map((message) => `${message.role}: ${textOf(message)}`);
  return `${lines.join("\n")}\n\n${marker(textOf(latest))}`;
}

function marker(latest: string): string {
  return `(This is the whole conversation so far. The latest message "${latest}" supersedes all ` +
    "earlier ones: answer that one only, and take the others as its context.)";
}

function textOf({ content }: ChatMessage): string {
  if (typeof content === "string") return content;
  return (content ?? []).map(({ text }) => text ?? "").filter((text) => text !== "").join("\n");
}
