/** @module */

import { choiceCommand } from "./choice.ts";

/** `/model [id]`. */
export const modelCommand = choiceCommand({
  name: "model",
  help: "Show the models of the agent, or choose one",
  choice: (host) => host.active.store.state.models,
  set: (session, id) => session.setModel(id),
});
