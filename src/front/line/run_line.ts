/**
 * The REPL in plain lines: whole messages, no cursor movement, fit for a screen reader and a log.
 *
 * @module
 */

import { outcomeCode } from "../../app/outcome.ts";
import type { App, AppChange, AppState, Question } from "../../app/view.ts";
import { type Clock, steadyClock, within } from "../../base/clock.ts";
import { ERROR_TABLE } from "../../base/errors.ts";
import { sanitizeLine } from "../../base/sanitize.ts";
import { NOT_TEXT } from "../../base/watch_text.ts";
import type { SessionStore } from "../../model/session_store.ts";
import type { SessionEvent } from "../../model/session.ts";
import { openStderr, openStdout, type Output, sayOutputFailed } from "../output.ts";
import { answerHelp, parseAnswer } from "./answers.ts";
import { CUT_LINE, readLines } from "./line_reader.ts";
import { plainMarkdown } from "./plain_markdown.ts";
import { TerminalInput } from "./terminal_input.ts";
import { Transcript, type TranscriptLine } from "./transcript.ts";

/** How to run. */
export interface RunLineOptions {
  /** Colour the lines, where stdout is a terminal. Default false. */
  readonly colour?: boolean;
  /** Default: the program's own. */
  readonly stdin?: ReadableStream<Uint8Array>;
  readonly stdout?: Output;
  readonly stderr?: Output;
  readonly clock?: Clock;
  /** Turns the terminal's echo off or on; gives whether it is off. Default: stdin's, if it is one. */
  readonly hideInput?: (hide: boolean) => boolean;
  /** Calls the listener on Ctrl-C; gives back what takes it away. Default: SIGINT. */
  readonly onInterrupt?: (listener: () => void) => () => void;
}

/** How soon after a question an answer counts: what was typed before it was there does not. */
const READING_MS = 500;

/** How soon a second Ctrl-C must come to leave, in milliseconds. */
const LEAVE_MS = 2_000;

/** How long a command may take before it is told that it is not done, in milliseconds. */
const SLOW_MS = 1_000;

const PROMPT = "> ";

/**
 * Runs the REPL on lines of stdin until it ends, and gives the exit status. With a person, a line
 * is a prompt, a command or an answer, and a backslash at its end goes on with the next line.
 * Without one each line is a prompt or a command, carried out one after the other; the status is
 * that of the first that went wrong, 0 when none did. Never rejects.
 */
export function runLine(app: App, options: RunLineOptions = {}): Promise<number> {
  return new LineRun(app, options).run();
}

/** A question that waits for a line. */
interface Asked {
  readonly question: Question;
  /** When it was written; `Infinity` until then: no line is an answer to it yet. */
  readonly askedAt: number;
  /** Only its beginning was written. */
  readonly cut: boolean;
}

class LineRun {
  readonly #app: App;
  readonly #stdin: ReadableStream<Uint8Array>;
  readonly #stdout: Output;
  readonly #stderr: Output;
  readonly #clock: Clock;
  readonly #colour: boolean;
  readonly #onInterrupt: (listener: () => void) => () => void;
  readonly #input: TerminalInput;
  readonly #transcripts = new WeakMap<SessionStore, Transcript>();
  #question: Asked | undefined;
  #status = 0;
  #denied = false;
  #promptShown = false;
  #promptDue = false;
  #interruptedAt = -Infinity;

  constructor(app: App, options: RunLineOptions) {
    this.#app = app;
    this.#stdin = options.stdin ?? Deno.stdin.readable;
    this.#stdout = options.stdout ?? openStdout();
    this.#stderr = options.stderr ?? openStderr();
    this.#clock = options.clock ?? steadyClock;
    this.#colour = options.colour === true && this.#stdout.isTerminal;
    this.#onInterrupt = options.onInterrupt ?? onSigint;
    this.#input = new TerminalInput(options.hideInput);
  }

