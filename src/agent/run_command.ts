/**
 * The phrase `run`: a command in the client's terminal.
 *
 * @module
 */

import { asNumber, asObject, asString } from "../base/guards.ts";
import { isAllowed } from "./permission.ts";
import { fenced } from "./phrase.ts";
import { cutOutput } from "./result_text.ts";
import { failTool } from "./tool_failure.ts";
import type { Turn } from "./turn.ts";

/** How long the creation of a terminal may take, in milliseconds. */
const CREATE_MS = 10_000;
/** How long the release of a terminal may take, in milliseconds. */
const RELEASE_MS = 2_000;

/** Runs a command line after asking, shows it live as part of the tool call, and tells its end. */
export async function runCommand(turn: Turn, commandLine: string): Promise<void> {
  if (!turn.peer.capabilities.terminal) {
    return await turn.say("Your client does not offer a terminal (`terminal`).\n");
  }
  const { mode } = turn.session.settings;
  if (mode === "plan") {
    return await turn.say(`In mode \`plan\` I run nothing. I would run \`${commandLine}\`.\n`);
  }
  const call = {
    title: commandLine,
    kind: "execute" as const,
    rawInput: { command: commandLine },
  };
  const toolCallId = await turn.startTool(call);
  if (mode !== "yolo" && !await isAllowed(turn, { ...call, toolCallId }, "run")) {
    await turn.updateTool({ toolCallId, status: "failed" });
    return await turn.say("Then I do not run it.\n");
  }
  try {
    const { text, failed } = await inTerminal(turn, toolCallId, commandLine);
    await turn.updateTool({ toolCallId, status: failed ? "failed" : "completed" });
    await turn.say(text);
  } catch (error) {
    await failTool(turn, toolCallId, "I could not run it", error);
  }
}

async function inTerminal(turn: Turn, toolCallId: string, commandLine: string) {
  const { id: sessionId, cwd } = turn.session;
  // Not ended with the turn: a terminal whose id we never learn could not be released.
  const { terminalId } = asObject(
    await turn.peer.request(
      "terminal/create",
      { sessionId, command: "sh", args: ["-c", commandLine], cwd },
      { timeoutMs: CREATE_MS },
    ),
  );
  try {
    await turn.updateTool({
      toolCallId,
      status: "in_progress",
      content: [{ type: "terminal", terminalId: asString(terminalId) ?? "" }],
    });
    const exit = asObject(await turn.request("terminal/wait_for_exit", { terminalId }));
    const { output } = asObject(await turn.request("terminal/output", { terminalId }));
    const text = cutOutput(asString(output) ?? "", turn.peer.options.maxOutput);
    const status = asNumber(exit.exitCode);
    const end = status === undefined
      ? `was ended by ${asString(exit.signal) ?? "a signal"}`
      : `ended with status ${status}`;
    const printed = text ? ` and printed:\n\n${fenced(text)}` : " and printed nothing.\n";
    return { text: `It ${end}${printed}`, failed: status !== 0 };
  } finally {
    // Also when the turn is cancelled: releasing a terminal ends its command.
    turn.peer.request("terminal/release", { sessionId, terminalId }, { timeoutMs: RELEASE_MS })
      .catch(() => {});
  }
}
