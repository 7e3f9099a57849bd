/** @module */

import { sep } from "node:path";

/** True when the path, below a tool directory, may be a tool file by its name. */
export function isToolFileName(name: string): boolean {
  return /\.m?ts$/.test(name) && !/^[_.]|\.d\.m?ts$|_test\.m?ts$|\.test\.m?ts$/.test(name) &&
    !name.includes(sep);
}