  async run(): Promise<number> {
    this.#app.colourless = true;
    const stop = this.#app.subscribe((change) => this.#take(change));
    const release = this.#onInterrupt(() => this.#interrupt());
    void this.#stdout.closed.then((error) => {
      sayOutputFailed(this.#stderr, error);
      void this.#app.leave(error.exit);
    });
    if (this.#app.interactive) this.#write([greeting(this.#app.state)]);
    this.#advance();
    try {
      // Reading may never end by itself: it is left behind when the program ends.
      void this.#read().catch(() => this.#app.leave(ERROR_TABLE.internal.exit));
      const status = await this.#app.done;
      this.#write([]);
      await Promise.all([this.#stdout.flush(), this.#stderr.flush()]);
      return this.#stdout.failure?.exit ?? (status === 0 ? this.#wrong : status);
    } finally {
      stop();
      release();
      this.#input.restore();
    }
  }

  async #read(): Promise<void> {
    let any = false;
    let draft = "";
    const failed = this.#app.interactive ? undefined : await this.#app.startError;
    if (failed !== undefined) return await this.#app.leave(failed.exit);
    const terminal = this.#app.interactive;
    const hidden = () => this.#input.hidden;
    const onNotText = () => this.#stderr.write(`mm-repl: ${NOT_TEXT}\n`);
    for await (const line of readLines(this.#stdin, { hidden, terminal, onNotText })) {
      this.#promptShown = false;
      if (line === CUT_LINE) {
        this.#write(this.#input.askAgain());
        continue;
      }
      // The Enter that ended it was not shown either.
      if (this.#input.takeAgain()) this.#stdout.write("\n");
      if (this.#app.interactive) {
        if (this.#question !== undefined && draft === "") {
          this.#answer(line);
          continue;
        }
        if (line.endsWith("\\")) {
          draft += `${line.slice(0, -1)}\n`;
          continue;
        }
        const text = draft + line;
        void this.#tellSlow(text, this.#app.submit(text));
        draft = "";
        this.#duePrompt();
      } else if (line.trim() !== "") {
        any = true;
        await this.#app.submit(line);
      }
    }
    if (this.#app.interactive) return await this.#app.leave(0);
    if (!any) {
      this.#stderr.write(
        "Error: there is no prompt: the input ended before any line\n" +
          "Give one with -p PROMPT, or pipe prompts in, one a line; see mm-repl --help.\n",
      );
      return await this.#app.leave(ERROR_TABLE.usage.exit);
    }
    await this.#app.leave(0);
  }

  /** Says what a command waits for; the prompt is shown again when it has ended. */
  async #tellSlow(text: string, ended: Promise<void>): Promise<void> {
    const timed = await within(ended, SLOW_MS, this.#clock);
    const { underway = [], questions } = this.#app.state;
    if (!timed.ok && underway.includes(text) && questions.length === 0) {
      this.#write([`Waiting: ${sanitizeLine(text)} is not done yet.`]);
    }
    await ended;
    this.#duePrompt();
  }

  /** The status of what went wrong although there was nobody to see it, whatever ended the run. */
  get #wrong(): number {
    if (this.#app.interactive) return 0;
    const denied = this.#denied || this.#app.unanswered;
    return this.#status === 0 && denied ? ERROR_TABLE.permission_denied.exit : this.#status;
  }

  #answer(line: string): void {
    const asked = this.#question;
    if (asked === undefined) return;
    // The Enter that ended it was not shown either.
    if (this.#input.hidden) this.#stdout.write("\n");
    if (this.#clock.now() - asked.askedAt < READING_MS) {
      return this.#write(["That came before the question could be read: answer it now."]);
    }
    if (asked.cut && line.trim() === "v") return void this.#writeQuestion(asked.question, true);
    const answer = parseAnswer(asked.question, line);
    if (answer === undefined) return this.#write([answerHelp(asked.question, this.#input.hidden)]);
    this.#app.answer(asked.question.id, answer);
  }

  #interrupt(): void {
    if (this.#input.takeAgain()) return this.#write(["Nothing was sent."]);
    const now = this.#clock.now();
    if (!this.#app.interactive) return void this.#app.leave(ERROR_TABLE.interrupted.exit);
    if (this.#app.cancelTurn()) return this.#write(["Cancelling the turn."]);
    if (now - this.#interruptedAt <= LEAVE_MS) {
      return void this.#app.leave(ERROR_TABLE.interrupted.exit);
    }
    this.#interruptedAt = now;
    this.#write(["Press Ctrl-C again to leave."]);
  }

  #take(change: AppChange): void {
    switch (change.type) {
      case "output":
        return this.#write(plainMarkdown(change.text));
      case "state":
        this.#advance();
        return this.#ask(change.state.questions[0]);
      case "session": {
        const { event, state } = change.change;
        // What is asked while a history is repeated was settled long ago.
        if (event.type === "permission_answered" && !state.replaying) {
          this.#denied ||= event.answer.by === "nobody";
        }
        if (this.#status === 0) this.#status = statusOf(event);
        if (change.store !== this.#app.state.active) return;
        this.#writeLines(this.#transcript(change.store).event(change.change));
        this.#advance();
      }
    }
  }

  /** Writes what of the active session has become final. */
  #advance(): void {
    const store = this.#app.state.active;
    this.#writeLines(this.#transcript(store).advance(store.state));
    if (store.state.turn.state === "idle") this.#duePrompt();
  }

  #transcript(store: SessionStore): Transcript {
    const known = this.#transcripts.get(store);
    if (known !== undefined) return known;
    const transcript = new Transcript({
      thoughts: () => this.#app.state.thoughts ?? "folded",
      echo: !this.#app.interactive,
    });
    this.#transcripts.set(store, transcript);
    return transcript;
  }

  #ask(question: Question | undefined): void {
    if (question?.id === this.#question?.question.id) return;
    this.#question = question && { question, askedAt: Infinity, cut: false };
    this.#input.secret = question?.kind === "secret";
    if (question !== undefined) void this.#writeQuestion(question, false);
  }

  async #writeQuestion(question: Question, whole: boolean): Promise<void> {
    // Loaded with the first question: it takes as long as all the rest, and most runs have none.
    const { questionLines } = await import("./question_lines.ts");
    if (this.#question?.question.id !== question.id) return;
    const { lines, cut } = questionLines(question, whole);
    if (!whole) this.#question = { question, askedAt: this.#clock.now(), cut };
    this.#write([...lines, answerHelp(question, this.#input.hidden)]);
  }

  #writeLines(lines: readonly TranscriptLine[]): void {
    if (lines.length === 0) return;
    this.#write(this.#colour ? lines.map(coloured) : lines.map(({ text }) => text));
  }

  /** Writes whole lines; one that the prompt stands on is left first. */
  #write(lines: readonly string[]): void {
    if (this.#promptShown) this.#stdout.write("\n");
    this.#promptShown = false;
    for (const line of lines) this.#stdout.write(`${line}\n`);
    if (lines.length > 0) this.#duePrompt();
  }

  /** Shows the prompt once what is going on has been written. */
  #duePrompt(): void {
    if (!this.#app.interactive || this.#promptDue) return;
    this.#promptDue = true;
    setTimeout(() => {
      this.#promptDue = false;
      const { phase, active } = this.#app.state;
      const busy = active.state.turn.state === "running" && this.#question === undefined;
      if (busy || this.#promptShown || phase === "closing" || phase === "starting") return;
      this.#promptShown = true;
      this.#stdout.write(PROMPT);
    }, 0);
  }
}

/** Whom the person talks to, and where help is. */
function greeting({ agent, demo }: AppState): string {
  const name = demo ? "the demo agent" : sanitizeLine(agent);
  return `mm-repl with ${name}: /help lists the commands, Ctrl-D leaves.`;
}

/** What an event means for a run without a person: turns and commands that fail count. */
function statusOf(event: SessionEvent): number {
  if (event.type === "turn_ended") {
    const code = outcomeCode(event.outcome);
    return code === undefined ? 0 : ERROR_TABLE[code].exit;
  }
  const failed = event.type === "notice_added" && event.severity === "error";
  return failed ? ERROR_TABLE.request_failed.exit : 0;
}

const COLOURS: Readonly<Record<TranscriptLine["kind"], string>> = {
  user: "1",
  agent: "",
  thought: "2",
  tool: "36",
  plan: "",
  notice: "33",
  compaction: "2",
  command: "36",
  unknown: "2",
  mark: "2",
};

function coloured({ kind, text }: TranscriptLine): string {
  const code = COLOURS[kind];
  return code === "" ? text : `\x1b[${code}m${text}\x1b[0m`;
}

function onSigint(listener: () => void): () => void {
  Deno.addSignalListener("SIGINT", listener);
  return () => Deno.removeSignalListener("SIGINT", listener);
}
