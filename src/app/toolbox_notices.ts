/**
 * What there is to say about the tools of a session.
 *
 * @module
 */

import type { Toolbox } from "../toolbox/toolbox.ts";

/** One line for each tool file that cannot be offered and each directory that was left out. */
export function toolboxNotices(toolbox: Toolbox | undefined): readonly string[] {
  if (toolbox === undefined) return [];
  return [
    ...toolbox.problems.map(({ file, line, column, reason }) => {
      const place = [file, line, line === undefined ? undefined : column]
        .filter((part) => part !== undefined).join(":");
      return `Tool left out: ${place}: ${reason}`;
    }),
    ...toolbox.untrusted.map((directory) =>
      `Tools left out: ${directory} is not trusted; /tools trust asks, --trust-tools loads it without asking`
    ),
  ];
}
