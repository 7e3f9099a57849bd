/**
 * Turns what a handler returned or threw into the answer to its call.
 *
 * @module
 */

import { isObject } from "../../base/guards.ts";
import type { ToolResult, ToolResultBlock } from "../../model/tool_manifest.ts";

/** The largest answer, in bytes of JSON. */
export const ANSWER_LIMIT = 10 * 1024 * 1024;

/** A failed call with this text. */
export function failure(text: string): ToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

/** The answer for a returned value: see `ToolDefinition.handler`. Never throws. */
export function answerOf(tool: string, value: unknown): ToolResult {
  try {
    const result = shape(tool, value);
    const size = new TextEncoder().encode(JSON.stringify(result)).length;
    if (size <= ANSWER_LIMIT) return result;
    const megabytes = (size / 1024 / 1024).toFixed(1);
    return failure(
      `${tool} failed: its result has ${megabytes} MB and the limit is 10 MB; ask for less at a time`,
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    return failure(`${tool} failed: its result cannot be turned into JSON: ${reason}`);
  }
}

/** The answer for something thrown: its message, and which permission was missing if one was. */
export function answerOfError(tool: string, error: unknown): ToolResult {
  return failure(`${tool} failed: ${reasonOf(error)}`);
}

/** The message of something thrown; a refused permission is told in the words of a tool file. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return text(error);
  const message = error.message === "" ? error.name : error.message;
  return inWordsOfTools(message);
}

/** A refused permission in the words of a tool file, in place of a flag that nobody can give. */
export function inWordsOfTools(text: string): string {
  return text.replace(
    /, run again with the --allow-(\w+) flag/g,
    (_, kind) => `, which its "permissions" do not grant (${kind})`,
  );
}

function shape(tool: string, value: unknown): ToolResult {
  if (value === undefined) return { content: [{ type: "text", text: "" }] };
  if (typeof value === "string") return { content: [{ type: "text", text: value }] };
  if (isObject(value) && Array.isArray(value.content) && value.content.every(isBlock)) {
    return JSON.parse(JSON.stringify({ content: value.content, isError: value.isError === true }));
  }
  const json = JSON.stringify(value);
  if (json === undefined) {
    return failure(`${tool} failed: it returned a ${typeof value}, which cannot be sent`);
  }
  return { content: [{ type: "text", text: json }] };
}

/** True for a block of an answer. */
export function isBlock(value: unknown): value is ToolResultBlock {
  return isObject(value) && typeof value.type === "string" &&
    (value.type !== "text" || typeof value.text === "string");
}

function text(value: unknown): string {
  try {
    return typeof value === "string" ? value : JSON.stringify(value) ?? String(value);
  } catch {
    return "something that cannot be shown was thrown";
  }
}
