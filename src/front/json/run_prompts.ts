/**
 * Prompts from the command line, one after the other, and then the end: no terminal, no questions.
 *
 * @module
 */

import type { App, AppChange } from "../../app/view.ts";
import { ERROR_TABLE, type ErrorCode, type MmError } from "../../base/errors.ts";
import { sanitizeLine } from "../../base/sanitize.ts";
import { initialSession } from "../../model/reduce.ts";
import type { SessionChange } from "../../model/session_store.ts";
import type { Entry, NoticeEntry, SessionState } from "../../model/session.ts";
import { nameLine } from "../endless.ts";
import { noticeLines, toolEndLine, toolLogLines, toolName } from "../entry_lines.ts";
import { openBoth, openStdout, type Output, type Outputs, sayOutputFailed } from "../output.ts";
import { AgentText } from "./agent_text.ts";
import { OrderedOutput } from "./ordered_output.ts";
import { RunReport } from "./report.ts";

/** Of the format of `stream-json`, as its schema says. */
const STREAM_VERSION = 1;

/** Codes of failures that are no errors to others, so that their notices are none. */
const NOTICED: ReadonlySet<ErrorCode> = new Set([
  "permission_denied",
  "max_tokens",
  "max_turn_requests",
  "cancelled",
  "unknown_stop_reason",
]);

/** Codes that are said when it happens, or to nobody. */
const SAID_AT_ONCE: ReadonlySet<ErrorCode> = new Set(["timeout", "output_failed", "output_closed"]);

/** Statuses from here on are signals. */
const FIRST_SIGNAL = 128;

/** What to run and how to answer. */
export interface RunPromptsOptions {
  /** Sent one after the other; the first that fails is the last. */
  readonly prompts: readonly string[];
  /**
   * `text`: the agent's messages as they come. `json`: one document at the end. `stream-json`: every
   * session event as it happens, one a line (docs/stream-json.schema.json).
   */
  readonly output: "text" | "json" | "stream-json";
  /** Nothing on stderr but errors. Default false. */
  readonly quiet?: boolean;
  /** Bound of the whole run in milliseconds; none by default. */
  readonly timeoutMs?: number;
  /** How much of that bound was spent before. Default 0. */
  readonly spentMs?: number;
  /** Default: the program's own. */
  readonly outputs?: Outputs;
}

/**
 * Sends prompts and writes what comes. Call it right after the program was created, so that nothing
 * is missed. Settles with the exit status when everything is written and the program has ended; the
 * meaning of each status is in the table of errors. Never rejects.
 */
export function runPrompts(app: App, options: RunPromptsOptions): Promise<number> {
  return new PromptRun(app, options).run();
}

/** Writes what a run that failed before there was a program comes to. Never rejects. */
export async function writeFailedRun(
  error: MmError,
  output: RunPromptsOptions["output"],
  stdout: Output = openStdout(),
): Promise<void> {
  const report = new RunReport();
  report.fail(describe(error));
  if (output === "json") stdout.write(documentText(report, initialSession("")));
  if (output === "stream-json") stdout.write(startLine() + endLine(error.exit, report));
  await stdout.flush();
}

class PromptRun {
  readonly #app: App;
  readonly #options: RunPromptsOptions;
  readonly #stdout: Output;
  readonly #stderr: Output;
  readonly #text = new AgentText();
  readonly #report = new RunReport();
  /** What text is written with. */
  readonly #output: OrderedOutput;
  /** Number of entries of the session that were looked at. */
  #seen = 0;
  /** Tool calls that have not ended. */
  readonly #open = new Set<number>();
  #saidError = false;

  constructor(app: App, options: RunPromptsOptions) {
    this.#app = app;
    this.#options = options;
    const { stdout, stderr } = options.outputs ?? openBoth();
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.#output = new OrderedOutput({ stdout, stderr }, this.#text);
  }

  async run(): Promise<number> {
    const stop = this.#app.subscribe((change) => this.#take(change));
    void this.#stdout.closed.then((failure) => this.#outputFailed(failure));
    if (this.#options.output === "stream-json") this.#stdout.write(startLine());
    const { timeoutMs, spentMs = 0 } = this.#options;
    const timer = timeoutMs === undefined ? undefined : setTimeout(
      () => this.#timedOut(timeoutMs),
      timeoutMs - spentMs,
    );
    try {
      await Promise.race([this.#send(), this.#app.done]);
      const ended = this.#app.state.phase === "closing" ? await this.#app.done : undefined;
      const status = ended ?? this.#status();
      this.#explain(status);
      this.#finish(status);
      await Promise.all([this.#stdout.flush(), this.#stderr.flush(), this.#app.leave(status)]);
      const left = await this.#app.done;
      return this.#stdout.failure?.exit ?? left;
    } finally {
      clearTimeout(timer);
      stop();
    }
  }

  async #send(): Promise<void> {
    const failed = await this.#app.startError;
    if (failed !== undefined) return this.#report.fail(describe(failed));
    for (const prompt of this.#options.prompts) {
      const outcome = await this.#app.prompt(prompt);
      // What becomes of a turn because we leave is not why the run has failed.
      const leaving = this.#app.state.phase === "closing";
      if (outcome === undefined) {
        const message = "The agent was gone before the prompt was sent";
        return leaving ? undefined : this.#report.fail({ code: "agent_died", message });
      }
      this.#report.endTurn(outcome, leaving);
      if (leaving || this.#report.error !== undefined) return;
    }
  }

  #status(): number {
    const { unanswered } = this.#app;
    if (unanswered !== undefined || this.#report.denied) {
      const { message = "A permission was denied because nobody could be asked", hint } =
        unanswered ?? {};
      this.#report.fail({
        code: "permission_denied",
        message,
        hint: `${hint ?? "--permissions allow, or rules in the configuration permit it"}.`,
      });
    }
    const code = this.#report.error?.code;
    return code === undefined ? 0 : ERROR_TABLE[code].exit;
  }

  #outputFailed(error: MmError): void {
    sayOutputFailed(this.#stderr, error);
    this.#leave(error.code);
  }

  #timedOut(ms: number): void {
    const message = `The run timed out after ${Number((ms / 1_000).toFixed(1))} s`;
    this.#report.fail({ code: "timeout", message });
    this.#say(`Error: ${message}`, "error");
    this.#leave("timeout");
  }

  #leave(code: ErrorCode): void {
    void this.#app.leave(ERROR_TABLE[code].exit);
  }

