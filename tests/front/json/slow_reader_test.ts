/**
 * Every byte of an answer reaches a reader that takes its time, whatever has ended the run.
 *
 * @module
 */

import assert from "node:assert/strict";
import { asObject } from "../../../src/base/guards.ts";
import { openSandbox, until } from "../../support/run_main.ts";
import {
  END_TURN,
  HANDSHAKE,
  isAlive,
  PROMPT,
  say,
  scriptedAgent,
  type Step,
  update,
} from "../../support/scripted_agent.ts";
import { spawnRun } from "./runs.ts";

const PIECE = "0123456789".repeat(100);
/** Far more than a pipe holds. */
const PIECES = 1_000;

const FLOOD: Step = { repeat: [say(PIECE)], times: PIECES };

const CALL: Step = {
  send: update({ sessionUpdate: "tool_call", toolCallId: "c", title: "Look" }),
};

interface End {
  readonly name: string;
  readonly steps: readonly Step[];
  readonly args?: readonly string[];
  readonly signal?: Deno.Signal;
  readonly status: number;
}

const ENDS: readonly End[] = [
  { name: "the end of the turn", steps: [END_TURN], status: 0 },
  { name: "the death of the agent", steps: [{ die: "SIGKILL" }], status: 1 },
  { name: "a timeout", steps: [{ hang: true }], args: ["--timeout", "4"], status: 5 },
  { name: "a signal", steps: [{ hang: true }], signal: "SIGTERM", status: 143 },
];

for (const { name, steps, args = [], signal, status } of ENDS) {
  for (const output of ["text", "stream-json"]) {
    Deno.test(`after ${name} a slow reader gets all of --output ${output}`, async () => {
      await using agent = await scriptedAgent([...HANDSHAKE, PROMPT, FLOOD, CALL, ...steps]);
      await using sandbox = await openSandbox();
      const child = spawnRun(agent, sandbox, ["-p", "go", "--output", output, ...args]);
      let said = "";
      const listening = (async () => {
        for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
          const before = said.includes("Look: started");
          said += text;
          if (signal !== undefined && !before && said.includes("Look: started")) child.kill(signal);
        }
      })();
      // Nothing is read before the agent is gone: what does not fit the pipe has to wait.
      await until(() => said.includes("Look: started"), "all of it was said");
      await until(async () => {
        const alive = await Promise.all((await agent.pids()).map((pid) => isAlive(pid)));
        return alive.length > 0 && !alive.includes(true);
      }, "the agent is gone");
      const stdout = await new Response(child.stdout).text();
      assert.equal((await child.status).code, status, said);
      await listening;
      assert.equal(textIn(stdout, output).length, PIECE.length * PIECES);
    });
  }
}

/** The agent's text in what was written. */
function textIn(stdout: string, output: string): string {
  if (output === "text") return stdout.replace(/\n$/, "");
  const events = stdout.trimEnd().split("\n").map((line) => asObject(JSON.parse(line)));
  assert.equal(events.at(-1)?.type, "run_ended");
  return events.map(({ update }) => asObject(asObject(update).content).text ?? "").join("");
}
