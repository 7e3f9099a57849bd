/** @module */

import { MmError } from "../../base/errors.ts";
import type { Finding } from "../options.ts";
import { type Command, noCompletions } from "./command.ts";

const WORDS = { ok: "ok", warn: "warning", fail: "FAIL" } as const;

/** `/doctor`: what is wrong with the installation, and how to mend it. */
export const doctorCommand: Command = {
  name: "doctor",
  args: "",
  help: "Check the installation, and say what is wrong and how to mend it",
  atOnce: true,
  complete: noCompletions,
  async run(_args, host) {
    const { examine } = host.options;
    if (examine === undefined) throw new MmError("not_supported", "Cannot check from here");
    host.output((await examine()).map(describe).join("\n"));
  },
};

function describe({ state, what, found, mend }: Finding): string {
  const line = `- ${WORDS[state]}: ${what}: ${found}`;
  return mend === undefined ? line : `${line}\n  - ${mend}`;
}
