/**
 * Every key, in one table: what it does, where, and what it is by default.
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

/** Where a key counts. Keys of the editor yield to those that count everywhere. */
export type KeyPlace = "everywhere" | "editor" | "question";

/** One row of {@link KEYS}. */
export interface KeyRow {
  readonly keys: readonly string[];
  readonly place: KeyPlace;
  readonly description: string;
  /** The binding of the editor component behind it. */
  readonly editor?: string;
}

/** The keys. */
export const KEYS = {
  cancel: {
    keys: ["ctrl+c"],
    place: "everywhere",
    description: "Cancel the turn; stop a command; clear the text; twice on an empty line: leave",
  },
  redraw: { keys: ["ctrl+l"], place: "everywhere", description: "Draw the lower part again" },
  suspend: { keys: ["ctrl+z"], place: "everywhere", description: "Suspend the program" },
  thoughts: {
    keys: ["ctrl+t"],
    place: "everywhere",
    description: "Show thoughts in full, folded, or not at all",
  },
  expand: {
    keys: ["ctrl+o"],
    place: "everywhere",
    description: "Print the last folded block in full; again: the one before",
  },
  close: {
    keys: ["escape"],
    place: "everywhere",
    description: "Close a list; refuse a question; cancel the turn; stop a command",
  },
  leave: { keys: ["ctrl+d"], place: "editor", description: "Leave, on an empty line" },
  help: { keys: ["?"], place: "editor", description: "Show the keys, on an empty line" },
  search: { keys: ["ctrl+r"], place: "editor", description: "Search what was entered before" },
  external: {
    keys: ["ctrl+g"],
    place: "editor",
    description: "Edit the text in $VISUAL or $EDITOR",
  },
  attachImage: {
    keys: ["ctrl+v"],
    place: "editor",
    description: "Let the picture on the clipboard go with the prompt",
  },
  drop: {
    keys: ["alt+v"],
    place: "editor",
    description: "Leave out what was attached last",
  },
  submit: {
    keys: ["enter"],
    place: "editor",
    description: "Send; while the agent works: queue",
    editor: "tui.input.submit",
  },
  sendNow: {
    keys: ["ctrl+enter", "alt+s"],
    place: "editor",
    description: "Cancel the turn and send this now",
  },
  newLine: {
    keys: ["shift+enter", "alt+enter", "ctrl+j"],
    place: "editor",
    description: "New line (also: \\ before Enter)",
    editor: "tui.input.newLine",
  },
  complete: {
    keys: ["tab"],
    place: "editor",
    description: "Complete",
    editor: "tui.input.tab",
  },
  up: {
    keys: ["up"],
    place: "editor",
    description: "Line up; older input; the last queued prompt, on an empty line",
    editor: "tui.editor.cursorUp",
  },
  down: {
    keys: ["down"],
    place: "editor",
    description: "Line down; newer input",
    editor: "tui.editor.cursorDown",
  },
  left: {
    keys: ["left", "ctrl+b"],
    place: "editor",
    description: "Character left",
    editor: "tui.editor.cursorLeft",
  },
  right: {
    keys: ["right", "ctrl+f"],
    place: "editor",
    description: "Character right",
    editor: "tui.editor.cursorRight",
  },
  wordLeft: {
    keys: ["alt+left", "ctrl+left", "alt+b"],
    place: "editor",
    description: "Word left",
    editor: "tui.editor.cursorWordLeft",
  },
  wordRight: {
    keys: ["alt+right", "ctrl+right", "alt+f"],
    place: "editor",
    description: "Word right",
    editor: "tui.editor.cursorWordRight",
  },
  lineStart: {
    keys: ["home", "ctrl+a"],
    place: "editor",
    description: "Start of the line",
    editor: "tui.editor.cursorLineStart",
  },
  lineEnd: {
    keys: ["end", "ctrl+e"],
    place: "editor",
    description: "End of the line",
    editor: "tui.editor.cursorLineEnd",
  },
  backspace: {
    keys: ["backspace"],
    place: "editor",
    description: "Delete the character before",
    editor: "tui.editor.deleteCharBackward",
  },
  delete: {
    keys: ["delete"],
    place: "editor",
    description: "Delete the character after",
    editor: "tui.editor.deleteCharForward",
  },
  wordBackspace: {
    keys: ["ctrl+w", "alt+backspace"],
    place: "editor",
    description: "Delete the word before",
    editor: "tui.editor.deleteWordBackward",
  },
  wordDelete: {
    keys: ["alt+d", "alt+delete"],
    place: "editor",
    description: "Delete the word after",
    editor: "tui.editor.deleteWordForward",
  },
  killToStart: {
    keys: ["ctrl+u"],
    place: "editor",
    description: "Cut to the start of the line",
    editor: "tui.editor.deleteToLineStart",
  },
  killToEnd: {
    keys: ["ctrl+k"],
    place: "editor",
    description: "Cut to the end of the line",
    editor: "tui.editor.deleteToLineEnd",
  },
  yank: {
    keys: ["ctrl+y"],
    place: "editor",
    description: "Paste what was cut",
    editor: "tui.editor.yank",
  },
  yankOlder: {
    keys: ["alt+y"],
    place: "editor",
    description: "Instead, what was cut before that",
    editor: "tui.editor.yankPop",
  },
  undo: { keys: ["ctrl+-"], place: "editor", description: "Undo", editor: "tui.editor.undo" },
  viewAll: { keys: ["v"], place: "question", description: "Print everything that is asked" },
  chooseUp: { keys: ["up"], place: "question", description: "Option above" },
  chooseDown: { keys: ["down"], place: "question", description: "Option below" },
  choose: { keys: ["enter"], place: "question", description: "Take the marked option" },
} as const satisfies Record<string, KeyRow>;

