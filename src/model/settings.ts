/**
 * What the agent says of a session besides its entries: modes, models, configuration options,
 * commands, title and usage.
 *
 * Modes and models come in several forms: fields of the answer that opened the session, options of
 * category `mode` and `model`, and updates of their own. Whichever spoke last is right.
 *
 * @module
 */

import { asNumber, asString, isObject, type JsonObject } from "../base/guards.ts";
import { optional } from "./content.ts";
import type {
  AgentCommand,
  Choice,
  ConfigOption,
  SessionMode,
  SessionState,
  Usage,
} from "./session.ts";

/** Takes what `session/new`, `load` or `resume` answered. What it does not mention stays. */
export function applyOpened(state: SessionState, response: unknown): SessionState {
  if (!isObject(response)) return state;
  const withOptions = applyConfigOptions(state, response.configOptions);
  const modes = parseChoice(response.modes, "currentModeId", "availableModes", "id");
  const models = parseChoice(response.models, "currentModelId", "availableModels", "modelId");
  return {
    ...withOptions,
    ...optional("modes", modes),
    ...optional("models", withOptions.configOptions.some(isModel) ? withOptions.models : models),
  };
}

/** Takes a whole list of configuration options, and the mode and model that it contains. */
export function applyConfigOptions(state: SessionState, raw: unknown): SessionState {
  if (!Array.isArray(raw)) return state;
  const configOptions = raw.flatMap(parseOption);
  return {
    ...state,
    configOptions,
    ...optional("modes", choiceOf(configOptions.find(isMode)) ?? state.modes),
    ...optional("models", choiceOf(configOptions.find(isModel)) ?? state.models),
  };
}

/** Takes a new current mode. */
export function applyMode(state: SessionState, modeId: unknown): SessionState {
  if (typeof modeId !== "string") return state;
  return {
    ...state,
    modes: { available: [], ...state.modes, current: modeId },
    configOptions: state.configOptions.map((o) => isMode(o) ? { ...o, value: modeId } : o),
  };
}

/** Takes a new current model. */
export function applyModel(state: SessionState, modelId: string): SessionState {
  return {
    ...state,
    models: { available: [], ...state.models, current: modelId },
    configOptions: state.configOptions.map((o) => isModel(o) ? { ...o, value: modelId } : o),
  };
}

/** Takes the list of the agent's commands. Entries without a name are left out. */
export function applyCommands(state: SessionState, raw: unknown): SessionState {
  return Array.isArray(raw) ? { ...state, commands: raw.flatMap(parseCommand) } : state;
}

/** Takes the session's title; `null` clears it. */
export function applyInfo(state: SessionState, update: JsonObject): SessionState {
  if (update.title === null) return { ...state, title: undefined };
  return { ...state, ...optional("title", asString(update.title)) };
}

/** Takes context usage and cost. */
export function applyUsage(state: SessionState, update: JsonObject): SessionState {
  const usage: Usage = {
    ...state.usage,
    ...optional("used", asNumber(update.used)),
    ...optional("size", asNumber(update.size)),
    ...optional("cost", parseCost(update.cost)),
  };
  return { ...state, usage };
}

function parseCost(raw: unknown): Usage["cost"] {
  const amount = isObject(raw) ? asNumber(raw.amount) : undefined;
  if (amount === undefined || !isObject(raw)) return undefined;
  return { amount, currency: asString(raw.currency) ?? "" };
}

function parseChoice(
  raw: unknown,
  current: string,
  available: string,
  id: string,
): Choice | undefined {
  if (!isObject(raw) || typeof raw[current] !== "string") return undefined;
  const items = raw[available];
  return {
    current: raw[current],
    available: Array.isArray(items) ? items.flatMap((item) => parseMode(item, id)) : [],
  };
}

function parseMode(raw: unknown, idKey: string): readonly SessionMode[] {
  const id = isObject(raw) ? asString(raw[idKey]) : undefined;
  if (id === undefined || !isObject(raw)) return [];
  const name = asString(raw.name) || id;
  return [{ id, name, ...optional("description", asString(raw.description)) }];
}

function parseOption(raw: unknown): readonly ConfigOption[] {
  const id = isObject(raw) ? asString(raw.id) : undefined;
  if (id === undefined || !isObject(raw)) return [];
  const value = raw.currentValue;
  const type = raw.type === "select" || raw.type === "boolean" ? raw.type : "unknown";
  return [{
    id,
    name: asString(raw.name) || id,
    ...optional("description", asString(raw.description)),
    ...optional("category", asString(raw.category)),
    type,
    value: typeof value === "boolean" ? value : asString(value) ?? String(asNumber(value) ?? ""),
    options: Array.isArray(raw.options) ? raw.options.flatMap(parseOptionValues) : [],
  }];
}

function parseOptionValues(raw: unknown): ConfigOption["options"] {
  if (!isObject(raw) || !Array.isArray(raw.options)) return parseMode(raw, "value");
  const group = asString(raw.name) ?? asString(raw.group);
  return raw.options.flatMap((value) => parseMode(value, "value"))
    .map((value) => ({ ...value, ...optional("group", group) }));
}

function parseCommand(raw: unknown): readonly AgentCommand[] {
  const name = isObject(raw) ? asString(raw.name)?.trim() : undefined;
  if (!name || !isObject(raw)) return [];
  const hint = isObject(raw.input) ? asString(raw.input.hint) : undefined;
  return [{ name, description: asString(raw.description) ?? "", ...optional("hint", hint) }];
}

function isMode(option: ConfigOption): boolean {
  return option.category === "mode" && typeof option.value === "string";
}

function isModel(option: ConfigOption): boolean {
  return option.category === "model" && typeof option.value === "string";
}

function choiceOf(option: ConfigOption | undefined): Choice | undefined {
  if (option === undefined) return undefined;
  return { current: String(option.value), available: option.options };
}
