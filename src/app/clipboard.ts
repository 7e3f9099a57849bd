/**
 * The person's clipboard.
 *
 * @module
 */

import { within } from "../base/clock.ts";

/** How long a clipboard tool may take, in milliseconds. */
const TOOL_MS = 2_000;

/** Tools that take text on stdin, by the variable that says that they have somewhere to put it. */
const TOOLS: readonly { readonly needs?: string; readonly command: readonly string[] }[] =
  Deno.build.os === "darwin" ? [{ command: ["pbcopy"] }] : [
    { needs: "WAYLAND_DISPLAY", command: ["wl-copy"] },
    { needs: "DISPLAY", command: ["xclip", "-selection", "clipboard"] },
    { needs: "DISPLAY", command: ["xsel", "--clipboard", "--input"] },
  ];

/** Fills tmux's buffer and lets it pass the text on to the terminal that it is shown in, ssh or not. */
const TMUX: readonly string[] = ["tmux", "load-buffer", "-w", "-"];

/** Puts text on the clipboard of this machine, or into tmux; false where that is not to be had. Never rejects. */
export async function copyByTool(
  text: string,
  env: (name: string) => string | undefined = Deno.env.get.bind(Deno.env),
): Promise<boolean> {
  const has = (name: string) => (env(name) ?? "") !== "";
  // Over ssh it would be the clipboard of the wrong machine.
  const tools = has("SSH_CONNECTION") ? [] : TOOLS;
  for (const { needs, command } of tools) {
    if ((needs === undefined || has(needs)) && await feed(command, text)) return true;
  }
  return has("TMUX") && await feed(TMUX, text);
}

async function feed([program = "", ...args]: readonly string[], text: string): Promise<boolean> {
  try {
    // The tools stay to serve the clipboard, so they belong to the person and not to us.
    const child = new Deno.Command(program, {
      args,
      stdin: "piped",
      stdout: "null",
      stderr: "null",
      detached: true,
    }).spawn();
    child.unref();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
    const ended = await within(child.status, TOOL_MS);
    return !ended.ok || ended.value.success;
  } catch {
    return false;
  }
}
