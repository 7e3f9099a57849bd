/**
 * What a session is opened with, as far as the agent can take it.
 *
 * @module
 */

import type { Client, SessionOptions } from "../api/contract.ts";
import { isObject } from "../base/guards.ts";
import { supports } from "../client/sessions.ts";
import { reachableMcpServers } from "../config/mcp_servers.ts";
import type { Conversation } from "./conversation.ts";
import type { AppOptions } from "./options.ts";

/** What a session is opened with, and what had to be left out. */
export interface SessionSetup {
  readonly options: SessionOptions;
  readonly warnings: readonly string[];
}

/** Leaves out what the agent did not say it can take. */
export function sessionSetup(
  { initialized }: Client,
  app: AppOptions,
  { store, directories }: Conversation,
  cwd: string,
): SessionSetup {
  const { servers, warnings } = reachableMcpServers(
    app.mcpServers.filter(isObject),
    initialized.capabilities,
  );
  const takes = supports(initialized, "additionalDirectories");
  return {
    options: {
      cwd,
      mcpServers: servers,
      store,
      ...(takes && directories.length > 0 ? { additionalDirectories: directories } : {}),
    },
    warnings: [
      ...warnings,
      ...(takes
        ? []
        : directories.map((directory) =>
          `The agent takes no further directories: ${directory} is left out`
        )),
    ],
  };
}
