/**
 * What a person is told about prompts that were never sent, when the program has ended.
 *
 * @module
 */

import type { App } from "../app/view.ts";
import type { Settings } from "../config/settings.ts";
import { isPlain } from "./app_options.ts";

/** Longest prompt that is shown whole, in UTF-16 units. */
const MAX_SHOWN = 2_000;

/** The lines; none where everything was sent. Unsanitised. */
export function unsentLines({ unsent = [] }: App, settings: Settings | undefined): string[] {
  if (unsent.length === 0) return [];
  const isKept = !isPlain(settings) && settings?.historySize !== 0;
  const [what, them] = unsent.length === 1
    ? ["A queued prompt was", "it"]
    : [`${unsent.length} queued prompts were`, "them"];
  return [
    `${what} not sent${isKept ? `; Up gives ${them} back at the next start here` : ""}:`,
    ...unsent.map((text) => shown(text).replace(/^/gm, "  ")),
  ];
}

function shown(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}
