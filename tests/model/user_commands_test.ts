import assert from "node:assert/strict";
import { brief, chunk, end, play, prompt } from "./session_script.ts";

const STARTED = {
  type: "command_started",
  terminalId: "t1",
  command: "ls",
  shared: true,
} as const;
const OUTPUT = {
  type: "terminal_output",
  terminalId: "t1",
  output: "a.txt\n",
  truncated: false,
} as const;
const EXITED = { type: "terminal_exited", terminalId: "t1", exitCode: 0, signal: null } as const;

Deno.test("reduceSession() keeps a command of the person open until its terminal has exited", () => {
  const running = play([STARTED, OUTPUT]);
  const entry = running.entries.at(0);
  assert.equal(entry?.kind, "command");
  assert.equal(entry?.endedAt, undefined);
  assert.equal(running.terminals.t1?.output, "a.txt\n");
  assert.notEqual(play([EXITED], running).entries.at(0)?.endedAt, undefined);
});

Deno.test("reduceSession() lets a command run beside a message and beyond the end of its turn", () => {
  const state = play([prompt("hi"), chunk("one "), STARTED, chunk("message"), end()]);
  assert.deepEqual(brief(state), ["user: hi", "agent: one message", "command: ls"]);
  assert.equal(state.entries.at(2)?.endedAt, undefined);
});