/** What a key does. */
export type KeyAction = keyof typeof KEYS;

/** Keys in force, and what is wrong with the person's own. */
export interface Keymap {
  /** Whether a key (its byte sequence, or a printable character) stands for an action. */
  is(action: KeyAction, data: string): boolean;
  /** The keys of an action, for people: `Ctrl-C`. */
  label(action: KeyAction): string;
  /** One line for each fault; such bindings are left as they were. */
  readonly problems: readonly string[];
}

const KEY_NAME = /^(?:(?:ctrl|alt|shift|super)\+)*(?:[!-~]|[a-z][a-zA-Z0-9]*)$/;

/** The keys with the person's own on top, `{ "expand": "ctrl+x" }`; also sets them for the editor. */
export function openKeymap(
  own: Readonly<Record<string, string | readonly string[]>> = {},
): Keymap {
  const keys = new Map<string, readonly string[]>(
    Object.entries(KEYS).map(([action, row]) => [action, row.keys]),
  );
  const problems: string[] = [];
  for (const [action, value] of Object.entries(own)) {
    const list = typeof value === "string" ? [value] : value;
    const wrong = list.filter((key) => !KEY_NAME.test(key));
    if (!(action in KEYS)) problems.push(`Unknown action "${action}" in the keys setting`);
    else if (wrong.length > 0) {
      problems.push(`Unknown key "${wrong[0]}" for the action "${action}"`);
    } else keys.set(action, list);
  }
  for (const { key, actions } of conflicts(keys)) {
    problems.push(`The key ${key} stands for several actions: ${actions.join(", ")}`);
  }
  setKeybindings(new KeybindingsManager(TUI_KEYBINDINGS, editorBindings(keys)));
  return {
    is: (action, data) => (keys.get(action) ?? []).some((key) => matches(data, key)),
    label: (action) => (keys.get(action) ?? []).map(keyLabel).join(", "),
    problems,
  };
}

/** Keys that stand for two actions at the same place. */
export function conflicts(
  keys: ReadonlyMap<string, readonly string[]>,
): readonly { readonly key: string; readonly actions: readonly string[] }[] {
  const owners = new Map<string, string[]>();
  const rows: Readonly<Record<string, KeyRow>> = KEYS;
  for (const [action, list] of keys) {
    const place = rows[action]?.place ?? "editor";
    for (const key of list) {
      for (const where of place === "everywhere" ? ["editor", "question"] : [place]) {
        const slot = `${where} ${key}`;
        owners.set(slot, [...(owners.get(slot) ?? []), action]);
      }
    }
  }
  const found = [...owners].filter(([, actions]) => actions.length > 1)
    .map(([slot, actions]) => ({ key: slot.split(" ")[1] ?? "", actions }));
  return [...new Map(found.map((conflict) => [conflict.key, conflict])).values()];
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
  return key.split("+").map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join("-");
}
