/** @module */

import { counted } from "../../base/counted.ts";
import { supports } from "../../client/sessions.ts";
import { type Command, noCompletions } from "./command.ts";
import { markdownTable } from "../markdown.ts";
import { relativeTime } from "../relative_time.ts";
import { listed } from "./known_sessions.ts";

/** Sessions of the agent that are shown, at most. */
const MAX_SHOWN = 50;

/** `/sessions`: the open ones, and those that the agent knows. */
export const sessionsCommand: Command = {
  name: "sessions",
  args: "",
  help: "List the open sessions and those that the agent knows",
  needsAgent: true,
  complete: noCompletions,
  async run(_args, host) {
    const { client } = host;
    const known = client !== undefined && supports(client.initialized, "list")
      ? await listed(client, host)
      : undefined;
    const open = host.conversations.map((conversation, index) => {
      const { sessionId, title, cwd } = conversation.store.state;
      return [
        conversation === host.active ? `● ${index + 1}` : `${index + 1}`,
        `\`${sessionId || "not open yet"}\``,
        title ?? "",
        cwd,
        conversation.missed === 0 ? "" : counted(conversation.missed, "update"),
      ];
    });
    const parts = [markdownTable(["open", "session", "title", "directory", "new"], open)];
    if (known !== undefined) {
      const rows = known.slice(0, MAX_SHOWN).map((session) => [
        `\`${session.sessionId}\``,
        session.title ?? "",
        session.updatedAt === undefined ? "" : relativeTime(session.updatedAt, Date.now()),
        session.cwd ?? "",
      ]);
      if (rows.length > 0) {
        parts.push(markdownTable(["known to the agent", "title", "changed", "directory"], rows));
      }
      if (known.length > rows.length) parts.push(`… and ${known.length - rows.length} more.`);
    } else if (client !== undefined) {
      const remembered = await host.memory.sessions(host.active.store.state.cwd);
      if (remembered.length > 0) {
        parts.push([
          "The agent does not list its sessions. Opened here before:",
          "",
          ...remembered.slice(0, MAX_SHOWN).map((sessionId) => `- \`${sessionId}\``),
        ].join("\n"));
      }
    }
    host.output(
      [...parts, "`/switch N` goes to an open one, `/resume ID` opens another."].join("\n\n"),
    );
  },
};
