/**
 * The tools that a command line is about.
 *
 * @module
 */

import { trustFile } from "../config/paths.ts";
import type { ToolboxOptions } from "../toolbox/toolbox.ts";
import type { Setup } from "./app_options.ts";
import { toolDirectories } from "./tool_directories.ts";
import type { Values } from "./values.ts";

/** How to open the tools; with a terminal the trust question is asked. */
export function toolboxOptions(
  setup: Setup,
  values: Values,
  { signal, askTrust }: Pick<ToolboxOptions, "signal" | "askTrust">,
): ToolboxOptions {
  return {
    cwd: setup.cwd,
    directories: toolDirectories(setup, values)(setup.cwd),
    trustAll: values.has("trust-tools"),
    cacheDir: setup.paths.cacheDir,
    trustFile: trustFile(setup.paths),
    ...(signal === undefined ? {} : { signal }),
    ...(askTrust !== undefined && Deno.stdin.isTerminal() ? { askTrust } : {}),
  };
}
