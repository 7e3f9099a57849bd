/**
 * What the model reads of a client tool's answer.
 *
 * @module
 */

import { RequestError } from "@agentclientprotocol/sdk";
import { messageOf } from "../base/errors.ts";
import { asString, isObject } from "../base/guards.ts";

/** The text of a result and whether the call failed. */
export interface ResultText {
  readonly text: string;
  readonly failed: boolean;
}

/** Reads either of the two shapes of an answer: a content list, or any other JSON value. */
export function readResult(result: unknown): ResultText {
  if (!isObject(result) || !Array.isArray(result.content)) {
    return { text: asString(result) ?? JSON.stringify(result ?? null), failed: false };
  }
  const text = result.content.map(blockText).join("");
  return result.isError === true ? toolError(text) : { text, failed: false };
}

function blockText(block: unknown): string {
  const { type, text } = isObject(block) ? block : {};
  if (type === "text") return asString(text) ?? "";
  return `[client tool: non-text content of type ${asString(type) ?? ""} skipped]`;
}

/** Reads what a request was refused with; a JSON-RPC error is given as its JSON text. */
export function readError(error: unknown): ResultText {
  if (!(error instanceof RequestError)) return toolError(messageOf(error));
  const { code, message, data } = error;
  return toolError(JSON.stringify({ code, message, data }));
}

/** A failed call. */
export function toolError(text: string): ResultText {
  return { text: `[client tool error: ${text}]`, failed: true };
}

/**
 * Cuts a text to `limit` characters (code points): its head, a mark that counts what is missing,
 * and its tail. Where not even the mark fits, head and tail alone.
 */
export function cutOutput(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const characters = [...text];
  if (characters.length <= limit) return text;
  const widest = `\n[... ${characters.length} characters cut ...]\n`;
  const room = limit > widest.length * 2 ? limit - widest.length : limit;
  const head = characters.slice(0, Math.ceil(room / 2)).join("");
  const tail = characters.slice(characters.length - Math.floor(room / 2)).join("");
  const mark = room === limit ? "" : `\n[... ${characters.length - room} characters cut ...]\n`;
  return head + mark + tail;
}
