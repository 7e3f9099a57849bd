/**
 * acpx, another client of the protocol for the command line, measured beside this program where it is
 * installed: `npm install -g acpx`.
 *
 * @module
 */

import { shellWords } from "./programs.ts";

/** The path of the peer, if it is there. */
export async function findPeer(): Promise<string | undefined> {
  for (const folder of (Deno.env.get("PATH") ?? "").split(":")) {
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
