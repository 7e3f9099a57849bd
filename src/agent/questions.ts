/**
 * Phrases that ask the user something through the client.
 *
 * @module
 */

import type { ElicitationSchema, PermissionOption } from "@agentclientprotocol/sdk";
import { asObject } from "../base/guards.ts";
import { askPermission } from "./permission.ts";
import { fenced, type Phrase } from "./phrase.ts";

const COLOURS: readonly PermissionOption[] = [
  { optionId: "once", name: "Paint it blue", kind: "allow_once" },
  { optionId: "always", name: "Paint everything blue", kind: "allow_always" },
  { optionId: "not", name: "Leave it as it is", kind: "reject_once" },
  { optionId: "never", name: "Never ask about paint again", kind: "reject_always" },
];

const SHED: ElicitationSchema = {
  type: "object",
  properties: {
    colour: { type: "string", title: "Colour", enum: ["blue", "green", "red"], default: "blue" },
    coats: { type: "integer", title: "Coats of paint", minimum: 1, maximum: 5, default: 2 },
    name: { type: "string", title: "Name on the door", maxLength: 20 },
    roof: { type: "boolean", title: "Paint the roof as well", default: false },
  },
  required: ["colour", "coats"],
};

/** The phrases. */
export const QUESTIONS: readonly Phrase[] = [
  {
    name: "ask",
    usage: "ask",
    shows: "a permission question with four choices",
    command: "",
    async run(turn) {
      const title = "Paint the shed blue";
      const toolCallId = await turn.startTool({ title, kind: "other" });
      const choice = await askPermission(turn, { toolCallId, title, kind: "other" }, COLOURS);
      const answer = choice ? `You chose “${choice.name}”.` : "You chose nothing.";
      await turn.endTool(toolCallId, answer, !choice?.kind.startsWith("allow"));
      await turn.say(`${answer}\n`);
    },
  },
  {
    name: "form",
    usage: "form",
    shows: "a form to fill in",
    command: "",
    async run(turn) {
      if (!turn.peer.capabilities.elicitation?.form) {
        return await turn.say("Your client does not offer forms (`elicitation.form`).\n");
      }
      const message = "How shall the shed be painted?";
      const form = { mode: "form", message, requestedSchema: SHED };
      const { action, content } = asObject(await turn.request("elicitation/create", form));
      await turn.say(
        action === "accept"
          ? `You filled in:\n\n${fenced(JSON.stringify(content ?? {}, null, 2), "json")}`
          : `You did not fill it in (\`${String(action)}\`).\n`,
      );
    },
  },
];
