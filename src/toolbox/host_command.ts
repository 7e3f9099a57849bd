/**
 * The command that starts the host process of a tool file: the outer ring.
 *
 * @module
 */

import project from "../../deno.json" with { type: "json" };
import type { ToolPermissions } from "../model/tool_manifest.ts";
import type { ProcessSpec } from "../process/supervised.ts";
import { fileURLToPath } from "node:url";
import { isFullAccess, permissionFlags } from "./permissions.ts";

/** What a host is started for. */
export interface HostNeeds {
  /** Directory of the process, absolute. */
  readonly cwd: string;
  /** The tool directory, absolute: the process reads its modules there. */
  readonly root: string;
  /** With absolute paths. */
  readonly permissions: ToolPermissions;
  /** Of the tool directory's own configuration. */
  readonly imports: ImportMap;
  /** Deno's directory of tool processes, absolute; absent: the user's. */
  readonly loaderDir: string | undefined;
  /** No variable of the environment is to be seen, and reading one is no error. */
  readonly blind: boolean;
}

/** Imports by name and by what they hold for: URLs below the tool directory; values are absolute. */
export interface ImportMap {
  readonly [scope: string]: { readonly [name: string]: string };
}

/** Makes the command of a host. */
export type HostStarter = (needs: HostNeeds) => ProcessSpec;

/** The hidden subcommand that a compiled binary runs `runToolHost` under. */
export const HOST_SUBCOMMAND = "__tool-host";

/** The module behind `@mm/repl/tool`; every tool may read it. */
export const TOOL_MODULE = new URL("./tool.ts", import.meta.url);

const HOST_MODULE = new URL("./host/main.ts", import.meta.url);

/** Read by the host itself when it starts the worker; the worker may not. */
const OWN_SOURCES = pathOf(new URL("../", import.meta.url));

/** Variables that programs and Deno itself work poorly without. */
const BASE_VARIABLES = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "TZ",
  "TMPDIR",
];

/** Variables that Deno needs to find and fetch modules. */
const LOADER_VARIABLES = [
  "DENO_DIR",
  "XDG_CACHE_HOME",
  "DENO_CERT",
  "DENO_TLS_CA_STORE",
  "NPM_CONFIG_REGISTRY",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
];

/** Starts hosts as the program itself was: by `deno run`, or by the compiled binary. */
export const startHost: HostStarter = (needs) =>
  Deno.build.standalone ? startCompiled(needs) : startWithDeno(needs);

/** `deno run` with exactly the permissions of the tool. */
export const startWithDeno: HostStarter = (needs) => ({
  command: Deno.execPath(),
  args: [
    "run",
    "--quiet",
    "--no-prompt",
    "--no-config",
    "--no-lock",
    "--unstable-worker-options",
    ...(needs.blind ? ["--ignore-env"] : []),
    ...permissionFlags(needs.permissions, [needs.root, OWN_SOURCES]),
    `--import-map=data:application/json,${encodeURIComponent(JSON.stringify(mapFor(needs)))}`,
    HOST_MODULE.href,
  ],
  cwd: needs.cwd,
  isAlone: !isFullAccess(needs.permissions),
  clearEnv: true,
  env: {
    ...variables(needs.blind ? ["HOME"] : BASE_VARIABLES),
    ...variables(LOADER_VARIABLES),
    ...declaredVariables(needs.permissions),
    ...(needs.loaderDir === undefined ? {} : { DENO_DIR: needs.loaderDir }),
    DENO_NO_PACKAGE_JSON: "1",
    DENO_NO_UPDATE_CHECK: "1",
    NO_COLOR: "1",
  },
});

/** The binary itself; only the worker in it bounds the tool. */
const startCompiled: HostStarter = (needs) => ({
  command: Deno.execPath(),
  args: [HOST_SUBCOMMAND],
  cwd: needs.cwd,
  clearEnv: true,
  env: {
    ...(needs.blind ? {} : variables(BASE_VARIABLES)),
    ...declaredVariables(needs.permissions),
    NO_COLOR: "1",
  },
});

/** What the configuration of a tool directory says holds for its modules alone, not for ours. */
function mapFor({ imports }: HostNeeds): { imports: ImportMap[string]; scopes: ImportMap } {
  const always = { "@mm/repl/tool": TOOL_MODULE.href };
  const scopes = Object.entries(imports).map(([scope, map]) => [scope, { ...map, ...always }]);
  return {
    imports: always,
    scopes: {
      ...Object.fromEntries(scopes),
      [new URL("./", import.meta.url).href]: ownImports(),
    },
  };
}

/** The packages that the host itself imports, pinned where the program's are. */
function ownImports(): { [name: string]: string } {
  const ajv = project.imports.ajv;
  return { ajv, "ajv/": `${ajv.replace(/^npm:/, "npm:/")}/` };
}

function declaredVariables({ env = false }: ToolPermissions): { [name: string]: string } {
  if (env === true) return Deno.env.toObject();
  if (env === false) return {};
  const all = Deno.env.toObject();
  const isDeclared = (name: string) =>
    env.some((entry) => entry.endsWith("*") ? name.startsWith(entry.slice(0, -1)) : entry === name);
  return Object.fromEntries(Object.entries(all).filter(([name]) => isDeclared(name)));
}

function variables(names: readonly string[]): { [name: string]: string } {
  const found: { [name: string]: string } = {};
  for (const name of names.flatMap((name) => [name, name.toLowerCase()])) {
    const value = Deno.env.get(name);
    if (value !== undefined) found[name] = value;
  }
  return found;
}

function pathOf(url: URL): string {
  return url.protocol === "file:" ? fileURLToPath(url) : url.pathname;
}
