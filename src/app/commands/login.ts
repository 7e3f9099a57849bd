/** @module */

import type { Command } from "./command.ts";

/** `/login [method]`: signs in to the agent. */
export const loginCommand: Command = {
  name: "login",
  args: "[method]",
  help: "Sign in to the agent",
  atOnce: true,
  complete: (host) =>
    (host.client?.initialized.authMethods ?? []).map(({ id, name, description }) => ({
      insert: id,
      label: id,
      description: description ?? name,
    })),
  run: (args, host) => host.signIn(args),
};
