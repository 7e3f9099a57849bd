/**
 * What there is to say about the tools of a session.
 *
 * @module
 */

import { quoteWord } from "../model/shell_commands.ts";
import { isToolFileName } from "../toolbox/tool_file_name.ts";
import type { Toolbox } from "../toolbox/toolbox.ts";
import { basename } from "node:path";

/** Problems that are told one by one. */
const TOLD = 20;

/**
 * One line for each tool file that cannot be offered and each directory that was left out.
 *
 * @param interactive whether a person is there to enter commands
 */
export function toolboxNotices(
  toolbox: Toolbox | undefined,
  interactive: boolean,
): readonly string[] {
  if (toolbox === undefined) return [];
  const { problems } = toolbox;
  const more = problems.length - TOLD;
  return [
    ...problems.slice(0, TOLD).map(({ file, line, column, reason, harmless }) => {
      const place = [file, line, line === undefined ? undefined : column]
        .filter((part) => part !== undefined).join(":");
      const isLeftOut = harmless !== true && isToolFileName(basename(file));
      return `${isLeftOut ? "Tool left out" : "Tools"}: ${place}: ${reason}`;
    }),
    ...(more > 0
      ? [`Tools left out: ${more} more; ${interactive ? "/tools" : "mm-repl tools check"} says why`]
      : []),
    ...toolbox.untrusted.map((directory) => {
      const trust = interactive ? "/tools trust" : `mm-repl tools trust ${quoteWord(directory)}`;
      return `Tools left out: ${directory} is not trusted; ${trust} asks, --trust-tools loads it without asking`;
    }),
  ];
}
