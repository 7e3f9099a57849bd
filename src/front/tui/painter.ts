/**
 * What is on the screen: the transcript, a question, the queue, the editor and the status.
 *
 * @module
 */

import { basename } from "node:path";
import type { App } from "../../app/view.ts";
import { sanitizeText } from "../../base/sanitize.ts";
import type { SessionChange, SessionStore } from "../../model/session_store.ts";
import { Above } from "./above.ts";
import type { Background } from "./background.ts";
import { drawBottom, shifted } from "./bottom.ts";
import type { ViewContext } from "./entries/context.ts";
import { FrameTimer } from "./frame_timer.ts";
import type { HistorySearch } from "./history_search.ts";
import type { Keymap } from "./keys.ts";
import { wrapBehind } from "./layout.ts";
import { LiveRegion } from "./live_region.ts";
import { Placement } from "./placement.ts";
import { type Drawn, PromptEditor } from "./prompt_editor.ts";
import type { QuestionPanel } from "./question_panel.ts";
import { reflowOf, reflowOfAttributes } from "./reflow.ts";
import { SessionTranscripts } from "./session_transcripts.ts";
import type { TerminalDevice } from "./terminal.ts";
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
  readonly #above = new Above();
  readonly #placement: Placement;
  #hint: { readonly text: string; readonly until: number } | undefined;
  /** Something on the screen tells how long it has taken. */
  #moves = false;
  /** Somebody else has the terminal. */
  #lent = false;
  #ended = false;
  readonly #timer = new FrameTimer(() => this.#paint());

  constructor(parts: TuiParts, terminal: TerminalDevice) {
    this.#parts = parts;
    this.#terminal = terminal;
    this.#region = new LiveRegion(reflowOf(parts.env));
    this.#placement = new Placement(this.#region, terminal, (ms) => this.#timer.after(ms));
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
    this.#placement.take(reply);
  }

  /** Something has changed: a frame will show it. */
  schedule(): void {
    this.#timer.soon();
  }

  /** The window has another size, or had one in between. */
  resized(): void {
    this.#placement.moved();
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
    this.#above.add(lines);
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
    this.#above.addBefore(["", ...this.#commandLines(command)]);
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
    this.#takeAway();
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
    this.#takeAway();
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
    this.#placement.settle(size, this.#transcripts?.shown);
    const { finished, live } = this.#above.frame(this.#transcript(), this.view, size.rows);
    const rest = [...finished, ...live];
    if (rest.length > 0) {
      this.#terminal.write(this.#region.draw({ finished: rest, live: [] }, size));
    }
    this.#terminal.write(this.#region.erase(size) + this.window.progress(false));
  }

  #takeAway(): void {
    const { size } = this.#terminal;
    this.#placement.settle(size, this.#transcripts?.shown);
    this.#terminal.write(this.#region.erase(size));
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
    const { size } = this.#terminal;
    if (!this.#placement.known(size)) return;
    this.#timer.painting();
    this.#syncPanel();
    const { view } = this;
    this.#placement.settle(size, this.#transcripts?.shown);
    const transcript = this.#transcript();
    const bottom = this.#bottom(view, size.rows);
    const room = size.rows - bottom.lines.length - 1;
    const { finished, live } = this.#above.frame(transcript, view, room);
    this.#moves = live.length > 0;
    const all = [...live, ...bottom.lines];
    const top = Math.max(0, all.length - Math.max(1, size.rows));
    const cursor = shifted(bottom.cursor, live.length - top);
    const frame = { finished, live: all.slice(top), ...(cursor && { cursor }) };
    const drawn = this.#region.draw(frame, size);
    this.#terminal.writeFrame(drawn);
    this.#terminal.write(this.#windowState());
    this.#arrangeTick();
  }

  /** The transcript of the active session; after a change of session, behind its name. */
  #transcript(): Transcript | undefined {
    const between = this.#transcripts?.show(this.#parts.app.state.active, this.view) ?? [];
    this.#above.addBefore(between);
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
