/**
 * acpx, another client of the protocol for the command line, measured beside this program where it
 * is installed: on the PATH, or with `npm install --prefix bench acpx`.
 *
 * @module
 */

import { ROOT } from "../tests/support/project.ts";
import { shellWords } from "./programs.ts";

/** The path of the peer, if it is there. */
export async function findPeer(): Promise<string | undefined> {
  const places = (Deno.env.get("PATH") ?? "").split(":").map((folder) => `${folder}/acpx`);
  for (const path of [`${ROOT}/bench/node_modules/.bin/acpx`, ...places]) {
    const info = await Deno.stat(path).catch(() => undefined);
    if (info?.isFile) return path;
  }
  return undefined;
}

/** One prompt, its answer on stdout, and nothing else. */
export function peerPrint(
  path: string,
  agent: readonly string[],
  prompt: string,
): readonly string[] {
  return [path, "--format", "quiet", "--deny-all", "--agent", shellWords(agent), "exec", prompt];
}
