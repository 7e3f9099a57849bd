/**
 * Where our own files live: the XDG base directories, on every platform.
 *
 * @module
 */

import { basename, dirname, isAbsolute, join } from "node:path";

/** Our three directories, absolute. They need not exist. */
export interface Paths {
  /** `config.jsonc` and the user's `tools/`. */
  readonly configDir: string;
  /** What is remembered between runs. */
  readonly stateDir: string;
  /** What can be made again. */
  readonly cacheDir: string;
}

/** Reads one environment variable. */
export type Environment = (name: string) => string | undefined;

const NAME = "mm-repl";

/**
 * Our directories: below `$XDG_CONFIG_HOME`, `$XDG_STATE_HOME` and `$XDG_CACHE_HOME` where those are
 * absolute (others are ignored, as their specification asks), else below `~/.config`,
 * `~/.local/state` and `~/.cache`. With no home at all (cron, a bare container) they are below a
 * directory of this user in the temporary directory: nothing fails, little is remembered.
 */
export function findPaths(env: Environment = Deno.env.get.bind(Deno.env)): Paths {
  const directory = (variable: string, ...inHome: string[]): string => {
    const base = absolute(env(variable));
    return join(base ?? join(homeDir(env), ...inHome), NAME);
  };
  return {
    configDir: directory("XDG_CONFIG_HOME", ".config"),
    stateDir: directory("XDG_STATE_HOME", ".local", "state"),
    cacheDir: directory("XDG_CACHE_HOME", ".cache"),
  };
}

/** The directory of tool scripts that the user keeps for every project. */
export function userToolsDir(paths: Paths): string {
  return join(paths.configDir, "tools");
}

/** The user's own configuration file. */
export function userConfigFile(paths: Paths): string {
  return join(paths.configDir, "config.jsonc");
}

/** Where it is kept which tool directories the user trusts. */
export function trustFile({ stateDir }: Pick<Paths, "stateDir">): string {
  return join(stateDir, "trust.json");
}

/** The configuration file that comes with a project. */
export function projectConfigFile(cwd: string): string {
  return join(cwd, ".mm-repl.jsonc");
}

/** The home directory, or a stand-in below the temporary directory where there is none. */
export function homeDir(env: Environment = Deno.env.get.bind(Deno.env)): string {
  const home = absolute(env("HOME")) ?? absolute(env("USERPROFILE"));
  if (home !== undefined) return home;
  const temporary = absolute(env("TMPDIR")) ?? absolute(env("TEMP")) ?? "/tmp";
  const path = join(temporary, `${NAME}-${Deno.uid() ?? "user"}`);
  const known = standIns.get(path) ?? ownDirectory(path);
  standIns.set(path, known);
  return known;
}

/** Stand-ins for a home by the path that they should have. */
const standIns = new Map<string, string>();

/**
 * The directory, made for this user alone. Everybody may write to a temporary directory: where
 * somebody else has put something in its place, which we would take for our own configuration and
 * tools, it is a new one with another name.
 */
function ownDirectory(path: string): string {
  try {
    Deno.mkdirSync(path, { mode: 0o700 });
  } catch {
    // It is there, or cannot be made.
  }
  let info: Deno.FileInfo;
  try {
    info = Deno.lstatSync(path);
  } catch {
    return path;
  }
  const own = info.isDirectory && info.uid === Deno.uid() && ((info.mode ?? 0) & 0o022) === 0;
  if (own || Deno.build.os === "windows") return path;
  return Deno.makeTempDirSync({ dir: dirname(path), prefix: `${basename(path)}-` });
}

/** The path with a leading `~/` replaced and made absolute against `base`. */
export function resolvePath(path: string, base: string, env?: Environment): string {
  if (path === "~") return homeDir(env);
  if (path.startsWith("~/")) return join(homeDir(env), path.slice(2));
  return isAbsolute(path) ? join(path) : join(base, path);
}

function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
