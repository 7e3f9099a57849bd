/**
 * Permission questions of agents of every kind, answered with keys in a real terminal.
 *
 * @module
 */

import assert from "node:assert/strict";
import { asObject } from "../../../src/base/guards.ts";
import { type InTerminal, inTerminal } from "../../support/in_terminal.ts";
import { openSandbox } from "../../support/run_main.ts";
import {
  ask,
  END_TURN,
  HANDSHAKE,
  scriptedAgent,
  type Step,
} from "../../support/scripted_agent.ts";

interface Option {
  readonly optionId: string;
  readonly name: string;
  readonly kind: string;
}

const CALL = { toolCallId: "c", title: "rm -rf build", kind: "execute" };

/** Asks for a permission with these options in a turn, and gives what the agent was answered. */
async function answered(
  options: readonly Option[],
  answer: (terminal: InTerminal) => Promise<void>,
): Promise<unknown> {
  await using sandbox = await openSandbox();
  const steps: readonly Step[] = [
    ...HANDSHAKE,
    { expect: "session/prompt" },
    ask(1, "session/request_permission", { toolCall: CALL, options }),
    { expectAnswer: 1 },
    END_TURN,
  ];
  await using agent = await scriptedAgent(steps);
  const { command, args } = agent.spec;
  const words = [command, ...args].map((word) => `'${word}'`).join(" ");
  await inTerminal(sandbox, ["--no-tools", "--agent", words], async (terminal) => {
    const { pty, screen } = terminal;
    await screen.waitFor("idle");
    await pty.write("go\r");
    await answer(terminal);
    await screen.waitFor("idle");
    await pty.write("\x04");
    await pty.exited;
  });
  const [message] = await agent.answersTo(1);
  return asObject(message?.result).outcome;
}

const chosen = (optionId: string) => ({ outcome: "selected", optionId });

const MANY = Array.from({ length: 15 }, (_, i) => ({
  optionId: `o${i + 1}`,
  name: `Way ${i + 1}`,
  kind: "allow_once",
}));

Deno.test("all options are shown in the agent's order, of whatever kind, and chosen by number", async () => {
  const options = [
    { optionId: "o1", name: "Once", kind: "allow_once" },
    { optionId: "o2", name: "Another way", kind: "allow_once" },
    { optionId: "o3", name: "Ask me later", kind: "defer_9" },
    { optionId: "o4", name: "No", kind: "reject_once" },
  ];
  const outcome = await answered(options, async ({ answer, screen }) => {
    await screen.waitFor(
      /1\) Once\n┃ {3}2\) Another way\n┃ {3}3\) Ask me later \(unknown kind: defer_9\)\n┃ {3}4\) No/,
    );
    await answer("4) No", "2");
    await screen.waitFor("answered “Another way” (you)");
  });
  assert.deepEqual(outcome, chosen("o2"));
});

Deno.test("options with equal names are told apart by their place", async () => {
  const options = ["a", "b"].map((optionId) => ({ optionId, name: "Yes", kind: "allow_once" }));
  const outcome = await answered(options, ({ answer }) => answer("2) Yes", "2"));
  assert.deepEqual(outcome, chosen("b"));
});

Deno.test("one of fifteen options is chosen by two digits, or by arrows", async () => {
  const typed = await answered(MANY, ({ answer }) => answer("15) Way 15", "12"));
  assert.deepEqual(typed, chosen("o12"));
  const moved = await answered(MANY, async ({ answer, pty }) => {
    await answer("15) Way 15", "\x1b[A");
    await pty.write("\x1b[A\r");
  });
  assert.deepEqual(moved, chosen("o14"));
});

Deno.test("refusing is possible where no option refuses", async () => {
  const [only] = MANY;
  assert.ok(only);
  const outcome = await answered([only], ({ answer }) => answer("1) Way 1", "\x1b"));
  assert.deepEqual(outcome, { outcome: "cancelled" });
});

Deno.test("a question without options is explained and answered as cancelled, with no key", async () => {
  const outcome = await answered([], ({ screen }) => screen.waitFor(/the agent offers no choice/));
  assert.deepEqual(outcome, { outcome: "cancelled" });
});

Deno.test("Ctrl-C cancels the turn, and with it the question", async () => {
  const outcome = await answered(MANY.slice(0, 2), ({ answer }) => answer("2) Way 2", "\x03"));
  assert.deepEqual(outcome, { outcome: "cancelled" });
});
