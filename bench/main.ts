/**
 * `deno task bench`: every figure of this program beside its floor, measured in the same run.
 *
 *     deno task bench [--only NAME]… [--quick] [--check] [--json FILE] [--list]
 *
 * `--only` measures figures whose names start with NAME. `--check` exits with 1 when a ratio is worse
 * than its bound; times and sizes themselves are only reported. `--json` writes the rows to a file,
 * for comparison over time. `--quick` uses small sizes and few runs: it shows that all of it works,
 * and its numbers mean little.
 *
 * @module
 */

import { parseArgs } from "@std/cli/parse-args";
import type { Measuring } from "./figure.ts";
import { FIGURES } from "./figures.ts";
import { findPeer, NO_PEER } from "./peer.ts";
import { isGood, type MeasuredRow, renderJson, renderTable } from "./report.ts";

const RUNS = 5;
const QUICK_RUNS = 2;

const encoder = new TextEncoder();
const flags = parseArgs(Deno.args, {
  boolean: ["quick", "check", "list"],
  string: ["json", "only"],
  collect: ["only"],
  unknown: refuse,
});
if (flags.list) {
  for (const { name, shows } of FIGURES) print(`${name.padEnd(20)} ${shows}`);
} else {
  Deno.exitCode = await main();
}

async function main(): Promise<number> {
  const only = flags.only as readonly string[];
  const chosen = FIGURES.filter(({ name }) =>
    only.length === 0 || only.some((start) => name.startsWith(start))
  );
  if (chosen.length === 0) {
    note(`No figure has that name; there are ${FIGURES.map(({ name }) => name).join(", ")}`);
    return 2;
  }
  if (await findPeer() === undefined) note(NO_PEER);
  const how: Measuring = { quick: flags.quick, runs: flags.quick ? QUICK_RUNS : RUNS };
  const rows: MeasuredRow[] = [];
  let failed = 0;
  for (const { name, shows, measure } of chosen) {
    note(`${name}: ${shows} …`);
    try {
      rows.push(...(await measure(how)).map((row) => ({ figure: name, ...row })));
    } catch (error) {
      failed++;
      note(`${name} could not be measured: ${error instanceof Error ? error.stack : error}`);
    }
  }
  for (const line of renderTable(rows)) print(line);
  print(`\nMedians of ${how.runs} runs or more, in turns; a ratio is the median over the turns.`);
  if (flags.json) await Deno.writeTextFile(flags.json, renderJson(rows));
  const missed = rows.filter((row) => !isGood(row)).length;
  if (missed > 0) print(`${missed} of ${rows.length} rows missed their bound.`);
  return failed > 0 || (flags.check && missed > 0) ? 1 : 0;
}

function refuse(argument: string): boolean {
  note(`Cannot use ${argument}`);
  Deno.exit(2);
}

function print(line: string): void {
  Deno.stdout.writeSync(encoder.encode(`${line}\n`));
}

function note(line: string): void {
  Deno.stderr.writeSync(encoder.encode(`${line}\n`));
}
