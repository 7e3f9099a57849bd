/**
 * The call of a handler, wherever it runs.
 *
 * @module
 */

import type { JsonObject } from "../../base/guards.ts";
import type { ToolResult } from "../../model/tool_manifest.ts";
import type { ToolContext } from "../tool.ts";
import { answerOf, answerOfError, failure, inWordsOfTools } from "./answers.ts";
import { applyStandardSchema, InvalidArguments } from "./definitions.ts";

/** What is called. */
export interface HandlerCall {
  /** Name of the tool, for the text of answers. */
  readonly tool: string;
  /** The definition as its author wrote it; absent when it is gone. */
  readonly source: JsonObject | undefined;
  /** Checked against the JSON Schema already. */
  readonly args: JsonObject;
  readonly context: ToolContext;
}

/** Runs a handler and turns what it returns or throws into the answer. Never rejects. */
export async function runHandler(call: HandlerCall): Promise<ToolResult> {
  const { tool, source, context } = call;
  try {
    if (typeof source?.handler !== "function") throw new Error("it is no longer in its file");
    const args = await applyStandardSchema(source.inputSchema, call.args);
    return answerOf(tool, await source.handler(args, context));
  } catch (error) {
    if (error instanceof InvalidArguments) return failure(wrongArguments(tool, error.message));
    if (error instanceof Error && error.stack !== undefined) {
      context.log(inWordsOfTools(error.stack));
    }
    return answerOfError(tool, error);
  }
}

/** The text of the answer to a call whose arguments are wrong. */
export function wrongArguments(tool: string, reason: string): string {
  return `${tool} was not called, its arguments are wrong: ${reason}`;
}
