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
import { formKeys, type KeyPress } from "./form_keys.ts";
import type { PersonRun } from "./for_person.ts";
import { settingCommand } from "./settings_offered.ts";
import { answerTo, chosenOption, type RequestStep, sessionOf, type Step } from "./trace.ts";

/** How long anything is waited for. */
const WAIT_MS = 15_000;

/** A key answers a question only when none came for half a second before. */
const QUIET_MS = 600;

/** How long a key may take to be seen. */
const SEEN_MS = 2_000;

const CTRL_C = "\x03";
const CTRL_D = "\x04";

/** The question about a file outside the session's directory. */
const OUTSIDE = /┃ .*a file outside/;
const OUTSIDE_NO = "4";

/** Plays the client's part of a run with keys. */
export class Person {
  readonly #run: PersonRun;
  readonly #pty: Pty;
  readonly #screen: Screen;
  readonly #reportFile: string;
  readonly #answered = new Set<Step>();
  /** Prompts that were entered before it was their turn. */
  readonly #entered = new Set<Step>();
  /** Sessions in the order in which they were opened. */
  readonly #sessions: string[] = [];
  /** The session that input goes to. */
  #active = "";
  #ended = false;

  constructor(run: PersonRun, pty: Pty, screen: Screen, reportFile: string) {
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
      if (step.by !== "client" || this.#entered.has(step)) continue;
      await this.#reached(index);
      if (step.type === "answer") await this.#answer(index);
      else if (step.type === "request") await this.#request(step, index);
      else {
        await this.#goTo(sessionOf(step.params) ?? "");
        await this.#pty.write(CTRL_C);
      }
    }
    await this.#reached(steps.length);
    // What was said in the sessions that nobody looked at is shown when somebody does.
    for (const session of this.#sessions) await this.#goTo(session);
    await this.#screen.waitFor("idle", WAIT_MS);
    await this.#pty.write(CTRL_D);
    const status = await this.#pty.exited;
    if (status !== 0) throw new Error(`the program ended with status ${status}`);
  }

  async #request(step: RequestStep, index: number): Promise<void> {
    const { method, params } = step;
    switch (method) {
      case "initialize":
        return;
      case "session/new":
      case "session/load":
      case "session/resume":
        if (this.#sessions.length > 0) await this.#enterCommand("/new", "New session in");
        this.#active = sessionOf(params) ?? this.#openedBy(step);
        this.#sessions.push(this.#active);
        return;
      case "session/prompt":
        await this.#goTo(sessionOf(params) ?? "");
        await this.#prompt(step, index);
        return await this.#promptsAfter(index);
      default:
        await this.#goTo(sessionOf(params) ?? "");
        await this.#pty.write(`${settingCommand(method, params)}\r`);
    }
  }

  #openedBy(step: RequestStep): string {
    const answer = answerTo(this.#run.steps, step);
    const result = answer !== undefined && "result" in answer ? answer.result : undefined;
    return asString(asObject(result).sessionId) ?? "";
  }

  async #prompt(step: RequestStep, index: number): Promise<void> {
    const [block] = asArray(step.params.prompt);
    const text = asString(asObject(block).text) ?? "";
    await this.#pty.write(`${typed(text, commandsBefore(this.#run, index))}\r`);
  }

  /** Enters the prompts that were given while the turn of this one ran. */
  async #promptsAfter(index: number): Promise<void> {
    for (const [at, later] of this.#run.steps.entries()) {
      if (at <= index || later.type !== "request" || later.method !== "session/prompt") continue;
      if (!this.#run.early.has(later)) return;
      this.#entered.add(later);
      await this.#prompt(later, at);
    }
  }

  /** Makes a session the one that input goes to. */
  async #goTo(session: string): Promise<void> {
    if (session === this.#active) return;
    await this.#enterCommand(`/switch ${this.#sessions.indexOf(session) + 1}`, "Session ");
    this.#active = session;
  }

  /** Enters a command and waits for what it says. */
  async #enterCommand(command: string, said: string): Promise<void> {
    const count = () => this.#screen.all().split(said).length;
    const before = count();
    await this.#pty.write(`${command}\r`);
    await this.#screen.waitFor(() => count() > before, WAIT_MS);
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
      if (step.by !== "agent" || step.type !== "request" || this.#answered.has(step)) continue;
      this.#answered.add(step);
      for (const press of this.#keysFor(step)) await this.#press(press);
    }
  }

  #keysFor(question: RequestStep): readonly KeyPress[] {
    const answer = answerTo(this.#run.steps, question);
    if (answer === undefined) return [];
    switch (question.method) {
      case "session/request_permission":
        return permissionKeys(this.#run, question);
      case "elicitation/create":
        return "result" in answer ? formKeys(question.params, asObject(answer.result)) : [];
      default:
        return this.#isOutside(question) ? [{ question: OUTSIDE, keys: OUTSIDE_NO }] : [];
    }
  }

  #isOutside({ method, params }: RequestStep): boolean {
    const path = asString(params.path);
    if (!method.startsWith("fs/") || path === undefined) return false;
    const opened = this.#run.steps.find((step) =>
      step.type === "request" && asString(step.params.cwd) !== undefined
    );
    const cwd = opened?.type === "request" ? asString(opened.params.cwd) ?? "" : "";
    return !path.startsWith(`${cwd}/`) || path.includes("/../");
  }

  /** Presses a key for a question, once more when it came too early for the program. */
  async #press({ question, keys }: KeyPress): Promise<void> {
    const asks = (screen: Screen) => question.test(screen.text());
    const end = Date.now() + WAIT_MS;
    for (;;) {
      await this.#screen.waitFor(asks, WAIT_MS);
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
      for (const key of keys) await this.#pty.write(key);
      try {
        return await this.#screen.waitFor((screen) => !asks(screen), SEEN_MS);
      } catch (error) {
        if (Date.now() > end) throw error;
      }
    }
  }
}

/** The key for an option; none where the turn is cancelled instead. */
function permissionKeys(run: PersonRun, question: RequestStep): readonly KeyPress[] {
  const { toolCall, options } = question.params;
  const { toolCallId, title } = asObject(toolCall);
  const words = (asString(title) ?? asString(toolCallId) ?? "").slice(0, 30);
  const shown = new RegExp(`: ${RegExp.escape(words)}[^]*Esc refuses`);
  const chosen = chosenOption(run, question);
  if (chosen === null) return [];
  const number = asArray(options).findIndex((option) => asObject(option).optionId === chosen) + 1;
  return [{ question: shown, keys: number > 0 ? `${number}` : "\x1b" }];
}

/** What has to be typed for a prompt to be sent: a slash alone would mean a command of ours. */
function typed(text: string, commands: readonly string[]): string {
  if (!text.startsWith("/")) return text;
  const isTheirs = commands.some((name) => `${text} `.startsWith(`/${name} `));
  if (!isTheirs) return ` ${text}`;
  return findCommand(text.slice(1).split(" ", 1)[0] ?? "") === undefined ? text : `/${text}`;
}

/** The names of the agent's commands before a step. */
function commandsBefore(run: PersonRun, index: number): string[] {
  const update = run.steps.slice(0, index).flatMap((step) =>
    step.type === "notification" ? [asObject(step.params.update)] : []
  ).findLast(({ sessionUpdate }) => sessionUpdate === "available_commands_update");
  return asArray(update?.availableCommands).flatMap((command) =>
    asString(asObject(command).name) ?? []
  );
}
