/**
 * `mm-repl doctor`: what is wrong with the installation, and how to mend it.
 *
 * @module
 */

import type { Finding } from "../../app/options.ts";
import { sanitizeLine } from "../../base/sanitize.ts";
import type { Command } from "../command.ts";
import { runChecks } from "../checks.ts";
import { flagRows } from "../flags.ts";
import { printOut } from "../output.ts";

const WORDS = { ok: "ok  ", warn: "warn", fail: "FAIL" } as const;

/** `mm-repl doctor`. */
export const doctorCommand: Command = {
  description:
    "Check the installation; says what is wrong and how to mend it, and exits with 1 when something is",
  flags: flagRows("cwd", "config", "agent", "tools", "no-tools"),
  operands: [],
  subcommands: [],
  async run({ values }) {
    const checks = await runChecks(values);
    await printOut(`${checks.flatMap(linesOf).join("\n")}\n`);
    return checks.some((check) => check.state === "fail") ? 1 : 0;
  },
};

function linesOf({ state, what, found, mend }: Finding): string[] {
  const line = `${WORDS[state]}  ${what}: ${sanitizeLine(found)}`;
  return mend === undefined ? [line] : [line, `      -> ${sanitizeLine(mend)}`];
}
