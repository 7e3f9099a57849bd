/**
 * Every key, in one table: what it does, where, and what it is by default; and the setting that
 * changes that.
 *
 * @module
 */

import type { Node } from "jsonc-parser";
import { either, type FieldValues, list, object, type Shape, text } from "./shapes.ts";

/** Where a key counts. Keys of the editor yield to those that count everywhere. */
export type KeyPlace = "everywhere" | "editor" | "question";

/** One row of {@link KEYS}. */
export interface KeyRow {
  readonly keys: readonly string[];
  readonly place: KeyPlace;
  readonly description: string;
  /** It may be a character: it counts where there is no text. Default false. */
  readonly character?: boolean;
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
  leave: {
    keys: ["ctrl+d"],
    place: "editor",
    description: "Leave, on an empty line; while a turn runs: twice",
  },
  help: {
    keys: ["?"],
    place: "editor",
    description: "Show the keys, on an empty line",
    character: true,
  },
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
  viewAll: {
    keys: ["v"],
    place: "question",
    description: "Print everything that is asked",
    character: true,
  },
  chooseUp: { keys: ["up"], place: "question", description: "Option above" },
  chooseDown: { keys: ["down"], place: "question", description: "Option below" },
  choose: { keys: ["enter"], place: "question", description: "Take the marked option" },
  back: {
    keys: ["tab"],
    place: "question",
    description: "From the text back to the question; so does the key that refuses",
  },
} as const satisfies Record<string, KeyRow>;

/** What a key does. */
export type KeyAction = keyof typeof KEYS;

/** Keys of a person's own: for an action a key, or a list of keys. */
export type OwnKeys = Readonly<Record<string, string | readonly string[]>>;

const MODIFIERS: ReadonlySet<string> = new Set(["ctrl", "alt", "shift", "super"]);

/** Keys that have a name. */
const NAMED_KEYS: ReadonlySet<string> = new Set([
  ...["escape", "esc", "enter", "return", "tab", "space", "backspace", "delete", "insert", "clear"],
  ...["home", "end", "pageUp", "pageDown", "up", "down", "left", "right"],
  ...Array.from({ length: 12 }, (_, index) => `f${index + 1}`),
]);

/** Whether that names a key: `x`, `f2`, `ctrl+shift+left`. */
function isKey(name: string): boolean {
  // The plus is a key, too.
  const parts = name === "+" || name.endsWith("++")
    ? [...name.slice(0, -1).split("+").slice(0, -1), "+"]
    : name.split("+");
  const key = parts.at(-1) ?? "";
  const modifiers = parts.slice(0, -1);
  return (NAMED_KEYS.has(key) || /^[!-~]$/.test(key)) &&
    modifiers.every((modifier) => MODIFIERS.has(modifier)) &&
    new Set(modifiers).size === modifiers.length;
}

/** The keys of every action, with the person's own on top. */
export function keysInForce(own: OwnKeys): ReadonlyMap<string, readonly string[]> {
  return new Map(
    Object.entries(KEYS).map(([action, row]) => {
      const value = Object.hasOwn(own, action) ? own[action] : undefined;
      return [action, typeof value === "string" ? [value] : value ?? row.keys];
    }),
  );
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

const key: Shape<string> = {
  ...text,
  read(node, path, report) {
    const value = text.read(node, path, report);
    if (value === undefined || isKey(value)) return value;
    report.error(
      node,
      path,
      `must be a key such as "ctrl+x", "alt+enter" or "f2", not ${JSON.stringify(value)}`,
    );
    return undefined;
  },
};

const actions = object(
  Object.fromEntries(
    Object.entries(KEYS).map(([action, { description }]) => [
      action,
      { shape: either(list(key), key), description },
    ]),
  ),
);

/** Shape of the setting `keys`. A key that comes to stand for two actions is warned of. */
export const ownKeys: Shape<OwnKeys> = {
  ...actions,
  read(node, path, report) {
    const values = actions.read(node, path, report);
    if (values === undefined) return undefined;
    const own = given(values);
    for (const action of Object.keys(own)) {
      const character = characterOf(action, own);
      if (character === undefined) continue;
      report.error(
        propertyOf(node, action) ?? node,
        `${path}.${action}`,
        `must be a key that writes nothing, such as "ctrl+x" or "f2", not the character ${character}`,
      );
    }
    for (const { key, actions } of conflicts(keysInForce(own))) {
      const action = actions.find((name) => Object.hasOwn(own, name));
      if (action === undefined) continue;
      const others = actions.filter((name) => name !== action).join(", ");
      report.warning(
        propertyOf(node, action) ?? node,
        `${path}.${action}`,
        `takes the key ${key}, which stands for another action as well: ${others}`,
      );
    }
    return own;
  },
};

/** A character among the keys of an action that takes none: nobody could type it any more. */
function characterOf(action: string, own: OwnKeys): string | undefined {
  const rows: Readonly<Record<string, KeyRow>> = KEYS;
  if (rows[action]?.character === true) return undefined;
  return [own[action] ?? []].flat().find((key) => /^[!-~]$/.test(key));
}

function given(
  values: FieldValues<
    Record<string, { shape: Shape<string | readonly string[]>; description: string }>
  >,
): OwnKeys {
  return Object.fromEntries(
    Object.entries(values).flatMap(([action, value]) =>
      value === undefined ? [] : [[action, value]]
    ),
  );
}

function propertyOf(node: Node, name: string): Node | undefined {
  return node.children?.find((property) => property.children?.[0]?.value === name);
}
