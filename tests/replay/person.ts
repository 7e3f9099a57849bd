/**
 * Somebody in front of a terminal who does what the client of a trace did.
 *
 * @module
 */

import { asArray, asObject, asString } from "../../src/base/guards.ts";
import { findCommand } from "../../src/app/commands/mod.ts";
import type { Pty } from "../support/pty.ts";
import { until } from "../support/run_main.ts";
import type { Screen } from "../support/screen.ts";
import { answerTo, type RequestStep, type Run } from "./trace.ts";

/** How long anything is waited for. */
const WAIT_MS = 15_000;

/** A key answers a question only when none came for half a second before. */
const QUIET_MS = 600;

/** How long a key may take to be seen. */
const SEEN_MS = 2_000;

const CTRL_C = "\x03";
const CTRL_D = "\x04";

/**
 * The option that answered a permission question: its id, `null` when the turn was cancelled
 * instead, and `undefined` when the question was dismissed or never answered.
 */
export function chosenOption(run: Run, question: RequestStep): string | null | undefined {
  const answer = answerTo(run.steps, question);
  if (answer === undefined || "error" in answer) return undefined;
  const chosen = asString(asObject(asObject(answer.result).outcome).optionId);
  if (chosen !== undefined) return chosen;
  const from = run.steps.indexOf(question);
  const cancelled = run.steps.some((step, index) =>
    index > from && step.type === "notification" && step.method === "session/cancel"
  );
  return cancelled ? null : undefined;
}

/** Plays the client's part of a run with keys. */
export class Person {
  readonly #run: Run;
  readonly #pty: Pty;
  readonly #screen: Screen;
  readonly #reportFile: string;
  readonly #answered = new Set<RequestStep>();
  #ended = false;

  constructor(run: Run, pty: Pty, screen: Screen, reportFile: string) {
    this.#run = run;
    this.#pty = pty;
    this.#screen = screen;
    this.#reportFile = reportFile;
    void pty.exited.then(() => this.#ended = true);
  }

  /** Plays the whole run and leaves the program. Rejects when something does not happen. */
  async play(): Promise<void> {
    const { steps } = this.#run;
    for (const [index, step] of steps.entries()) {
      if (step.by !== "client") continue;
      await this.#reached(index);
      if (step.type === "answer") await this.#answer(index);
      else if (step.method === "session/cancel") await this.#pty.write(CTRL_C);
      else if (step.method === "session/prompt") {
        const [block] = asArray(step.params.prompt);
        const text = asString(asObject(block).text) ?? "";
        await this.#pty.write(`${typed(text, commandsBefore(this.#run, index))}\r`);
      }
    }
    await this.#reached(steps.length);
    await this.#screen.waitFor("idle", WAIT_MS);
    await this.#pty.write(CTRL_D);
    const status = await this.#pty.exited;
    if (status !== 0) throw new Error(`the program ended with status ${status}`);
  }

  /** Waits until the agent has come to a step, and the program has taken what was before it. */
  async #reached(index: number): Promise<void> {
    const at = async () =>
      Number(await Deno.readTextFile(`${this.#reportFile}.at`).catch(() => "-1"));
    try {
      await until(async () => this.#ended || await at() >= index, "", WAIT_MS);
    } catch {
      throw new Error(`the agent never came to step ${index}\n${this.#screen.text().trimEnd()}`);
    }
    if (this.#ended) throw new Error(`the program has ended\n${this.#screen.text().trimEnd()}`);
  }

  /** Answers the questions that were asked before a step, in the order in which they were asked. */
  async #answer(index: number): Promise<void> {
    for (const step of this.#run.steps.slice(0, index)) {
      if (step.type !== "request" || step.method !== "session/request_permission") continue;
      if (this.#answered.has(step)) continue;
      this.#answered.add(step);
      const chosen = chosenOption(this.#run, step);
      const number = asArray(step.params.options).findIndex((option) =>
        asObject(option).optionId === chosen
      ) + 1;
      if (number > 0) await this.#press(step, number);
    }
  }

  /** Chooses an option, once more when the key came too early for the program. */
  async #press(question: RequestStep, number: number): Promise<void> {
    const { toolCallId, title } = asObject(question.params.toolCall);
    const words = (asString(title) ?? asString(toolCallId) ?? "").slice(0, 30);
    const asks = (screen: Screen) => screen.text().includes(`: ${words}`) && isAsking(screen);
    const end = Date.now() + WAIT_MS;
    for (;;) {
      await this.#screen.waitFor(asks, WAIT_MS);
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
      await this.#pty.write(`${number}`);
      try {
        return await this.#screen.waitFor((screen) => !asks(screen), SEEN_MS);
      } catch (error) {
        if (Date.now() > end) throw error;
      }
    }
  }
}

/** What has to be typed for a prompt to be sent: a slash alone would mean a command of ours. */
function typed(text: string, commands: readonly string[]): string {
  if (!text.startsWith("/")) return text;
  const isTheirs = commands.some((name) => `${text} `.startsWith(`/${name} `));
  if (!isTheirs) return ` ${text}`;
  return findCommand(text.slice(1).split(" ", 1)[0] ?? "") === undefined ? text : `/${text}`;
}

/** The names of the agent's commands before a step. */
function commandsBefore(run: Run, index: number): string[] {
  const update = run.steps.slice(0, index).flatMap((step) =>
    step.type === "notification" ? [asObject(step.params.update)] : []
  ).findLast(({ sessionUpdate }) => sessionUpdate === "available_commands_update");
  return asArray(update?.availableCommands).flatMap((command) =>
    asString(asObject(command).name) ?? []
  );
}

function isAsking(screen: Screen): boolean {
  return screen.text().includes("Esc refuses");
}
