/**
 * What is on the screen: the transcript, a question, the queue, the editor and the status.
 *
 * @module
 */

import type { App } from "../../app/view.ts";
import { sanitizeLine, sanitizeText } from "../../base/sanitize.ts";
import type { SessionChange, SessionStore } from "../../model/session_store.ts";
import type { ViewContext } from "./entries/context.ts";
import type { HistorySearch } from "./history_search.ts";
import type { Keymap } from "./keys.ts";
import { fit, wrapBehind } from "./layout.ts";
import { LiveRegion, type Position } from "./live_region.ts";
import { type Drawn, PromptEditor } from "./prompt_editor.ts";
import type { QuestionPanel } from "./question_panel.ts";
import { reflowOf, reflowOfAttributes } from "./reflow.ts";
import { sessionName } from "./session_name.ts";
import { renderStatus } from "./status_line.ts";
import type { TerminalDevice } from "./terminal.ts";
import type { SwitchableTheme } from "./theme.ts";
import type { Transcript } from "./transcript.ts";
import { WindowSignals } from "./window_signals.ts";

/** What a front end is made with. */
export interface TuiParts {
  readonly app: App;
  readonly keys: Keymap;
  readonly theme: SwitchableTheme;
  /** The background was not chosen by the person: the terminal is asked for it. */
  readonly askBackground: boolean;
  readonly notifications: "auto" | "bell" | "off";
  readonly env: (name: string) => string | undefined;
}

type Blocks = typeof import("./blocks.ts");
type Timer = ReturnType<typeof setTimeout>;

