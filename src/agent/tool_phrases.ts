/**
 * Phrases about the client's own tools.
 *
 * @module
 */

import type { StopReason } from "@agentclientprotocol/sdk";
import { asObject, asString, isObject, type JsonObject } from "../base/guards.ts";
import { type ClientTool, findTool } from "./client_tools.ts";
import { STOP_AT } from "./loop_detector.ts";
import { fenced, type Phrase } from "./phrase.ts";
import { callClientTool } from "./tool_call.ts";
import type { Turn } from "./turn.ts";

/** NAME, then JSON, then how often; the last two may be missing. */
const CALL = /^([^{]*?)\s*(\{[^]*\})?\s*(?:(?<=\s|\})(\d+)\s+times?)?$/;

/** The phrases. */
export const TOOL_PHRASES: readonly Phrase[] = [
  {
    name: "tools",
    usage: "tools",
    shows: "the client tools, as the model sees them",
    run: (turn) => turn.say(listTools(turn)),
  },
  {
    name: "call",
    usage: "call NAME {json} [N times]",
    shows: "a client tool at work; many times over, the loop detector",
    command: "NAME {json}",
    async run(turn, { argument }) {
      const [, name = "", json, times] = CALL.exec(argument) ?? [];
      const tool = findTool(turn.session.tools, name);
      const args = parseArguments(json ?? "{}");
      if (!tool) return await turn.say(`I see no tool \`${name}\`. ${listTools(turn)}`);
      if (!args) return await turn.say(`These arguments are not a JSON object: \`${json}\`\n`);
      return await callRepeatedly(turn, tool, args, Number(times ?? 1));
    },
  },
];

async function callRepeatedly(
  turn: Turn,
  tool: ClientTool,
  args: JsonObject,
  times: number,
): Promise<StopReason> {
  for (let round = 1; round <= times; round++) {
    const { text, failed, repetition } = await callClientTool(turn, tool, args);
    const verb = failed ? "failed" : "answered";
    await turn.say(
      text
        ? `\`${tool.modelName}\` ${verb}:\n\n${fenced(text)}`
        : `\`${tool.modelName}\` ${verb} with nothing.\n`,
    );
    if (repetition.verdict === "flagged") {
      await turn.say(
        `Loop detector: the same call gave the same answer ${repetition.count} times.\n`,
      );
    }
    if (repetition.verdict === "stopped") {
      await turn.say(`Loop detector: stopped after the same answer ${STOP_AT} times.\n`);
      return "max_turn_requests";
    }
  }
  return "end_turn";
}

function parseArguments(json: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function listTools({ session, peer }: Turn): string {
  const { discovery, enabled } = peer.options;
  if (!enabled) return "Client tools are switched off in my configuration.\n";
  if (session.tools.length === 0) {
    return `I see no client tools. I look for them in mode \`${discovery}\`.\n`;
  }
  const items = session.tools.map(({ modelName, description, schema }) => {
    const parameters = Object.entries(asObject(schema.properties)).map(describeParameter);
    return [`- **${modelName}**: ${description.replace(/\s+/g, " ")}`, ...parameters].join("\n");
  });
  return `I see these client tools:\n\n${items.join("\n")}\n`;
}

function describeParameter([name, schema]: [string, unknown]): string {
  const { type, description } = asObject(schema);
  const text = asString(description)?.replace(/\s+/g, " ");
  return `  - \`${name}\`${type === undefined ? "" : ` (${String(type)})`}${
    text ? `: ${text}` : ""
  }`;
}
