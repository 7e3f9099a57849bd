/**
 * What is on the screen: the transcript, a question, the queue, the editor and the status.
 *
 * @module
 */

import { append } from "../../base/append.ts";
import { basename } from "node:path";
import type { App } from "../../app/view.ts";
import { sanitizeText } from "../../base/sanitize.ts";
import type { SessionChange, SessionStore } from "../../model/session_store.ts";
import type { Background } from "./background.ts";
import { drawBottom, shifted } from "./bottom.ts";
import { CursorQuery } from "./cursor_query.ts";
import type { ViewContext } from "./entries/context.ts";
import { FrameTimer } from "./frame_timer.ts";
import type { HistorySearch } from "./history_search.ts";
import type { Keymap } from "./keys.ts";
import { wrapBehind } from "./layout.ts";
import { LiveRegion } from "./live_region.ts";
import { type Drawn, PromptEditor } from "./prompt_editor.ts";
import type { QuestionPanel } from "./question_panel.ts";
import { reflowOf, reflowOfAttributes } from "./reflow.ts";
import { SessionTranscripts } from "./session_transcripts.ts";
import { sameSize, type Size, type TerminalDevice } from "./terminal.ts";
import type { SwitchableTheme } from "./theme.ts";
import type { Transcript } from "./transcript.ts";
import { WindowSignals } from "./window_signals.ts";

/** What a front end is made with. */
export interface TuiParts {
  readonly app: App;
  readonly keys: Keymap;
  readonly theme: SwitchableTheme;
  readonly background: Background;
  /** How much of what was entered the arrow keys reach. */
  readonly historySize: number;
  readonly notifications: "auto" | "bell" | "off";
  readonly env: (name: string) => string | undefined;
}

type Blocks = typeof import("./blocks.ts");

/** How often elapsed times are brought up to date. */
const TICK_MS = 1_000;
const HINT_MS = 4_000;
/** What was written so short before a change of size may have arrived after it, in milliseconds. */
const LATE_MS = 16;
/** Time in which the system and the terminal come to agree on the size, in milliseconds. */
const RELOCATE_MS = 100;
/** Answers for another size after which we go on without. */
const MISPLACED = 5;

/** Draws the program; at most sixty times a second, and never faster than the terminal takes it. */
export class Painter {
  readonly editor: PromptEditor;
  readonly window: WindowSignals;
  /** The search that takes the editor's place. */
  search: HistorySearch | undefined;
  /** The terminal's window has the focus, as far as it tells. */
  focused = true;
  readonly #parts: TuiParts;
  readonly #terminal: TerminalDevice;
  readonly #region: LiveRegion;
  #blocks: Blocks | undefined;
  #transcripts: SessionTranscripts | undefined;
  #panel: QuestionPanel | undefined;
  /** Finished lines from elsewhere, for the next frame: above what the transcript adds to it. */
  #linesBefore: string[] = [];
  /** And below that. */
  #lines: string[] = [];
  #hint: { readonly text: string; readonly until: number } | undefined;
  /** Something on the screen tells how long it has taken. */
  #moves = false;
  /** Somebody else has the terminal. */
  #lent = false;
  #ended = false;
  #painted = false;
  readonly #cursor: CursorQuery;
  /** The terminal is being asked where our part is. */
  #locating = false;
  /** When the screen was last given something new. */
  #drawnAt = -Infinity;
  /** Answers in a row for another size than the system tells. */
  #misplaced = 0;
  /** It has told, or does not tell. */
  #located = false;
  readonly #timer = new FrameTimer(() => this.#paint());

  constructor(parts: TuiParts, terminal: TerminalDevice) {
    this.#parts = parts;
    this.#terminal = terminal;
    this.#region = new LiveRegion(reflowOf(parts.env));
    this.#cursor = new CursorQuery((text) => terminal.write(text));
    this.window = new WindowSignals(parts.env, parts.notifications);
    const host = { rows: () => terminal.size.rows, changed: () => this.schedule() };
    this.editor = new PromptEditor(host, parts.theme, parts.historySize);
  }

  /** Paints the first frame, then loads what stands above the editor. */
  async start(): Promise<void> {
    this.#paint();
    const blocks = await import("./blocks.ts");
    this.#blocks = blocks;
    const { active } = this.#parts.app.state;
    this.#transcripts = new SessionTranscripts(active, (store) => new blocks.Transcript(store));
    this.schedule();
  }

  /** The question that is asked. */
  get panel(): QuestionPanel | undefined {
    return this.#panel;
  }

