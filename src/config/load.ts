/**
 * Loading of the configuration: the user's file, then the project's; later wins.
 *
 * @module
 */

import { dirname } from "node:path";
import { MmError } from "../base/errors.ts";
import type { PermissionRule } from "../model/permission_rules.ts";
import { loadJsonc } from "./load_jsonc.ts";
import { type Paths, projectConfigFile, resolvePath, userConfigFile } from "./paths.ts";
import type { ProjectRequest } from "./project_file.ts";
import type { ReadConfig } from "./read_config.ts";
import type { Settings } from "./settings.ts";

/** What to load. */
export interface LoadOptions {
  readonly paths: Paths;
  /** The session's directory, absolute. */
  readonly cwd: string;
  /** In place of the user's file; must exist. Absolute. */
  readonly configFile?: string;
}

/** The configuration as it counts. */
export interface LoadedConfig {
  /** The merged settings; tool directories are below. */
  readonly settings: Settings;
  /** Tool directories that the user's file names, absolute; absent when it names none. */
  readonly userTools: readonly string[] | undefined;
  /** Tool directories that the project's file names, absolute; absent when it names none. */
  readonly projectTools: readonly string[] | undefined;
  /** One line for each thing that was left out or is probably not meant. */
  readonly warnings: readonly string[];
  /** What the project's file asks for and does not get before the user agrees. */
  readonly needsConfirmation?: ProjectRequest;
  /** The files that were read. */
  readonly files: readonly string[];
}

/**
 * Loads the user's and the project's file.
 *
 * @throws {MmError} `config` naming file, line, column and key for a file that cannot be used: it is
 * never replaced by defaults in silence.
 */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const { paths, cwd, configFile } = options;
  const user = await loadFile(configFile ?? userConfigFile(paths));
  if (user === undefined && configFile !== undefined) {
    throw new MmError("config", `Cannot read ${configFile}: there is no such file`);
  }
  const project = await loadFile(projectConfigFile(cwd));
  const base = user?.settings ?? {};
  const split = project === undefined ? undefined : await splitFile(project, base);
  const request = split?.request;
  const confirmed = request !== undefined && await isConfirmed(paths, request);
  const projectSettings = confirmed ? project?.settings : split?.free;
  const files = [user, project].flatMap((one) => one === undefined ? [] : [one]);
  return {
    settings: mergeSettings(base, projectSettings ?? {}),
    userTools: toolsOf(user, base),
    projectTools: toolsOf(project, projectSettings),
    warnings: files.flatMap((one) => one.warnings),
    ...(request !== undefined && !confirmed ? { needsConfirmation: request } : {}),
    files: files.map((one) => one.file),
  };
}

/** What reads a file is loaded with the first one that is there: most runs have none. */
async function loadFile(path: string): Promise<ReadConfig | undefined> {
  const file = await loadJsonc(path);
  if (file === undefined) return undefined;
  const { readConfig } = await import("./read_config.ts");
  return readConfig(file);
}

async function splitFile(project: ReadConfig, user: Settings) {
  const { splitProject } = await import("./project_file.ts");
  return await splitProject(project, user);
}

async function isConfirmed(paths: Paths, request: ProjectRequest): Promise<boolean> {
  const confirmations = await import("./confirmations.ts");
  return await confirmations.isConfirmed(paths, request);
}

/**
 * Joins two layers. Objects are joined by name, other values replaced. In the list of permission
 * rules the first match decides, so the order says who wins: the user's denies, then what the
 * project narrows, then the user's other rules, then what the project was allowed to widen.
 */
function mergeSettings(user: Settings, project: Settings): Settings {
  const merged = { ...user, ...project };
  const ours = fromOrigin("user", user.permissionRules);
  const theirs = fromOrigin("project", project.permissionRules);
  return {
    ...merged,
    ...(merged.agents ? { agents: { ...user.agents, ...project.agents } } : {}),
    ...(merged.mcpServers ? { mcpServers: { ...user.mcpServers, ...project.mcpServers } } : {}),
    ...(merged.extensions ? { extensions: { ...user.extensions, ...project.extensions } } : {}),
    ...(merged.keys ? { keys: { ...user.keys, ...project.keys } } : {}),
    ...(merged.permissionRules
      ? {
        permissionRules: [
          ...ours.filter((rule) => rule.action === "deny"),
          ...theirs.filter((rule) => rule.action !== "allow"),
          ...ours.filter((rule) => rule.action !== "deny"),
          ...theirs.filter((rule) => rule.action === "allow"),
        ],
      }
      : {}),
  };
}

function fromOrigin(
  origin: PermissionRule["origin"],
  rules: readonly PermissionRule[] = [],
): PermissionRule[] {
  return rules.map((rule) => ({ ...rule, origin }));
}

function toolsOf(
  read: ReadConfig | undefined,
  settings: Settings | undefined,
): readonly string[] | undefined {
  if (read === undefined) return undefined;
  const base = dirname(read.file);
  return settings?.tools?.map((path) => resolvePath(path, base));
}
