/** @module */

import { MmError } from "../../base/errors.ts";
import type { ConfigOption } from "../../model/session.ts";
import { setOption } from "../session_settings.ts";
import type { Completion } from "../view.ts";
import { describeItem } from "./choice.ts";
import type { Command, CommandHost } from "./command.ts";
import { markdownTable } from "../markdown.ts";

/** `/config [key value]`: the configuration options of the agent. */
export const configCommand: Command = {
  name: "config",
  args: "[key value]",
  help: "Show the agent's options of this session, or set one",
  needsAgent: true,
  complete: completeOption,
  async run(args, host) {
    const { configOptions } = host.active.store.state;
    if (args === "") {
      return host.output(
        configOptions.length === 0 ? "The agent offers no options." : list(configOptions),
      );
    }
    const session = host.active.session;
    if (session === undefined) {
      throw new MmError("agent_died", "Cannot set an option: there is no session");
    }
    const [, key = "", value] = /^(\S+)(?:\s+(.*))?$/su.exec(args) ?? [];
    if (value === undefined) {
      const option = find(host, key);
      return host.output(list(option === undefined ? [] : [option]));
    }
    await setOption(session, key, value.trim());
    host.notice("info", `${key}: ${find(host, key)?.value ?? value.trim()}`);
  },
};

function find(host: CommandHost, key: string): ConfigOption | undefined {
  return host.active.store.state.configOptions.find((option) => option.id === key);
}

function completeOption(host: CommandHost, typed: string): readonly Completion[] {
  const key = /^(\S+)\s/u.exec(typed)?.[1];
  if (key === undefined) {
    return host.active.store.state.configOptions.map((option) => ({
      insert: option.id,
      label: option.id,
      description: option.name,
    }));
  }
  const option = find(host, key);
  const values = option?.type === "boolean"
    ? [{ id: "true", name: "on" }, { id: "false", name: "off" }]
    : option?.options ?? [];
  return values.map((value) => ({
    insert: `${key} ${value.id}`,
    label: value.id,
    description: describeItem(value),
  }));
}

/** The values, those of a group behind its name. */
function listValues({ options }: ConfigOption): string {
  const groups = Map.groupBy(options, ({ group }) => group);
  return [...groups].map(([group, values]) => {
    const ids = values.map(({ id }) => id).join(", ");
    return group === undefined ? ids : `${group} (${ids})`;
  }).join(", ");
}

function list(options: readonly ConfigOption[]): string {
  if (options.length === 0) return "The agent offers no such option.";
  return markdownTable(
    ["option", "value", "can be", "what it is"],
    options.map((option) => [
      `\`${option.id}\``,
      `\`${option.value}\``,
      option.type === "boolean" ? "on, off" : listValues(option),
      option.description ?? option.name,
    ]),
  );
}
