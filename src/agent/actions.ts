/**
 * Phrases that act through the client: on files and in its terminal.
 *
 * @module
 */

import { isAbsolute, join } from "node:path";
import type { ToolCallContent } from "@agentclientprotocol/sdk";
import { asObject, asString } from "../base/guards.ts";
import { isAllowed } from "./permission.ts";
import { fenced, type Phrase } from "./phrase.ts";
import { cutOutput } from "./result_text.ts";
import { runCommand } from "./run_command.ts";
import { failTool } from "./tool_failure.ts";
import type { Turn } from "./turn.ts";

/** The phrases. */
export const ACTIONS: readonly Phrase[] = [
  {
    name: "read",
    usage: "read PATH",
    shows: "a file, read through the client",
    command: "PATH",
    run: (turn, { argument }) => readFile(turn, argument.replace(/^@/, "")),
  },
  {
    name: "write",
    usage: "write PATH TEXT",
    shows: "a permission question with a diff, then a file written through the client",
    command: "PATH TEXT",
    async run(turn, { argument }) {
      const [, path = "", text = ""] = /^(\S+)\s*([^]*)$/.exec(argument) ?? [];
      await writeFile(turn, path, text.endsWith("\n") ? text : `${text}\n`);
    },
  },
  {
    name: "run",
    usage: "run COMMAND",
    shows: "a permission question, then a command in the client's terminal",
    command: "COMMAND",
    run: (turn, { argument }) => runCommand(turn, argument),
  },
];

async function readFile(turn: Turn, name: string): Promise<void> {
  if (!turn.peer.capabilities.fs?.readTextFile) {
    return await turn.say("Your client does not offer to read files (`fs.readTextFile`).\n");
  }
  const path = resolve(turn, name);
  const toolCallId = await turn.startTool({
    title: `Read ${name}`,
    kind: "read",
    locations: [{ path }],
    rawInput: { path },
  });
  try {
    const text = cutOutput(await readText(turn, path), turn.peer.options.maxOutput);
    await turn.endTool(toolCallId, text, false);
    await turn.say(`\`${name}\` says:\n\n${fenced(text)}`);
  } catch (error) {
    await failTool(turn, toolCallId, `I could not read \`${name}\``, error);
  }
}

async function writeFile(turn: Turn, name: string, newText: string): Promise<void> {
  if (!turn.peer.capabilities.fs?.writeTextFile) {
    return await turn.say("Your client does not offer to write files (`fs.writeTextFile`).\n");
  }
  if (turn.session.settings.mode === "plan") {
    return await turn.say(`In mode \`plan\` I write nothing. I would write \`${name}\`.\n`);
  }
  const path = resolve(turn, name);
  const diff: ToolCallContent = { type: "diff", path, oldText: await oldText(turn, path), newText };
  const call = {
    title: `Write ${name}`,
    kind: "edit" as const,
    locations: [{ path }],
    content: [diff],
    rawInput: { path, content: newText },
  };
  const toolCallId = await turn.startTool(call);
  const free = turn.session.settings.mode === "yolo";
  if (!free && !await isAllowed(turn, { ...call, toolCallId }, "write")) {
    await turn.updateTool({ toolCallId, status: "failed" });
    return await turn.say(`Then I leave \`${name}\` alone.\n`);
  }
  try {
    await turn.updateTool({ toolCallId, status: "in_progress" });
    await turn.request("fs/write_text_file", { path, content: newText });
    await turn.updateTool({ toolCallId, status: "completed" });
    await turn.say(`I wrote \`${name}\`.\n`);
  } catch (error) {
    await failTool(turn, toolCallId, `I could not write \`${name}\``, error);
  }
}

async function readText(turn: Turn, path: string): Promise<string> {
  return asString(asObject(await turn.request("fs/read_text_file", { path })).content) ?? "";
}

/** What is in the file now, or `null` for a new file or a client that does not read. */
async function oldText(turn: Turn, path: string): Promise<string | null> {
  if (!turn.peer.capabilities.fs?.readTextFile) return null;
  try {
    return await readText(turn, path);
  } catch {
    turn.signal.throwIfAborted();
    return null;
  }
}

function resolve(turn: Turn, path: string): string {
  return isAbsolute(path) ? path : join(turn.session.cwd, path);
}
