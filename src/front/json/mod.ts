/**
 * Runs without a person: prompts in, text or JSON out.
 *
 * @module
 */

export { runPrompts, type RunPromptsOptions, writeFailedRun } from "./run_prompts.ts";
