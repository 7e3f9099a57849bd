/** @module */

import { MmError } from "../../base/errors.ts";
import { replaceFile } from "../../config/replace_file.ts";
import { extname, resolve } from "node:path";
import type { SessionState } from "../../model/session.ts";
import { renderTranscript } from "../../model/transcript.ts";
import { type Command, type CommandHost, noCompletions } from "./command.ts";

/** Endings of names that say what is in the file. */
const FORMATS: ReadonlySet<string> = new Set([".md", ".markdown", ".json"]);

/** `/export FILE`: the transcript as Markdown or JSON. */
export const exportCommand: Command = {
  name: "export",
  args: "FILE.md|FILE.json",
  help: "Write the transcript of this session to a file: JSON for .json, else Markdown",
  complete: noCompletions,
  async run(args, host) {
    if (args === "") throw new MmError("usage", "Cannot export: name a file, e.g. /export talk.md");
    const { state } = host.active.store;
    const path = resolve(state.cwd, args);
    const text = extname(path) === ".json" ? exportJson(state) : renderTranscript(state);
    if (!await mayWrite(path, host)) return host.notice("info", `${path} was left as it is`);
    try {
      await replaceFile(path, text, { mode: 0o600 });
    } catch (error) {
      throw new MmError("usage", `Cannot write ${path}: ${(error as Error).message}`, {
        cause: error,
      });
    }
    const advice = FORMATS.has(extname(path)) ? "" : " as Markdown; a name in .json gives JSON";
    host.notice("info", `Transcript written to ${path}${advice}`);
  },
};

/** The session's id, directory, title and usage, its entries as they are, and their terminals. */
function exportJson(state: SessionState): string {
  const { sessionId, cwd, title, entries, terminals, usage } = state;
  const whole = { sessionId, cwd, title, usage, entries: [...entries], terminals };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

async function mayWrite(path: string, host: CommandHost): Promise<boolean> {
  const there = await Deno.lstat(path).then(() => true, () => false);
  if (!there) return true;
  const answer = await host.ask({
    kind: "choice",
    title: `${path} exists. Write over it?`,
    body: [],
    options: [{ id: "yes", label: "Yes, write over it" }, { id: "no", label: "No" }],
    quiet: true,
  });
  return answer.type === "option" && answer.id === "yes";
}
