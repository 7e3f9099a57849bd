/**
 * Opening a page in the person's browser.
 *
 * @module
 */

import { within } from "../base/clock.ts";
import { messageOf } from "../base/errors.ts";

/** How long the opener may take to say that it failed, in milliseconds. */
const FAILURE_MS = 3_000;

/**
 * Hands a URL to the system's opener. What it starts belongs to the person, not to us: it outlives
 * us. Gives why that failed, if it did. Never rejects.
 */
export async function openUrl(url: string): Promise<string | undefined> {
  const program = Deno.build.os === "darwin" ? "open" : "xdg-open";
  try {
    const child = new Deno.Command(program, {
      args: [url],
      stdin: "null",
      stdout: "null",
      stderr: "null",
      // Ctrl-C in our terminal is not meant for the browser.
      detached: true,
    }).spawn();
    child.unref();
    const ended = await within(child.status, FAILURE_MS);
    if (!ended.ok || ended.value.success) return undefined;
    return `${program} ended with status ${ended.value.code}`;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return `${program} is not installed`;
    return messageOf(error);
  }
}
