/**
 * Mode, model and configuration options that were asked for on the command line.
 *
 * @module
 */

import { checkChoice, offered } from "../api/choices.ts";
import type { Session } from "../api/contract.ts";
import { MmError } from "../base/errors.ts";
import type { ConfigOption } from "../model/session.ts";
import type { AppOptions } from "./options.ts";

/** What is to be set, in this order: mode, model, options. */
export type SessionSettings = Pick<AppOptions, "mode" | "model" | "set">;

/**
 * Sets what was asked for.
 *
 * @throws {MmError} `not_supported` when the agent does not offer the value; else what the library
 * throws.
 */
export async function applySettings(session: Session, settings: SessionSettings): Promise<void> {
  if (settings.mode !== undefined) {
    await session.setMode(checkChoice("mode", settings.mode, session.store.state.modes));
  }
  if (settings.model !== undefined) {
    await session.setModel(checkChoice("model", settings.model, session.store.state.models));
  }
  for (const [key, value] of settings.set) await setOption(session, key, value);
}

/**
 * Sets a configuration option from text: `true`, `on`, `yes` and their opposites for a boolean.
 *
 * @throws {MmError} `not_supported` for an unknown option or value; else what the library throws.
 */
export async function setOption(session: Session, key: string, value: string): Promise<void> {
  const options = session.store.state.configOptions;
  const option = options.find((candidate) => candidate.id === key);
  if (option === undefined) {
    throw new MmError("not_supported", `Cannot set ${key}: the agent has no such option`, {
      hint: offered("It offers", options.map((candidate) => candidate.id)),
    });
  }
  await session.setConfigOption(key, parseValue(option, value));
}

function parseValue(option: ConfigOption, value: string): string | boolean {
  if (option.type === "boolean") {
    if (/^(true|on|yes|1)$/iu.test(value)) return true;
    if (/^(false|off|no|0)$/iu.test(value)) return false;
    throw new MmError("not_supported", `Cannot set ${option.id} to ${value}: it is on or off`);
  }
  const ids = option.options.map((candidate) => candidate.id);
  if (ids.length > 0 && !ids.includes(value)) {
    throw new MmError(
      "not_supported",
      `Cannot set ${option.id} to ${value}: there is no such value`,
      {
        hint: offered("It can be", ids),
      },
    );
  }
  return value;
}
