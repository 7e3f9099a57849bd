/**
 * `-p` from its start to its end, for an answer of one word.
 *
 * @module
 */

import { openSandbox } from "../../tests/support/run_main.ts";
import type { Figure, Row } from "../figure.ts";
import { findPeer, peerPrint } from "../peer.ts";
import { runProgram } from "../processes.ts";
import { EMBEDDED_AGENT, floor, print } from "../programs.ts";
import { compare, interleave } from "../statistics.ts";

const BOUND = 1.4;
const PROMPT = "echo hello";

/** The figure. */
export const printStart: Figure = {
  name: "print-start",
  shows: "-p from its start to its end, for an answer of one word",
  async measure({ runs }) {
    await using sandbox = await openSandbox();
    const run = (command: readonly string[]) => async () =>
      (await runProgram(command, { cwd: sandbox.project, env: sandbox.env })).ms;
    const peer = await findPeer();
    const { ours, sdk, acpx = [] } = await interleave<"ours" | "sdk" | "acpx", number>(
      // Short, so that more runs cost little and quiet the figure.
      runs * 2,
      {
        ours: run(print(EMBEDDED_AGENT, PROMPT)),
        sdk: run(floor(EMBEDDED_AGENT, PROMPT)),
        ...(peer === undefined ? {} : { acpx: run(peerPrint(peer, EMBEDDED_AGENT, PROMPT)) }),
      },
    );
    const row = (name: string, values: readonly number[], bound?: number): Row =>
      compare({ what: "-p, start to end", unit: "ms", ours, beside: { name, values }, bound });
    return [
      row("SDK client", sdk, BOUND),
      ...(peer === undefined ? [] : [row("acpx", acpx)]),
    ];
  },
};
