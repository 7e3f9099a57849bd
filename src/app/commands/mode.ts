/** @module */

import { choiceCommand } from "./choice.ts";

/** `/mode [id]`. */
export const modeCommand = choiceCommand({
  name: "mode",
  help: "Show the modes of the agent, or choose one",
  choice: (host) => host.active.store.state.modes,
  set: (session, id) => session.setMode(id),
});
