/**
 * Text of what a tool call gave, apart from its content.
 *
 * @module
 */

import { asString, isObject } from "../base/guards.ts";

/**
 * The text of a `rawOutput`, for calls that have no content: a string as it is, the output streams
 * of a command, else JSON.
 */
export function rawOutputText(rawOutput: unknown): string {
  if (typeof rawOutput === "string") return rawOutput;
  if (isObject(rawOutput)) {
    const streams = ["output", "stdout", "stderr", "error", "text", "message"]
      .flatMap((key) => asString(rawOutput[key]) || []);
    if (streams.length > 0) return streams.join("\n");
  }
  try {
    return JSON.stringify(rawOutput, null, 2) ?? "";
  } catch {
    return "(cannot be shown)";
  }
}
