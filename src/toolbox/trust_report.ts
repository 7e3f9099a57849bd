/**
 * Looking at, and settling, the trust in one directory by hand.
 *
 * @module
 */

import { loadTrust, rememberTrust } from "../config/trust_store.ts";
import { sanitizeLine } from "../base/sanitize.ts";
import { describeFiles } from "./describe.ts";
import { DirectoryIndex } from "./directory_index.ts";
import { startHost } from "./host_command.ts";
import { DEFAULT_LIMITS } from "./open_toolbox.ts";
import { renderPermissions } from "./permissions.ts";
import { loadToolFiles } from "./tool_files.ts";
import type { ToolboxOptions, ToolDirectory, TrustRequest } from "./toolbox.ts";
import { changesSince, recordOf, trustRequest } from "./trust.ts";

/** The trust in a directory as it is now. */
export interface TrustReport {
  /** `changed`: agreed to once, but not as it is now. */
  readonly state: "trusted" | "changed" | "new";
  /** What the user would agree to; without tools there is nothing to agree to. */
  readonly request: TrustRequest;
  /** Remembers the directory as it was when it was looked at. */
  agree(): Promise<void>;
}

/** Describes a directory and compares it with what was agreed to. */
export async function reportTrust(
  path: string,
  options: Pick<ToolboxOptions, "cacheDir" | "trustFile" | "limits" | "startHost">,
): Promise<TrustReport> {
  const directory: ToolDirectory = { path, origin: "project" };
  const index = new DirectoryIndex(options.cacheDir, path);
  const files = loadToolFiles(directory);
  const described = await describeFiles(files, index.descriptions, {
    cacheDir: options.cacheDir,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    startHost: options.startHost ?? startHost,
  });
  const before = (await loadTrust(options.trustFile))[files.root];
  const isSame = before?.digest === files.digest &&
    changesSince(before, files, described).length === 0;
  return {
    state: before === undefined ? "new" : isSame ? "trusted" : "changed",
    request: trustRequest(files, described, isSame ? undefined : before),
    agree: () => rememberTrust(options.trustFile, files.root, recordOf(files, described)),
  };
}

/** The question in plain lines: the directory, its tools with what they may do, what changed. */
export function renderTrustRequest({ directory, tools, changes = [] }: TrustRequest): string[] {
  const width = Math.max(0, ...tools.map(({ name }) => sanitizeLine(name).length));
  const rows = tools.map(({ name, file, permissions }) =>
    `  ${sanitizeLine(name).padEnd(width)}  ${
      sanitizeLine(`${renderPermissions(permissions)}  (${file})`)
    }`
  );
  return [
    `Tools of ${sanitizeLine(directory)}:`,
    ...rows,
    ...(changes.length === 0 ? [] : ["Since you last agreed:"]),
    ...changes.map((change) => `  ${sanitizeLine(change)}`),
    ...(tools.some((tool) => tool.fullAccess === true)
      ? ["Tools that may run programs or call native code have full access to this machine."]
      : []),
  ];
}
