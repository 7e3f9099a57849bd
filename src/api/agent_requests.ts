/**
 * What an agent may ask of us: files, terminals, client tools, permissions, forms.
 *
 * @module
 */

import { type FileOptions, registerFileReading, registerFileWriting } from "../client/files.ts";
import type { MethodRouter } from "../client/router.ts";
import type { Terminals } from "../client/terminals.ts";
import { offeredFiles, offersTerminals } from "./capabilities.ts";
import { registerClientTools } from "./client_tools.ts";
import type { ClientOptions } from "./contract.ts";
import type { PermissionDesk } from "./permission_desk.ts";
import type { KnownSession, SessionRegistry } from "./session_registry.ts";

/** Who answers. */
export interface AgentRequests<S extends KnownSession> {
  readonly options: ClientOptions;
  readonly registry: SessionRegistry<S>;
  readonly terminals: Terminals;
  readonly desk: PermissionDesk;
  /** Told of each list of tools that is given. */
  readonly onList: Parameters<typeof registerClientTools>[2];
}

/** Registers the handlers of all requests that are offered; the others do not exist. */
export function registerAgentRequests<S extends KnownSession>(
  router: MethodRouter,
  { options, registry, terminals, desk, onList }: AgentRequests<S>,
): void {
  const { onOutsideFile, onElicitation, objection } = options;
  const fs = offeredFiles(options);
  const files: FileOptions = {
    roots: (sessionId) => registry.find(sessionId)?.roots,
    ...(options.readLimit === undefined ? {} : { maxBytes: options.readLimit }),
    onOutside: onOutsideFile,
    objection,
    onWritten: ({ sessionId, ...written }) =>
      registry.find(sessionId)?.store.dispatch({ type: "file_written", ...written }),
  };
  if (fs === "all" || fs === "read") registerFileReading(router, files);
  if (fs === "all" || fs === "write") registerFileWriting(router, files);
  if (offersTerminals(options)) terminals.register(router);
  registerClientTools(router, registry, onList);
  router.register(
    "session/request_permission",
    (params, context) => desk.handle(params, context),
  );
  if (onElicitation !== undefined) router.register("elicitation/create", onElicitation);
}
