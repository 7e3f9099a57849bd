/**
 * One prompt: finds the phrase, keeps the session's books, and lets the phrase answer.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import type { ContentBlock, StopReason } from "@agentclientprotocol/sdk";
import { findPhrase } from "./phrases.ts";
import type { Turn } from "./turn.ts";

/** Characters that make one token of the usage report, roughly. */
const CHARACTERS_PER_TOKEN = 4;
/** Tokens that the demo model claims to hold. */
const CONTEXT_SIZE = 128_000;

/** Answers a prompt. Rejects when the turn is cancelled, or with the JSON-RPC error to answer with. */
export async function runPrompt(
  turn: Turn,
  blocks: readonly ContentBlock[],
): Promise<StopReason> {
  const text = textOf(blocks);
  await open(turn, blocks, text);
  const attachments = blocks.filter((block) => block.type !== "text").map(describeBlock);
  const { phrase, argument } = findPhrase(text);
  if (turn.session.settings.thinking) {
    await turn.think(`This calls for \`${phrase.name}\`, and I know how that goes.`);
  }
  const stopReason = await phrase.run(turn, { argument, attachments }) ?? "end_turn";
  const used = Math.ceil(turn.session.characters / CHARACTERS_PER_TOKEN);
  await turn.update({ sessionUpdate: "usage_update", used, size: CONTEXT_SIZE });
  return stopReason;
}

async function open(turn: Turn, blocks: readonly ContentBlock[], text: string): Promise<void> {
  const { session } = turn;
  session.updatedAt = new Date().toISOString();
  session.characters += text.length;
  for (const content of blocks) {
    // The client knows what it sent; the history needs it for session/load.
    session.record({ sessionUpdate: "user_message_chunk", content });
  }
  if (session.title !== undefined) return;
  session.title = titleOf(text);
  const { title, updatedAt } = session;
  await turn.peer.update(session.id, { sessionUpdate: "session_info_update", title, updatedAt });
}

function titleOf(text: string): string {
  const line = [...(text.split("\n", 1)[0] ?? "")];
  if (line.length === 0) return "Untitled";
  return line.length > 60 ? `${line.slice(0, 59).join("")}…` : line.join("");
}

/**
 * The prompt as one text. A file that stands where it was mentioned stands in it as its path; one
 * that follows a text with the mention in it does not.
 */
function textOf(blocks: readonly ContentBlock[]): string {
  const words = blocks.map((block, index) => {
    const before = blocks[index - 1];
    if (block.type === "text") return before?.type === "text" ? `\n${block.text}` : block.text;
    if (before?.type !== "text" || !/(?:^|\s)$/.test(before.text)) return "";
    if (block.type === "resource_link") return pathOf(block.uri);
    return block.type === "resource" ? pathOf(block.resource.uri) : "";
  });
  return words.join("").trim();
}

function pathOf(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    return uri;
  }
}

function describeBlock(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return "text";
    case "image":
    case "audio":
      return `${block.type} (${block.mimeType})`;
    case "resource_link":
      return `link to ${block.uri}`;
    case "resource":
      return `contents of ${block.resource.uri}`;
  }
}
