/**
 * Which of the process groups that were started in this test file still live.
 *
 * @module
 */

import { loadProcessTable } from "../../src/process/process_table.ts";
import { watchGroups } from "../../src/process/supervised.ts";

const begun = new Set<number>();
watchGroups((event, group) => {
  if (event === "begun") begun.add(group);
});

/** The ids of the groups in which something lives; the id is the pid of the process started. */
export function liveGroups(): number[] {
  const living = loadProcessTable().filter(({ zombie }) => !zombie).map(({ pgid }) => pgid);
  return [...begun].filter((group) => living.includes(group));
}
