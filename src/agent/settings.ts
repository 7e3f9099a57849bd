/**
 * Modes and configuration options of a session.
 *
 * @module
 */

import type {
  SessionConfigOption,
  SessionConfigSelectOption,
  SessionMode,
  SessionModeState,
} from "@agentclientprotocol/sdk";

/** What a session can be set to. */
export interface Settings {
  readonly mode: string;
  readonly model: string;
  /** Show a thought before each answer. */
  readonly thinking: boolean;
}

/** The modes; `yolo` is the configuration key of that name, for one session. */
export const MODES: readonly SessionMode[] = [
  { id: "default", name: "Default", description: "Asks before it writes, runs or calls a tool" },
  { id: "plan", name: "Plan", description: "Reads and plans; writes nothing and runs nothing" },
  { id: "yolo", name: "Yolo", description: "Asks nothing" },
];

/** The models; their only difference is the pace, as a factor of the pause between chunks. */
export const MODELS: readonly (SessionConfigSelectOption & { readonly pace: number })[] = [
  { value: "demo-swift", name: "Demo Swift", description: "Answers briskly", pace: 1 },
  { value: "demo-calm", name: "Demo Calm", description: "Takes its time", pace: 6 },
];

/** The settings of a new session. */
export function initialSettings(yolo: boolean): Settings {
  return { mode: yolo ? "yolo" : "default", model: "demo-swift", thinking: false };
}

/** The modes as `session/new` gives them. */
export function modeState(settings: Settings): SessionModeState {
  return { currentModeId: settings.mode, availableModes: [...MODES] };
}

/** The configuration options; the boolean one only for a client that knows that type. */
export function configOptions(settings: Settings, withBoolean: boolean): SessionConfigOption[] {
  const model: SessionConfigOption = {
    type: "select",
    id: "model",
    name: "Model",
    category: "model",
    description: "Which demo model answers",
    currentValue: settings.model,
    options: MODELS.map(({ pace: _pace, ...option }) => option),
  };
  const thinking: SessionConfigOption = {
    type: "boolean",
    id: "thinking",
    name: "Thinking",
    category: "thought_level",
    description: "Show a thought before each answer",
    currentValue: settings.thinking,
  };
  return withBoolean ? [model, thinking] : [model];
}

/** Settings in another mode, or `undefined` for a mode that does not exist. */
export function withMode(settings: Settings, mode: string): Settings | undefined {
  return MODES.some(({ id }) => id === mode) ? { ...settings, mode } : undefined;
}

/** Settings with one option changed, or `undefined` for an unknown option or value. */
export function withOption(settings: Settings, id: string, value: unknown): Settings | undefined {
  if (id === "thinking" && typeof value === "boolean") return { ...settings, thinking: value };
  const model = id === "model" ? MODELS.find((option) => option.value === value) : undefined;
  return model && { ...settings, model: model.value };
}
