/**
 * The keys in force: what the terminal sends, held against the table.
 *
 * @module
 */

import {
  type KeybindingsConfig,
  KeybindingsManager,
  setKeybindings,
  TUI_KEYBINDINGS,
} from "@earendil-works/pi-tui/dist/keybindings.js";
import { type KeyId, matchesKey } from "@earendil-works/pi-tui/dist/keys.js";
import { type KeyAction, type KeyRow, KEYS, keysInForce, type OwnKeys } from "../../config/keys.ts";

export { type KeyAction, type KeyPlace, type KeyRow, KEYS } from "../../config/keys.ts";

/** Keys in force. */
export interface Keymap {
  /** Whether a key (its byte sequence, or a printable character) stands for an action. */
  is(action: KeyAction, data: string): boolean;
  /** The keys of an action, for people: `Ctrl-C`. */
  label(action: KeyAction): string;
}

/** The keys with the person's own on top, `{ "expand": "ctrl+x" }`; also sets them for the editor. */
export function openKeymap(own: OwnKeys = {}): Keymap {
  const keys = keysInForce(own);
  setKeybindings(new KeybindingsManager(TUI_KEYBINDINGS, editorBindings(keys)));
  return {
    is: (action, data) => (keys.get(action) ?? []).some((key) => matches(data, key)),
    label: (action) => (keys.get(action) ?? []).map(keyLabel).join(", "),
  };
}

function matches(data: string, key: string): boolean {
  return [...key].length === 1 ? data === key : matchesKey(data, key as KeyId);
}

/** The editor's bindings; what the program takes itself is taken away from the editor. */
function editorBindings(
  keys: ReadonlyMap<string, readonly string[]>,
): KeybindingsConfig {
  const bindings: Record<string, KeyId[]> = {
    "tui.editor.historyPrevious": [],
    "tui.input.copy": [],
    "tui.select.cancel": ["escape"],
  };
  for (const [action, row] of Object.entries(KEYS) as [KeyAction, KeyRow][]) {
    if (row.editor !== undefined) {
      bindings[row.editor] = [...(keys.get(action) ?? [])] as KeyId[];
    }
  }
  return bindings;
}

function keyLabel(key: string): string {
  if ([...key].length === 1) return key;
  if (key === "escape") return "Esc";
  return key.split("+").map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join("-");
}
