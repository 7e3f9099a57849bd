/**
 * acpx, another client of the protocol for the command line, measured beside this program where it is
 * installed: `npm install --no-save acpx` here, or `npm install -g acpx`.
 *
 * @module
 */

import { ROOT } from "../tests/support/project.ts";
import { shellWords } from "./programs.ts";

/** What is said where it is not. */
export const NO_PEER =
  "acpx is not installed, so nothing is measured beside it; `npm install --no-save acpx` changes that.";

/** The path of the peer, if it is there. */
export async function findPeer(): Promise<string | undefined> {
  const folders = [`${ROOT}/node_modules/.bin`, ...(Deno.env.get("PATH") ?? "").split(":")];
  for (const folder of folders) {
    const path = `${folder}/acpx`;
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
