/** @module */

import { fileURLToPath } from "node:url";
import { TOOL_MODULE } from "./host_command.ts";
import type { ToolFiles } from "./tool_files.ts";

/** What a process of a tool directory may read in any case: its own modules, and ours for it. */
export function readableBy({ readable }: ToolFiles): string[] {
  return TOOL_MODULE.protocol === "file:"
    ? [...readable, fileURLToPath(TOOL_MODULE)]
    : [...readable];
}
