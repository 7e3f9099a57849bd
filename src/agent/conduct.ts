/**
 * Phrases that make the agent behave in a certain way: slow, long, failing, dying.
 *
 * @module
 */

import { RequestError, type StopReason } from "@agentclientprotocol/sdk";
import type { Phrase } from "./phrase.ts";

/** Pause between two chunks of `slow`, in milliseconds, whatever the options say. */
const SLOW_MS = 100;
/** Chunks of `long` after which other work of this process gets its turn. */
const BREATH = 1024;

/** The phrases. */
export const CONDUCT: readonly Phrase[] = [
  {
    name: "slow",
    usage: "slow [N]",
    shows: "N chunks, ten a second: time to cancel",
    async run(turn, { argument }) {
      turn.startMessage();
      for (let index = 1; index <= count(argument, 50); index++) {
        await turn.chunk(`${index} `);
        await turn.pause(SLOW_MS);
      }
    },
  },
  {
    name: "long",
    usage: "long [N]",
    shows: "N chunks of ten bytes, as fast as they go",
    async run(turn, { argument }) {
      turn.startMessage();
      for (let index = 1; index <= count(argument, 1000); index++) {
        await turn.chunk(`${String(index).padStart(9, "0")}\n`);
        if (index % BREATH === 0) await turn.pause(0);
      }
    },
  },
  {
    name: "fail",
    usage: "fail [CODE] MESSAGE",
    shows: "a turn that ends with a JSON-RPC error",
    run(_turn, { argument }) {
      const [, code = "-32603", message = ""] = /^(-?\d+(?=\s|$))?\s*([^]*)$/.exec(argument) ?? [];
      return Promise.reject(new RequestError(Number(code), message || "Internal error"));
    },
  },
  {
    name: "stop",
    usage: "stop REASON",
    shows: "a turn that ends with that stop reason",
    async run(turn, { argument }) {
      await turn.say(`Stopping with \`${argument}\`.\n`);
      // Any word will do: a client must live with reasons that it does not know.
      return argument as StopReason;
    },
  },
  {
    name: "die",
    usage: "die",
    shows: "an agent that ends in the middle of its answer",
    async run(turn) {
      await turn.say("Farewell, this is the last thing that I");
      turn.peer.log("[demo] ending in the middle of a turn, as asked");
      turn.peer.die();
      turn.signal.throwIfAborted();
    },
  },
];

function count(argument: string, otherwise: number): number {
  return /^\d+$/.test(argument) ? Number(argument) : otherwise;
}
