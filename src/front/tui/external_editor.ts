/**
 * Editing a text in the person's own editor.
 *
 * @module
 */

import { messageOf } from "../../base/errors.ts";
import { runInTerminal } from "../../process/terminal_command.ts";

/** Opens `text` in $VISUAL or $EDITOR (else vi) and gives what was saved, or why that failed. */
export async function editExternally(
  text: string,
  env: (name: string) => string | undefined,
): Promise<{ readonly text: string } | { readonly problem: string }> {
  const editor = env("VISUAL") || env("EDITOR") || "vi";
  let directory: string | undefined;
  try {
    directory = await Deno.makeTempDir({ prefix: "mm-repl-" });
    const file = `${directory}/prompt.md`;
    await Deno.writeTextFile(file, text, { mode: 0o600 });
    // The setting may hold arguments, which only a shell takes apart as the person meant them.
    const args = ["-c", `${editor} "$1"`, "sh", file];
    const code = await runInTerminal({ command: "sh", args, endsLine: true });
    if (code !== 0) {
      return { problem: `${editor} ended with status ${code}: the text is as it was` };
    }
    return { text: (await Deno.readTextFile(file)).replace(/\n$/, "") };
  } catch (error) {
    return { problem: `Cannot edit the text with ${editor}: ${messageOf(error)}` };
  } finally {
    if (directory !== undefined) {
      await Deno.remove(directory, { recursive: true }).catch(() => {});
    }
  }
}
