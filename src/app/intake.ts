/**
 * What a person enters, carried out: prompts, commands, a bare Enter.
 *
 * @module
 */

import { MmError, toMmError } from "../base/errors.ts";
import type { TurnOutcome } from "../model/session.ts";
import type { Command, CommandHost } from "./commands/command.ts";
import {
  type Input,
  namesAgentCommand,
  parseInput,
  parseShellInput,
  type ShellInput,
} from "./input.ts";
import { joinLines } from "./notice_text.ts";
import type { InputHistory, SubmitOptions } from "./view.ts";

/** What the intake works on. */
export interface IntakeOptions {
  readonly host: CommandHost;
  readonly history: InputHistory;
  /** Settles when the start that goes on has ended. */
  readonly started: () => Promise<unknown>;
  /** Whether the agent was started and opens no session before a person has signed in. */
  readonly wantsSignIn: () => boolean;
  /** Settles when no session is being opened any more. Never rejects. */
  readonly opened: () => Promise<unknown>;
  readonly cancelTurn: () => boolean;
  /** Called when {@link Intake.underway} has changed. */
  readonly changed: () => void;
  /** Runs a line in the user's shell; settles when it has ended. */
  readonly runCommand: (command: string, shared: boolean) => Promise<void>;
}

/** The table of commands, loaded when one may be meant: a run with `-p` needs none of them. */
type Commands = typeof import("./commands/mod.ts");

/** Takes input; see `App.submit` and `App.prompt`. */
export class Intake {
  #commands: Promise<Commands> | undefined;
  #underway: readonly string[] = [];
  #remembering: Promise<unknown> = Promise.resolve();
  readonly #options: IntakeOptions;
  readonly #host: CommandHost;

  constructor(options: IntakeOptions) {
    this.#options = options;
    this.#host = options.host;
  }

  /** Commands that are being carried out, as they were entered, oldest first. */
  get underway(): readonly string[] {
    return this.#underway;
  }

  /** Takes what a person entered. Never rejects. */
  async submit(text: string, options: SubmitOptions = {}): Promise<void> {
    if (text.trim() === "") return await this.#enter();
    if (options.remembered !== false) {
      this.#remembering = Promise.all([this.#remembering, this.#options.history.add(text)]);
    }
    const shell = this.#host.options.interactive ? parseShellInput(text) : undefined;
    if (shell !== undefined) return await this.#try(() => this.#runInShell(shell));
    // Text that cannot be a command is put in line at once.
    if (!text.startsWith("/")) return await this.#send(text, options.now);
    this.#commands ??= import("./commands/mod.ts");
    const commands = await this.#commands;
    let input = this.#parse(text, commands);
    if (input.type === "unknown" || namesAgentCommand(text)) {
      // The agent may yet say that the command is its own.
      await this.#options.started();
      await this.#options.opened();
      await this.#host.active.commandsTold();
      input = this.#parse(text, commands);
    }
    switch (input.type) {
      case "empty":
        return await this.#enter();
      case "prompt":
        return await this.#send(input.text, options.now);
      case "command": {
        const command = commands.findCommand(input.name);
        if (command === undefined) return;
        return await this.#whileUnderway(text, async () => {
          if (command.needsAgent === true) await this.#options.started();
          if (command.atOnce !== true) await this.#options.opened();
          await this.#try(() => carryOut(command, input.args, this.#host));
        });
      }
      case "unknown":
        return this.#refuse(input.name, input.suggestion);
    }
  }

  /** Sends a prompt and waits for its turn. Where nobody is asked, it says so if that cannot be. */
  async #send(text: string, now?: boolean): Promise<void> {
    const outcome = await this.prompt(text, now);
    const { state, options } = this.#host;
    if (outcome !== undefined || options.interactive || state.phase === "closing") return;
    const [line = ""] = text.split("\n");
    this.#host.notice("error", `There is no session, so this was not sent: ${line}`);
  }

  /** Puts a prompt in line; `undefined` when it was never sent. Never rejects. */
  prompt(text: string, now = false): Promise<TurnOutcome | undefined> {
    const { active, destination, options, state } = this.#host;
    if (state.phase === "closing") return Promise.resolve(undefined);
    const isOpening = state.phase === "starting" || destination !== active;
    const open = isOpening || active.session !== undefined;
    if (!open && !options.interactive) return Promise.resolve(undefined);
    const sent = destination.queue.add({ text, attachments: active.attachments.takeAll() }, now);
    if (now && destination === active) this.#options.cancelTurn();
    if (!open) {
      this.#host.notice(
        "warning",
        "The prompt is kept: there is no session to send it to",
        this.#adviceForKept(),
      );
    }
    return sent;
  }

  #adviceForKept(): string {
    const { active, state } = this.#host;
    if (state.phase === "disconnected") return "Enter or /restart starts the agent again.";
    if (this.#options.wantsSignIn()) return "/login signs in, opens the session and sends it.";
    return active.store.state.sessionId === ""
      ? "/new opens a session and sends it."
      : "/reconnect tries to open it again, /new opens a session and sends it.";
  }

  /** Settles when everything that was entered is in the history. */
  async remembered(): Promise<void> {
    await this.#remembering;
  }

  async #enter(): Promise<void> {
    if (this.#host.state.phase === "disconnected") return await this.#host.restart();
    this.#host.active.queue.release();
  }

  async #runInShell({ command, shared }: ShellInput): Promise<void> {
    if (command === "") {
      throw new MmError("usage", "Cannot run nothing: a command follows the !", {
        hint: "A space before the ! sends it as text.",
      });
    }
    await this.#options.runCommand(command, shared);
  }

  async #whileUnderway(text: string, work: () => Promise<void>): Promise<void> {
    this.#setUnderway([...this.#underway, text]);
    await work();
    this.#setUnderway(this.#underway.toSpliced(this.#underway.indexOf(text), 1));
  }

  #setUnderway(commands: readonly string[]): void {
    this.#underway = commands;
    this.#options.changed();
  }

  /** What it throws becomes a notice. */
  async #try(work: () => Promise<void> | void): Promise<void> {
    try {
      await work();
    } catch (error) {
      const { message, hint, stderr } = toMmError(error);
      this.#host.notice("error", message, joinLines(hint, stderr));
    }
  }

  #refuse(name: string, suggestion: string | undefined): void {
    this.#host.notice(
      "error",
      `There is no command /${name}: it was not sent`,
      joinLines(
        suggestion === undefined ? "/help lists the commands." : `Did you mean /${suggestion}?`,
        "A space before the slash sends it as text.",
      ),
    );
  }

  #parse(text: string, { COMMANDS }: Commands): Input {
    return parseInput(
      text,
      COMMANDS.map((command) => command.name),
      this.#host.active.store.state.commands.map((command) => command.name),
    );
  }
}

/** What is left over may be what the person meant: `/close 2` must not close another session. */
function carryOut(command: Command, args: string, host: CommandHost): Promise<void> | void {
  if (args !== "" && command.args === "" && command.loose !== true) {
    throw new MmError("usage", `Nothing was done: /${command.name} takes no arguments`);
  }
  return command.run(args, host);
}
