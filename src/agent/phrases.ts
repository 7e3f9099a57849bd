/**
 * Everything that a person can say to the reference agent: the table, and the search in it.
 *
 * @module
 */

import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { ACTIONS } from "./actions.ts";
import { CONDUCT } from "./conduct.ts";
import type { Phrase, Said } from "./phrase.ts";
import { QUESTIONS } from "./questions.ts";
import { TALK } from "./talk.ts";
import { TOOL_PHRASES } from "./tool_phrases.ts";
import type { Turn } from "./turn.ts";

const HELLO: Phrase = {
  name: "hello",
  usage: "hello",
  shows: "who this is, and what to try",
  run: greet,
};

const HELP: Phrase = {
  name: "help",
  usage: "help",
  shows: "this table",
  async run(turn) {
    const rows = PHRASES.map(({ usage, shows }) =>
      `| \`${usage.replaceAll("|", "\\|")}\` | ${shows} |`
    );
    await turn.say(`| Say | and it shows |\n|---|---|\n${rows.join("\n")}\n`);
  },
};

/** The table of phrases. */
export const PHRASES: readonly Phrase[] = [
  HELLO,
  HELP,
  ...TOOL_PHRASES,
  ...TALK,
  ...ACTIONS,
  ...QUESTIONS,
  ...CONDUCT,
];

/** What a prompt that is no phrase gets. */
const FALLBACK: Phrase = {
  name: "anything else",
  usage: "…",
  shows: "a friendly answer",
  run: greet,
};

/**
 * The phrase of a prompt; a leading slash makes no difference. A phrase without arguments is only
 * meant when nothing follows it ("plan", not "plan a journey").
 */
export function findPhrase(text: string): { phrase: Phrase; argument: string } {
  const [, word = "", argument = ""] = /^\/?(\S+)\s*([^]*)$/.exec(text) ?? [];
  const phrase = PHRASES.find(({ name }) => name === word.toLowerCase());
  const [, parameter] = phrase?.usage.split(" ") ?? [];
  if (!phrase || (argument && !parameter)) return { phrase: FALLBACK, argument: text };
  const isMissing = argument === "" && parameter && !parameter.startsWith("[");
  return { phrase: isMissing ? explain(phrase) : phrase, argument };
}

/** What a phrase gets whose argument is missing. */
function explain(phrase: Phrase): Phrase {
  const run = (turn: Turn) => turn.say(`Say it like this: \`${phrase.usage}\`\n`);
  return { ...phrase, run };
}

/** The slash commands, as an update of a session. */
export function agentCommands(): SessionUpdate {
  return {
    sessionUpdate: "available_commands_update",
    availableCommands: PHRASES.flatMap(({ name, shows, command }) =>
      command === undefined
        ? []
        : [{ name, description: shows, ...(command ? { input: { hint: command } } : {}) }]
    ),
  };
}

async function greet(turn: Turn, { argument, attachments }: Said): Promise<void> {
  const echo = argument.length > 60 ? `${[...argument].slice(0, 59).join("")}…` : argument;
  const opening = argument
    ? `You said “${echo.replace(/\s+/g, " ")}”. I would love to help, but I am only a demo.\n\n`
    : "Hello!\n\n";
  const attached = attachments.length > 0 ? `It came with ${attachments.join(", ")}.\n\n` : "";
  const count = turn.session.tools.length;
  const tools = count === 0
    ? "I see no client tools yet."
    : `I see ${count} client tool${count === 1 ? "" : "s"} of yours.`;
  await turn.say(
    `${opening}${attached}I stand in for **mini-me**: I speak its protocol, and there is no model ` +
      `behind me. ${tools} Try one of these:\n\n` +
      "- `tools` lists the tools that I see\n" +
      '- `call NAME {"key": "value"}` calls one of them\n' +
      "- `markdown`, `think` and `plan` show how answers look\n" +
      "- `read README.md` and `run date` go through your terminal\n" +
      "- `help` has the rest\n",
  );
}
