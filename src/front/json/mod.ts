/**
 * Runs without a person: prompts in, text or JSON out.
 *
 * @module
 */

export { runPrompts, type RunPromptsOptions } from "./run_prompts.ts";
