/**
 * The input history of a directory, kept between runs.
 *
 * @module
 */

import { asString, isObject } from "../base/guards.ts";
import { readState, updateState } from "../config/state_file.ts";
import { join } from "node:path";
import type { InputHistory } from "./view.ts";

/** Lines that are kept for each directory, unless told otherwise. */
const MAX_LINES = 1_000;

/** Longer input (in UTF-16 units) is not remembered. */
const MAX_LENGTH = 32_768;

interface HistoryFile {
  readonly cwd: string;
  readonly lines: readonly string[];
}

/**
 * The history of `cwd`, in a private file below `stateDir`. Several programs may add to it at once;
 * a damaged file counts as empty, and a file that cannot be written costs only the memory of it.
 */
export function directoryHistory(
  stateDir: string,
  cwd: string,
  size = MAX_LINES,
): InputHistory {
  let path: Promise<string> | undefined;
  const file = () => path ??= pathOf(stateDir, cwd);
  const none: HistoryFile = { cwd, lines: [] };
  /** One after the other, so that what was entered first stands first. */
  let adding: Promise<unknown> = Promise.resolve();
  return {
    async load() {
      if (size === 0) return [];
      try {
        return (await readState(await file(), parseHistory, none)).lines.slice(-size);
      } catch {
        return [];
      }
    },
    async add(text) {
      if (size === 0 || text.trim() === "" || text.length > MAX_LENGTH) return;
      const added = adding.then(async () =>
        await updateState(await file(), parseHistory, none, ({ lines }) => ({
          cwd,
          lines: lines.at(-1) === text ? lines : [...lines, text].slice(-size),
        }))
      );
      // Nobody loses a prompt because it could not be remembered.
      adding = added.catch(() => {});
      await adding;
    },
  };
}

/** Web Crypto, because loading `node:crypto` is a tenth of the time that the program takes to start. */
async function pathOf(stateDir: string, cwd: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(cwd));
  const name = new Uint8Array(hash).toHex().slice(0, 32);
  return join(stateDir, "history", `${name}.json`);
}

function parseHistory(value: unknown): HistoryFile | undefined {
  if (!isObject(value) || !Array.isArray(value.lines)) return undefined;
  const lines = value.lines.filter((line) => typeof line === "string");
  return { cwd: asString(value.cwd) ?? "", lines };
}
