/**
 * What an agent lets a person set, and by which request the program sets it.
 *
 * @module
 */

import { asArray, asObject, asString, type JsonObject } from "../../src/base/guards.ts";
import { sessionOf } from "./trace.ts";

/** The settings of each session of a run, as the agent has told them so far. */
export class SettingsOffered {
  readonly #sessions = new Map<string, JsonObject>();

  /** Takes the answer to the opening of a session. */
  opened(sessionId: string, result: JsonObject): void {
    this.#sessions.set(sessionId, result);
  }

  /** Takes the params of a `session/update`. */
  told(params: JsonObject): void {
    const { sessionUpdate, configOptions } = asObject(params.update);
    if (sessionUpdate !== "config_option_update") return;
    const sessionId = sessionOf(params) ?? "";
    this.#sessions.set(sessionId, { ...this.#sessions.get(sessionId), configOptions });
  }

  /** Whether a command of the program leads to this request. */
  canSet(method: string, params: JsonObject): boolean {
    const { modes, models, configOptions } = this.#sessions.get(sessionOf(params) ?? "") ?? {};
    const options = asArray(configOptions).map(asObject);
    const isOption = (category: string) => options.some((option) => option.category === category);
    switch (method) {
      case "session/set_mode":
        return !isOption("mode") && ids(asObject(modes).availableModes, "id").has(params.modeId);
      case "session/set_model":
        return !isOption("model") &&
          ids(asObject(models).availableModels, "modelId").has(params.modelId);
      case "session/set_config_option": {
        const option = options.find(({ id }) => id === params.configId);
        if (option === undefined) return false;
        return option.type === "boolean"
          ? typeof params.value === "boolean"
          : valuesOf(option).has(params.value);
      }
      default:
        return false;
    }
  }
}

/** What is typed for a request that {@link SettingsOffered.canSet} allows. */
export function settingCommand(method: string, params: JsonObject): string {
  switch (method) {
    case "session/set_mode":
      return `/mode ${asString(params.modeId)}`;
    case "session/set_model":
      return `/model ${asString(params.modelId)}`;
    default:
      return `/config ${asString(params.configId)} ${String(params.value)}`;
  }
}

/** Values of a select option, those in groups too. */
function valuesOf({ options }: JsonObject): ReadonlySet<unknown> {
  return new Set(
    asArray(options).map(asObject).flatMap((option) =>
      option.options === undefined
        ? [option.value]
        : asArray(option.options).map((one) => asObject(one).value)
    ),
  );
}

function ids(list: unknown, key: string): ReadonlySet<unknown> {
  return new Set(asArray(list).map((item) => asObject(item)[key]));
}