  /** How things are rendered now. */
  get view(): ViewContext {
    const { theme, app, keys } = this.#parts;
    return {
      theme,
      width: Math.max(1, this.#terminal.size.columns),
      now: Date.now(),
      thoughts: app.state.thoughts ?? "folded",
      expandKey: keys.label("expand"),
      dropKey: keys.label("drop"),
    };
  }

  /** The terminal has told what it is. */
  meet(attributes: string): void {
    const { reflow } = this.#region;
    this.#region.reflow = reflowOfAttributes(attributes, reflow, this.#parts.env);
  }

  /** The terminal has answered something. */
  answered(reply: string): void {
    this.#cursor.take(reply);
  }

  /** Something has changed: a frame will show it. */
  schedule(): void {
    this.#timer.soon();
  }

  /** The window has another size, or had one in between. */
  resized(): void {
    this.#region.invalidate();
    this.#located = false;
    this.schedule();
  }

  /** A session has changed. */
  note(store: SessionStore, change: SessionChange): void {
    this.#transcripts?.note(store, change);
    this.schedule();
  }

  /** Writes a block of lines above, once. */
  say(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const first = this.#lines.length === 0 && !this.#painted;
    append(this.#lines, first || lines[0] === "" ? lines : ["", ...lines]);
    this.schedule();
  }

  /** Writes Markdown above, once; behind the command that it answers. */
  async sayMarkdown(text: string, command: string | undefined): Promise<void> {
    const { renderMarkdown } = this.#blocks ?? await import("./blocks.ts");
    const { theme, width } = this.view;
    if (command !== undefined) this.say(this.#commandLines(command));
    this.say(renderMarkdown(sanitizeText(text), width, theme));
  }

  /** Writes a command above the notice of the session that answers it. */
  sayCommand(command: string): void {
    this.#linesBefore.push("", ...this.#commandLines(command));
    this.schedule();
  }

  /** Shows a word in the status line for a while. */
  tell(hint: string, ms = HINT_MS): void {
    this.#hint = { text: hint, until: performance.now() + ms };
    this.schedule();
  }

  /** Writes the newest folded block in full. */
  expand(): void {
    const lines = this.#transcripts?.shown.expand(this.view);
    if (lines === undefined) this.tell("nothing is folded");
    else this.say(lines);
  }

  /** Writes everything that the open question asks. */
  sayQuestion(panel: QuestionPanel): void {
    if (this.#blocks === undefined) return;
    const { theme } = this.#parts;
    const { lines } = this.#blocks.questionLines(panel.question, this.view);
    this.say([theme.style("accent", "┌ what is asked"), ...lines, theme.style("accent", "└")]);
  }

  /** Draws the lower part again, on a screen that something else has written to. */
  redraw(): void {
    this.#settle(this.#terminal.size);
    this.#terminal.write(this.#region.erase(this.#terminal.size));
    this.schedule();
  }

  /** The screen around the cursor is not ours any more: begin on a new line. */
  begin(): void {
    if (this.#lent) return;
    this.#terminal.write("\r\n");
    this.#region.forget();
    this.schedule();
  }

  /** Takes our part off the screen while `work` runs, which may use the terminal. */
  async lend<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.#lent) return undefined;
    this.#settle(this.#terminal.size);
    this.#terminal.write(this.#region.erase(this.#terminal.size));
    this.#lent = true;
    try {
      return await work();
    } finally {
      this.#lent = false;
      this.#region.forget();
      this.schedule();
    }
  }

  /** Writes what is left and takes the rest off the screen. */
  async end(): Promise<void> {
    this.#ended = true;
    this.#timer.stop();
    await this.#terminal.flushed();
    const size = this.#terminal.size;
    this.#settle(size);
    const last = this.#transcript()?.frame(this.view, size.rows);
    const above = [...this.#linesBefore, ...last?.finished ?? [], ...this.#lines];
    const rest = [...above, ...last?.live ?? []];
    if (rest.length > 0) {
      this.#terminal.write(this.#region.draw({ finished: rest, live: [] }, size));
    }
    this.#terminal.write(this.#region.erase(size) + this.window.progress(false));
  }

  #paint(): void {
    if (this.#lent || this.#ended) return;
    if (this.#terminal.busy) {
      // A slow terminal gets fewer frames, not a longer queue of them.
      void this.#terminal.flushed().then(() => this.schedule());
      return;
    }
    const unsettled = this.#terminal.unsettledMs;
    if (unsettled > 0) return this.#timer.after(unsettled);
    if (this.#region.displaced(this.#terminal.size) && !this.#located) return void this.#locate();
    this.#timer.painting();
    this.#painted = true;
    this.#syncPanel();
    const { size } = this.#terminal;
    const { view } = this;
    this.#settle(size);
    const transcript = this.#transcript();
    const bottom = this.#bottom(view, size.rows);
    if (this.#linesBefore.length > 0) transcript?.interrupt();
    const { finished, live } = transcript?.frame(view, size.rows - bottom.lines.length - 1) ??
      { finished: [], live: [] };
    if (this.#lines.length > 0) transcript?.interrupt();
    this.#moves = live.length > 0;
    const all = [...live, ...bottom.lines];
    const top = Math.max(0, all.length - Math.max(1, size.rows));
    const cursor = shifted(bottom.cursor, live.length - top);
    const above = [...this.#linesBefore, ...finished, ...this.#lines];
    const frame = { finished: above, live: all.slice(top) };
    this.#linesBefore = [];
    this.#lines = [];
    const drawn = this.#region.draw(cursor === undefined ? frame : { ...frame, cursor }, size);
    if (drawn !== "") this.#drawnAt = performance.now();
    this.#terminal.write(drawn + this.#windowState());
    this.#arrangeTick();
  }

  /** Asks where the terminal has moved our part to; the next frame waits for the answer. */
  async #locate(): Promise<void> {
    if (this.#locating) return;
    this.#locating = true;
    const place = await this.#cursor.ask();
    this.#locating = false;
    const unsettled = this.#terminal.unsettledMs;
    if (unsettled > 0) return this.#timer.after(unsettled);
    // An answer for a size that is no more, or of which we are told later, would mislead.
    if (place !== undefined && !sameSize(place.size, this.#terminal.size)) {
      if (++this.#misplaced < MISPLACED) return this.#timer.after(RELOCATE_MS);
    } else if (place !== undefined) this.#region.located(place.row);
    this.#misplaced = 0;
    this.#located = true;
    this.schedule();
  }

  /** What the terminal has done to our part is what it is: goes on from there. */
  #settle(size: Size): void {
    if (!this.#region.displaced(size)) return;
    const late = this.#terminal.changedAt - this.#drawnAt < LATE_MS;
    const kept = this.#transcripts?.shown.settle(this.#region.pushedOff(size), late) ?? 0;
    this.#region.release(kept);
    this.#located = false;
  }

  /** The transcript of the active session; after a change of session, behind its name. */
  #transcript(): Transcript | undefined {
    const between = this.#transcripts?.show(this.#parts.app.state.active, this.view) ?? [];
    append(this.#linesBefore, between);
    return this.#transcripts?.shown;
  }

  #commandLines(command: string): string[] {
    const { theme, width } = this.view;
    return wrapBehind(
      theme.style("user", "› "),
      theme.style("bold", sanitizeText(command)),
      width,
    );
  }

  #syncPanel(): void {
    const { app, keys } = this.#parts;
    const question = app.state.questions[0];
    if (this.#blocks === undefined || question?.id === this.#panel?.question.id) return;
    this.#panel = question === undefined
      ? undefined
      : new this.#blocks.QuestionPanel(question, keys, () => performance.now());
    if (question !== undefined && !this.focused) {
      this.#terminal.write(this.window.notify(`A question waits: ${question.title}`));
    }
  }

  #bottom(view: ViewContext, rows: number): Drawn {
    const { app, env, keys } = this.#parts;
    const { editor, search } = this;
    const hint = this.#hint !== undefined && this.#hint.until > performance.now()
      ? this.#hint.text
      : undefined;
    const parts = {
      app: app.state,
      editor,
      search,
      panel: this.#panel,
      hint,
      cancelKey: keys.label("close"),
      home: env("HOME"),
    };
    return drawBottom(parts, view, rows);
  }

  #windowState(): string {
    const { turn, title, cwd } = this.#parts.app.state.active.state;
    const name = title !== undefined && title.trim() !== "" ? title : basename(cwd);
    return this.window.title(`mm-repl — ${name}`) +
      this.window.progress(turn.state === "running" && this.#panel === undefined);
  }

  /** Elapsed times move on, and hints go away. */
  #arrangeTick(): void {
    const now = performance.now();
    if (this.#hint !== undefined && this.#hint.until <= now) this.#hint = undefined;
    const { turn } = this.#parts.app.state.active.state;
    const ticks = this.#moves || turn.state === "running" || this.#panel !== undefined;
    if (ticks) this.#timer.after(TICK_MS);
    if (this.#hint !== undefined) this.#timer.after(this.#hint.until - now);
  }
}
