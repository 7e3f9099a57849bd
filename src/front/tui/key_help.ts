/**
 * The list of keys.
 *
 * @module
 */

import { type KeyAction, type Keymap, type KeyPlace, KEYS } from "./keys.ts";
import { widthOf, wrapBehind } from "./layout.ts";
import type { Theme } from "./theme.ts";

const HEADINGS: Readonly<Record<KeyPlace, string>> = {
  everywhere: "Everywhere",
  editor: "In the text",
  question: "In a question",
};

/** Columns of the widest keys that still have their own; longer ones push the text aside. */
const LABEL_COLUMNS = 34;

/** Every key with what it does, by place. */
export function keyHelp(keys: Keymap, width: number, theme: Theme): string[] {
  const actions = Object.keys(KEYS) as KeyAction[];
  const columns = Math.min(
    LABEL_COLUMNS,
    Math.max(...actions.map((action) => widthOf(keys.label(action)))) + 2,
  );
  return (Object.keys(HEADINGS) as KeyPlace[]).flatMap((place, index) => [
    ...(index > 0 ? [""] : []),
    theme.style("bold", HEADINGS[place]),
    ...actions.filter((action) => KEYS[action].place === place).flatMap((action) => {
      const label = keys.label(action);
      const gap = " ".repeat(Math.max(1, columns - widthOf(label)));
      return wrapBehind(`  ${label}${gap}`, KEYS[action].description, width);
    }),
  ]);
}
