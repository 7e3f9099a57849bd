/**
 * The door to the program.
 *
 * @module
 */

import { openClient } from "../api/mod.ts";
import { openToolbox } from "../toolbox/open_toolbox.ts";
import type { AppOptions } from "./options.ts";
import { Program, type ProgramParts } from "./program.ts";
import type { App } from "./view.ts";

/**
 * Starts a program. Returns at once; the agent is started in the background. Subscribe before the
 * next await to miss nothing, and call {@link App.leave} in the end.
 *
 * @param parts What tests replace.
 */
export function createApp(
  options: AppOptions,
  parts: ProgramParts = { openClient, openToolbox },
): App {
  return new Program(options, parts);
}
