/**
 * Secrets that stand in the configuration as where they are, not as what they are.
 *
 * @module
 */

import { messageOf, MmError } from "../base/errors.ts";
import { type Environment, resolvePath } from "./paths.ts";

/** `${env:NAME}` is an environment variable, `${file:PATH}` the text of a private file. */
const PLACEHOLDER = /\$\{(env|file):([^}]+)\}/g;

/** Longest file that is taken for a secret, in bytes. */
const MAX_BYTES = 64 * 1024;

/** Where placeholders are looked up. */
export interface SecretPlaces {
  /** Directory that relative files start at, absolute. */
  readonly base: string;
  readonly env?: Environment;
}

/**
 * The text with its placeholders replaced. A file must be readable by its owner alone; a line end at
 * its end does not count.
 *
 * @param what names the setting in errors, e.g. `the header Authorization`; the value is never shown
 * @throws {MmError} `config` for a variable that is not set, and for a file that cannot be read or
 * that others can read.
 */
export async function resolveSecrets(
  text: string,
  what: string,
  { base, env = Deno.env.get.bind(Deno.env) }: SecretPlaces,
): Promise<string> {
  const found = [...text.matchAll(PLACEHOLDER)];
  const values = await Promise.all(found.map(async ([, kind, name = ""]) => {
    if (kind === "file") return await readPrivate(resolvePath(name, base), what);
    const value = env(name);
    if (value !== undefined && value !== "") return value;
    throw new MmError("config", `Cannot find ${what}: the environment variable ${name} is not set`);
  }));
  return text.replace(PLACEHOLDER, () => values.shift() ?? "");
}

/** The text with the files of its placeholders made absolute against `base`. */
export function placeSecrets(text: string, base: string): string {
  return text.replace(
    PLACEHOLDER,
    (whole, kind, name) => kind === "file" ? `\${file:${resolvePath(name, base)}}` : whole,
  );
}

async function readPrivate(path: string, what: string): Promise<string> {
  const fail = (why: string, hint?: string) =>
    new MmError("config", `Cannot read ${what} from ${path}: ${why}`, { hint });
  let info: Deno.FileInfo;
  try {
    info = await Deno.stat(path);
  } catch (error) {
    throw fail(error instanceof Deno.errors.NotFound ? "there is no such file" : messageOf(error));
  }
  if (!info.isFile) throw fail("it is not a file");
  if (info.size > MAX_BYTES) throw fail("it is too large for a secret");
  if (((info.mode ?? 0) & 0o077) !== 0) {
    throw fail("others can read it", `Make it private: chmod 600 ${path}`);
  }
  try {
    return (await Deno.readTextFile(path)).replace(/\r?\n$/, "");
  } catch (error) {
    throw fail(messageOf(error));
  }
}
