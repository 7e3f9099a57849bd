/** @module */

import { MmError } from "../../base/errors.ts";
import { splitCommandLine } from "../../config/command_line.ts";
import type { ExtensionCatalog } from "../../model/extension_catalog.ts";
import { describeCall } from "../../model/extension_method.ts";
import {
  answerTable,
  explainMethod,
  knownCatalog,
  loadCatalog,
  prepareCall,
  sendCall,
} from "../extensions.ts";
import { codeBlock, markdownTable } from "../markdown.ts";
import type { Completion } from "../view.ts";
import type { Command, CommandHost } from "./command.ts";

/** How long an answer is waited for, in milliseconds. */
const CALL_MS = 300_000;

/** `/ext [method [params]]`: lists and calls extension methods of the agent. */
export const extCommand: Command = {
  name: "ext",
  args: "[--json] [help] [method [key=value … or JSON]]",
  help: "Call an extension method of the agent; without one list those that are known",
  needsAgent: true,
  complete,
  async run(args, host) {
    const { client } = host;
    if (client === undefined) {
      throw new MmError("agent_died", "Cannot call a method: the agent is not connected");
    }
    const catalog = await loadCatalog(client, host.options.settings);
    const json = /^--json(?=\s|$)/.test(args);
    const typed = args.replace(/^--json\s*/, "").trim();
    const [, first = "", rest = ""] = /^(\S*)\s*([^]*)$/.exec(typed) ?? [];
    if (first === "") return host.output(list(catalog));
    if (first === "help") {
      return host.output(codeBlock(explainMethod(catalog, rest.trim(), "/ext").join("\n")));
    }
    // JSON is not taken apart: a shell would have kept it whole.
    const words = /^[[{]/.test(rest) ? [rest] : splitCommandLine(rest);
    const call = prepareCall({ catalog, name: first, words });
    const answer = await sendCall(client, call, { timeoutMs: CALL_MS });
    host.output(render(answer, json));
  },
};

function list(catalog: ExtensionCatalog): string {
  if (catalog.methods.length === 0) {
    return "No extension methods are known of this agent. `/ext _name key=value` calls one anyway.";
  }
  return markdownTable(
    ["call", "what it does"],
    catalog.methods.map((row) => [`\`${describeCall(row)}\``, row.description]),
  );
}

function render(answer: unknown, json: boolean): string {
  const table = json ? undefined : answerTable(answer);
  if (table !== undefined) return markdownTable(table.head, table.rows);
  return codeBlock(JSON.stringify(answer ?? null, null, 2), "json");
}

function complete(host: CommandHost, typed: string): readonly Completion[] {
  const { client, options } = host;
  if (client === undefined) return [];
  const [, before = "", rest = ""] = /^((?:(?:--json|help)\s+)*)([^]*)$/.exec(typed) ?? [];
  const proposals = knownCatalog(client, options.settings).complete(rest);
  if (before === "") return proposals;
  // Proposals are filtered by how they begin: a name that is typed without its prefix stays so.
  const short = /^[^_]/.test(rest) && !/\s/.test(rest);
  return proposals.map((proposal) => ({
    ...proposal,
    insert: before + (short ? proposal.insert.replace(/^_[^/]+\//, "") : proposal.insert),
  }));
}
