/**
 * The door to the program.
 *
 * @module
 */

import { openClient } from "../api/client.ts";
import type { AppOptions } from "./options.ts";
import { Program } from "./program.ts";
import type { ProgramParts } from "./workings.ts";
import type { App } from "./view.ts";

/**
 * Starts a program. Returns at once; the agent is started in the background. Subscribe before the
 * next await to miss nothing, and call {@link App.leave} in the end.
 *
 * @param parts What tests replace.
 */
export function createApp(options: AppOptions, parts: ProgramParts = PARTS): App {
  return new Program(options, parts);
}

/** The toolbox is loaded beside the start of the agent, which takes longer. */
const PARTS: ProgramParts = {
  openClient(options) {
    const opening = openClient(options);
    if (options.openToolbox !== undefined) void loadToolbox();
    return opening;
  },
  openToolbox: async (options) => (await loadToolbox()).openToolbox(options),
};

function loadToolbox() {
  return import("../toolbox/open_toolbox.ts");
}