/** Least time between two frames, in milliseconds. */
const FRAME_MS = 16;
/** How often elapsed times are brought up to date. */
const TICK_MS = 1_000;
const HINT_MS = 4_000;
/** Queued prompts that are listed above the editor. */
const QUEUE_ROWS = 3;
/** Below this height there is no room for blank lines. */
const ROOMY_ROWS = 8;

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
  readonly #transcripts = new Map<SessionStore, Transcript>();
  #blocks: Blocks | undefined;
  #shown: SessionStore;
  #panel: QuestionPanel | undefined;
  /** Finished lines from elsewhere, for the next frame. */
  #lines: string[] = [];
  #hint: { readonly text: string; readonly until: number } | undefined;
  /** Somebody else has the terminal. */
  #lent = false;
  #ended = false;
  #paintTimer: Timer | undefined;
  #tickTimer: Timer | undefined;
  #paintedAt = 0;

  constructor(parts: TuiParts, terminal: TerminalDevice) {
    this.#parts = parts;
    this.#terminal = terminal;
    this.#shown = parts.app.state.active;
    this.#region = new LiveRegion(reflowOf(parts.env));
    this.window = new WindowSignals(parts.env, parts.notifications);
    const host = { rows: () => terminal.size.rows, changed: () => this.schedule() };
    this.editor = new PromptEditor(host, parts.theme);
  }

  /** Paints the first frame, then loads what stands above the editor. */
  async start(): Promise<void> {
    this.#paint();
    this.#blocks = await import("./blocks.ts");
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
    };
  }

  /** The terminal has told what it is. */
  meet(attributes: string): void {
    const { reflow } = this.#region;
    this.#region.reflow = reflowOfAttributes(attributes, reflow, this.#parts.env);
  }

  /** Something has changed: a frame will show it. */
  schedule(): void {
    if (this.#paintTimer !== undefined || this.#ended) return;
    const wait = Math.max(0, this.#paintedAt + FRAME_MS - performance.now());
    this.#paintTimer = setTimeout(() => this.#paint(), wait);
  }

  /** A session has changed. */
  note(store: SessionStore, change: SessionChange): void {
    this.#transcripts.get(store)?.note(change);
    this.schedule();
  }

  /** Writes a block of lines above, once. */
  say(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const first = this.#lines.length === 0 && this.#paintedAt === 0;
    this.#lines.push(...(first || lines[0] === "" ? [] : [""]), ...lines);
    this.schedule();
  }

  /** Writes Markdown above, once; behind the command that it answers. */
  async sayMarkdown(text: string, command: string | undefined): Promise<void> {
    const { renderMarkdown } = this.#blocks ?? await import("./blocks.ts");
    const { theme, width } = this.view;
    if (command !== undefined) {
      const mark = theme.style("user", "› ");
      this.say(wrapBehind(mark, theme.style("bold", sanitizeText(command)), width));
    }
    this.say(renderMarkdown(sanitizeText(text), width, theme));
  }

  /** Shows a word in the status line for a while. */
  tell(hint: string, ms = HINT_MS): void {
    this.#hint = { text: hint, until: Date.now() + ms };
    this.schedule();
  }

  /** Writes the newest folded block in full. */
  expand(): void {
    const lines = this.#transcripts.get(this.#shown)?.expand(this.view);
    if (lines === undefined) this.tell("nothing is folded");
    else this.say(lines);
  }

  /** Writes everything that the open question asks. */
  sayQuestion(panel: QuestionPanel): void {
    if (this.#blocks === undefined) return;
    const { theme } = this.#parts;
    const lines = this.#blocks.questionLines(panel.question, this.view);
    this.say([theme.style("accent", "┌ what is asked"), ...lines, theme.style("accent", "└")]);
  }

  /** Draws the lower part again, on a screen that something else has written to. */
  redraw(): void {
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
    clearTimeout(this.#paintTimer);
    clearTimeout(this.#tickTimer);
    await this.#terminal.flushed();
    const size = this.#terminal.size;
    const last = this.#transcript()?.frame(this.view, size.rows);
    const rest = [...last?.finished ?? [], ...this.#lines, ...last?.live ?? []];
    if (rest.length > 0) {
      this.#terminal.write(this.#region.draw({ finished: rest, live: [] }, size));
    }
    this.#terminal.write(this.#region.erase(size) + this.window.progress(false));
  }

  #paint(): void {
    clearTimeout(this.#paintTimer);
    this.#paintTimer = undefined;
    if (this.#lent || this.#ended) return;
    if (this.#terminal.busy) {
      // A slow terminal gets fewer frames, not a longer queue of them.
      void this.#terminal.flushed().then(() => this.schedule());
      return;
    }
    this.#paintedAt = performance.now();
    this.#syncPanel();
    const { size } = this.#terminal;
    const { view } = this;
    this.#transcripts.get(this.#shown)?.pushedOff(this.#region.pushedOff(size));
    const transcript = this.#transcript();
    const bottom = this.#drawBottom(view, size.rows);
    const { finished, live } = transcript?.frame(view, size.rows - bottom.lines.length - 1) ??
      { finished: [], live: [] };
    if (this.#lines.length > 0) transcript?.interrupt();
    const all = [...live, ...bottom.lines];
    const top = Math.max(0, all.length - Math.max(1, size.rows));
    const cursor = shifted(bottom.cursor, live.length - top);
    const frame = { finished: [...finished, ...this.#lines], live: all.slice(top) };
    this.#lines = [];
    const drawn = this.#region.draw(cursor === undefined ? frame : { ...frame, cursor }, size);
    this.#terminal.write(drawn + this.#windowState());
    this.#arrangeTick();
  }

  /** The transcript of the active session; after a change of session, behind its name. */
  #transcript(): Transcript | undefined {
    const blocks = this.#blocks;
    if (blocks === undefined) return undefined;
    const { active } = this.#parts.app.state;
    if (active !== this.#shown) {
      const left = this.#transcripts.get(this.#shown)?.frame(this.view, 0).finished ?? [];
      this.#lines.unshift(...left);
      this.#shown = active;
      const label = fit(`── session: ${sessionName(active.state)} ──`, this.view.width);
      this.say([this.#parts.theme.style("accent", label)]);
    }
    const known = this.#transcripts.get(active);
    if (known !== undefined) return known;
    const made = new blocks.Transcript(active);
    this.#transcripts.set(active, made);
    return made;
  }

  #syncPanel(): void {
    const { app, keys } = this.#parts;
    const question = app.state.questions[0];
    if (this.#blocks === undefined || question?.id === this.#panel?.question.id) return;
    this.#panel = question === undefined
      ? undefined
      : new this.#blocks.QuestionPanel(question, keys, () => Date.now());
    if (question !== undefined && !this.focused) {
      this.#terminal.write(this.window.notify(`A question waits: ${question.title}`));
    }
  }

  /** Question, queue, editor and status. */
  #drawBottom(view: ViewContext, rows: number): Drawn {
    const { theme, width } = view;
    const status = renderStatus(this.#statusInput(view.now), Math.max(1, width - 1), theme);
    const editor = this.search?.draw(width, theme) ?? this.editor.draw(width);
    const entry = editor.lines.slice(0, Math.max(1, rows - 1));
    const queue = this.#queueLines(view).slice(0, Math.max(0, rows - entry.length - 2));
    const gap = rows >= ROOMY_ROWS ? [""] : [];
    const room = rows - entry.length - queue.length - 1 - 2 * gap.length;
    const panel = this.#panel?.draw(view, Math.max(2, room), this.#remarks());
    // The status stands above the text: what is below the cursor may move it when the window becomes
    // narrower, and nobody could tell how far.
    const asked = panel === undefined ? [] : [...panel.lines, ...gap];
    const above = [...gap, ...asked, ...queue, status];
    const cursor = panel?.cursor === undefined
      ? shifted(editor.cursor, above.length)
      : shifted(panel.cursor, gap.length);
    const lines = [...above, ...entry];
    return cursor === undefined ? { lines } : { lines, cursor };
  }

  /** Where the question comes from, and how many wait. */
  #remarks(): string[] {
    const { active, questions } = this.#parts.app.state;
    const store = questions[0]?.store;
    return [
      ...(questions.length > 1 ? [`question 1 of ${questions.length}`] : []),
      ...(store !== undefined && store !== active
        ? [`in session: ${sessionName(store.state)}`]
        : []),
    ];
  }

  #queueLines({ theme, width }: ViewContext): string[] {
    const { queue } = this.#parts.app.state;
    const shown = queue.slice(-QUEUE_ROWS).map((text) =>
      theme.style("dim", fit(`  queued: ${sanitizeLine(text)}`, width))
    );
    const hidden = queue.length - shown.length;
    return hidden > 0 ? [theme.style("dim", `  queued: ${hidden} before these`), ...shown] : shown;
  }

  #statusInput(now: number) {
    const hint = this.#hint !== undefined && this.#hint.until > now ? this.#hint.text : undefined;
    const home = this.#parts.env("HOME");
    return {
      app: this.#parts.app.state,
      now,
      ...(this.#panel === undefined ? {} : { askedAt: this.#panel.askedAt }),
      ...(hint === undefined ? {} : { hint }),
      ...(home === undefined ? {} : { home }),
    };
  }

  #windowState(): string {
    const { turn, title, cwd } = this.#parts.app.state.active.state;
    const name = title ?? cwd.split("/").at(-1) ?? "";
    return this.window.title(`mm-repl — ${name}`) +
      this.window.progress(turn.state === "running" && this.#panel === undefined);
  }

  /** Elapsed times move on, and hints go away. */
  #arrangeTick(): void {
    clearTimeout(this.#tickTimer);
    this.#tickTimer = undefined;
    const now = Date.now();
    if (this.#hint !== undefined && this.#hint.until <= now) this.#hint = undefined;
    const running = this.#parts.app.state.active.state.turn.state === "running";
    const waits = [
      ...(running || this.#panel !== undefined ? [TICK_MS] : []),
      ...(this.#hint === undefined ? [] : [this.#hint.until - now]),
    ];
    if (waits.length === 0) return;
    this.#tickTimer = setTimeout(() => this.#paint(), Math.max(FRAME_MS, Math.min(...waits)));
  }
}

function shifted(position: Position | undefined, rows: number): Position | undefined {
  if (position === undefined || position.row + rows < 0) return undefined;
  return { row: position.row + rows, column: position.column };
}