  /** Sees to it that stderr says why the run fails. */
  #explain(status: number): void {
    const code = (Object.keys(ERROR_TABLE) as ErrorCode[])
      .find((code) => ERROR_TABLE[code].exit === status);
    if (code === undefined) return;
    // A signal or the like has ended the run: nothing else has said why.
    this.#report.fail({ code, message: ERROR_TABLE[code].meaning });
    if (SAID_AT_ONCE.has(code) || (this.#options.quiet !== true && NOTICED.has(code))) return;
    // What went wrong before, and did not end the run, is another matter.
    if (this.#saidError && !NOTICED.has(code) && status < FIRST_SIGNAL) return;
    const { message = "", hint } = this.#report.error ?? {};
    const line = `${message.slice(0, 1).toUpperCase()}${message.slice(1)}`;
    this.#say(`Error: ${sanitizeLine(hint === undefined ? line : `${line}; ${hint}`)}`, "error");
  }

  /** Writes what comes at the end. */
  #finish(status: number): void {
    switch (this.#options.output) {
      case "text":
        return this.#output.end();
      case "json":
        return this.#stdout.write(documentText(this.#report, this.#app.state.active.state));
      case "stream-json":
        return this.#stdout.write(endLine(status, this.#report));
    }
  }

  #take(change: AppChange): void {
    if (change.type !== "session" || change.store !== this.#app.state.active) return;
    const text = this.#text.added(change.change);
    this.#report.add(change.change, this.#options.output === "json" ? text : "");
    if (this.#options.output === "text" && text !== "") this.#output.writeText(text);
    if (this.#options.output === "stream-json") this.#streamEvent(change.change);
    // What comes of our own leaving is no news.
    if (this.#app.state.phase !== "closing") this.#progress(change.change);
  }

  #streamEvent({ event, state }: SessionChange): void {
    if (state.replaying || event.type === "replay_ended") return;
    this.#stdout.write(`${JSON.stringify(event)}\n`);
  }

  /** Tells on stderr what the agent does; the cost does not depend on the length of the session. */
  #progress({ event, state }: SessionChange): void {
    const { entries } = state;
    for (; this.#seen < entries.length; this.#seen++) {
      const entry = entries.at(this.#seen);
      if (entry !== undefined && !entry.history) this.#began(entry);
    }
    for (const index of this.#open) {
      const entry = entries.at(index);
      if (entry?.kind !== "tool" || entry.endedAt === undefined) continue;
      this.#open.delete(index);
      this.#say(toolEndLine(entry));
    }
    if (event.type === "tool_logged") {
      toolLogLines(event.tool, event.text).forEach((line) => this.#say(line));
    }
  }

  #began(entry: Entry): void {
    if (entry.kind === "notice") {
      noticeLines(entry).forEach((line) => this.#say(line, entry.severity));
    }
    if (entry.kind === "unknown") this.#say(`Unknown update: ${nameLine(entry.name)}`);
    if (entry.kind !== "tool") return;
    this.#open.add(entry.index);
    this.#say(`${toolName(entry)}: started`);
  }

  #say(line: string, severity: NoticeEntry["severity"] = "info"): void {
    if (this.#options.quiet === true && severity !== "error") return;
    this.#saidError ||= severity === "error";
    if (this.#options.output !== "text") return this.#stderr.write(`${line}\n`);
    this.#output.writeLine(line, this.#app.state.active.state);
  }
}

function documentText(report: RunReport, state: SessionState): string {
  return `${JSON.stringify(report.document(state), null, 2)}\n`;
}

/** The first line of the stream. */
function startLine(): string {
  return `${JSON.stringify({ type: "run_started", version: STREAM_VERSION, at: Date.now() })}\n`;
}

/** The last line of the stream. */
function endLine(status: number, report: RunReport): string {
  const error = report.error ?? null;
  return `${JSON.stringify({ type: "run_ended", status, error, at: Date.now() })}\n`;
}

function describe({ code, message, hint, stderr, rpc }: MmError) {
  return {
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(stderr === undefined || stderr === "" ? {} : { stderr }),
    ...(rpc === undefined ? {} : { rpc }),
  };
}
