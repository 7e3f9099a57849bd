/**
 * The terminal front end: draws what the program is, and passes on what a person types.
 *
 * @module
 */

import type { App, AppChange, AppState, QuestionAnswer } from "../../app/view.ts";
import { sanitizeLine, sanitizeText } from "../../base/sanitize.ts";
import type { SessionStore } from "../../model/session_store.ts";
import { AppCompletion } from "./completion.ts";
import { editExternally } from "./external_editor.ts";
import { HistorySearch } from "./history_search.ts";
import { InputDecoder, type InputEvent } from "./input_decoder.ts";
import { keyHelp } from "./key_help.ts";
import type { Keymap } from "./keys.ts";
import { fit, wrapBehind } from "./layout.ts";
import { LiveRegion, type Position, reflowOf } from "./live_region.ts";
import { renderMarkdown } from "./markdown.ts";
import { type Drawn, PromptEditor } from "./prompt_editor.ts";
import { questionLines } from "./question_body.ts";
import { type PanelResult, QuestionPanel } from "./question_panel.ts";
import { renderStatus } from "./status_line.ts";
import { TerminalDevice } from "./terminal.ts";
import { parseBackground, type SwitchableTheme } from "./theme.ts";
import { sessionName, Transcript, type ViewContext } from "./transcript.ts";
import { LONG_TURN_MS, WindowSignals } from "./window_signals.ts";

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

/** Least time between two frames, in milliseconds. */
const FRAME_MS = 16;
/** How often elapsed times are brought up to date. */
const TICK_MS = 1_000;
/** A second Ctrl-C within this time leaves. */
const LEAVE_MS = 2_000;
const HINT_MS = 4_000;
const BACKGROUND_REQUEST = "\x1b]11;?\x07";
/** Queued prompts that are listed above the editor. */
const QUEUE_ROWS = 3;

type Timer = ReturnType<typeof setTimeout>;

/** One terminal, one program. */
export class Tui {
  readonly #parts: TuiParts;
  readonly #app: App;
  readonly #terminal: TerminalDevice;
  readonly #region: LiveRegion;
  readonly #decoder = new InputDecoder();
  readonly #editor: PromptEditor;
  readonly #window: WindowSignals;
  readonly #transcripts = new Map<SessionStore, Transcript>();
  #transcript: Transcript;
  #panel: QuestionPanel | undefined;
  #search: HistorySearch | undefined;
  #history: string[] = [];
  /** Finished lines from elsewhere, for the next frame. */
  #lines: string[] = [];
  /** A command of ours whose output has not come yet. */
  #echo: string | undefined;
  #hint: { readonly text: string; readonly until: number } | undefined;
  #leaveUntil = 0;
  #focused = true;
  /** Somebody else has the terminal. */
  #lent = false;
  #stopped = false;
  #paintTimer: Timer | undefined;
  #tickTimer: Timer | undefined;
  #inputTimer: Timer | undefined;
  #paintedAt = 0;

  constructor(parts: TuiParts) {
    const { app, theme, env } = parts;
    this.#parts = parts;
    this.#app = app;
    this.#terminal = new TerminalDevice({
      input: (bytes) => this.#read(bytes),
      inputEnded: () => void app.leave(129),
      resized: () => this.#schedule(),
      continued: () => this.#continued(),
    }, theme.name !== "plain");
    this.#region = new LiveRegion(reflowOf(env));
    this.#window = new WindowSignals(env, parts.notifications);
    this.#editor = new PromptEditor({
      rows: () => this.#terminal.size.rows,
      changed: () => this.#schedule(),
    }, theme);
    this.#editor.setAutocompleteProvider(new AppCompletion((text, at) => app.complete(text, at)));
    // Enter on a proposal that the editor takes as a whole command.
    this.#editor.onSubmit = (text) => this.#submit(text, false);
    this.#transcript = this.#transcriptOf(app.state.active);
  }

  /** Draws until the program has ended; settles with its exit status, the terminal restored. */
  async run(): Promise<number> {
    const { app, keys, theme } = this.#parts;
    const unsubscribe = app.subscribe((change) => this.#changed(change));
    this.#terminal.start();
    if (this.#parts.askBackground) this.#terminal.write(BACKGROUND_REQUEST);
    this.#say(this.#greeting());
    for (const problem of keys.problems) {
      this.#say([theme.style("warning", `! ${sanitizeLine(problem)}`)]);
    }
    this.#paint();
    void this.#loadHistory();
    try {
      return await app.done;
    } finally {
      this.#stopped = true;
      unsubscribe();
      await this.#end();
    }
  }

  async #end(): Promise<void> {
    for (const timer of [this.#paintTimer, this.#tickTimer, this.#inputTimer]) clearTimeout(timer);
    await this.#terminal.flushed();
    const size = this.#terminal.size;
    const { finished, live } = this.#transcript.frame(this.#view(), size.rows);
    const rest = [...finished, ...this.#lines, ...live];
    if (rest.length > 0) {
      this.#terminal.write(this.#region.draw({ finished: rest, live: [] }, size));
    }
    this.#terminal.write(this.#region.erase(size) + this.#window.progress(false));
    await this.#terminal.stop();
  }

  #greeting(): string[] {
    const { app, keys, theme } = this.#parts;
    const name = app.state.demo ? "the demo agent" : sanitizeLine(app.state.agent);
    const text = `mm-repl with ${name} · ${keys.label("help")} shows the keys, /help the commands`;
    return wrapBehind("", text, this.#terminal.size.columns).map((line) =>
      theme.style("dim", line)
    );
  }

  async #loadHistory(): Promise<void> {
    this.#history = [...await this.#app.history.load()];
    for (const text of this.#history) this.#editor.addToHistory(text);
  }

  // What the program tells.

  #changed(change: AppChange): void {
    switch (change.type) {
      case "session":
        this.#sessionChanged(change);
        break;
      case "state":
        this.#stateChanged(change.state);
        break;
      case "output":
        this.#output(change.text);
        break;
    }
    this.#schedule();
  }

  #sessionChanged({ store, change }: Extract<AppChange, { type: "session" }>): void {
    this.#transcripts.get(store)?.note(change);
    const { event } = change;
    if (event.type === "prompt_sent") this.#echo = undefined;
    if (event.type !== "turn_ended" || store !== this.#app.state.active) return;
    const started = this.#turnStartedAt;
    if (started !== undefined && event.at - started > LONG_TURN_MS && !this.#focused) {
      this.#terminal.write(this.#window.notify("The agent has finished"));
    }
  }

  #turnStartedAt: number | undefined;

  #stateChanged(state: AppState): void {
    if (state.active === this.#transcript.store) return;
    const { finished } = this.#transcript.frame(this.#view(), 0);
    this.#lines.push(...finished);
    this.#transcript = this.#transcriptOf(state.active);
    const label = `── session: ${sessionName(state.active.state)} ──`;
    this.#say([this.#parts.theme.style("accent", fit(label, this.#terminal.size.columns))]);
  }

  #output(text: string): void {
    const { theme } = this.#parts;
    const width = this.#terminal.size.columns;
    const echo = this.#echo;
    this.#echo = undefined;
    if (echo !== undefined) {
      this.#say(
        wrapBehind(theme.style("user", "› "), theme.style("bold", sanitizeText(echo)), width),
      );
    }
    this.#say(renderMarkdown(sanitizeText(text), width, theme));
  }

  #transcriptOf(store: SessionStore): Transcript {
    const known = this.#transcripts.get(store);
    if (known !== undefined) return known;
    const made = new Transcript(store);
    this.#transcripts.set(store, made);
    return made;
  }

  /** Writes a block of lines above, once. */
  #say(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const first = this.#lines.length === 0 && this.#paintedAt === 0;
    this.#lines.push(...(first || lines[0] === "" ? [] : [""]), ...lines);
    this.#schedule();
  }

  #tell(hint: string, ms = HINT_MS): void {
    this.#hint = { text: hint, until: Date.now() + ms };
    this.#schedule();
  }

  // Drawing.

  #view(): ViewContext {
    return {
      theme: this.#parts.theme,
      width: Math.max(1, this.#terminal.size.columns),
      now: Date.now(),
      thoughts: this.#app.state.thoughts ?? "folded",
    };
  }

  #schedule(): void {
    if (this.#paintTimer !== undefined || this.#stopped) return;
    const wait = Math.max(0, this.#paintedAt + FRAME_MS - performance.now());
    this.#paintTimer = setTimeout(() => this.#paint(), wait);
  }

  #paint(): void {
    clearTimeout(this.#paintTimer);
    this.#paintTimer = undefined;
    if (this.#lent || this.#stopped) return;
    if (this.#terminal.busy) {
      // A slow terminal gets fewer frames, not a longer queue of them.
      void this.#terminal.flushed().then(() => this.#schedule());
      return;
    }
    this.#paintedAt = performance.now();
    this.#syncPanel();
    const size = this.#terminal.size;
    const view = this.#view();
    this.#transcript.pushedOff(this.#region.pushedOff(size));
    const bottom = this.#drawBottom(view, size.rows);
    const { finished, live } = this.#transcript.frame(view, size.rows - bottom.lines.length - 1);
    if (finished.length > 0 && this.#lines.length > 0) this.#transcript.interrupt();
    const lines = this.#lines;
    if (lines.length > 0) this.#transcript.interrupt();
    this.#lines = [];
    const all = [...live, ...bottom.lines];
    const top = Math.max(0, all.length - Math.max(1, size.rows));
    const cursor = place(bottom.cursor, live.length - top);
    const frame = { finished: [...finished, ...lines], live: all.slice(top) };
    this.#terminal.write(
      this.#region.draw(cursor === undefined ? frame : { ...frame, cursor }, size) +
        this.#windowSignals(),
    );
    this.#arrangeTick();
  }

  /** Question, queue, editor and status. */
  #drawBottom(view: ViewContext, rows: number): Drawn {
    const { theme, width } = view;
    const status = renderStatus(this.#statusInput(view.now), Math.max(1, width - 1), theme);
    const editor = this.#search === undefined
      ? this.#editor.draw(width)
      : this.#search.draw(width, theme);
    const entry = editor.lines.slice(0, Math.max(1, rows - 1));
    const queue = this.#queueLines(view).slice(0, Math.max(0, rows - entry.length - 2));
    const gap = rows >= 8 ? [""] : [];
    const room = rows - entry.length - queue.length - 1 - 2 * gap.length;
    const panel = this.#panel?.draw(view, Math.max(2, room), this.#app.state.questions.length);
    const above = [
      ...gap,
      ...(panel === undefined ? [] : [...panel.lines, ...gap]),
      ...queue,
    ];
    const cursor = panel?.cursor === undefined
      ? place(editor.cursor, above.length)
      : place(panel.cursor, gap.length);
    const lines = [...above, ...entry, status];
    return cursor === undefined ? { lines } : { lines, cursor };
  }

  #queueLines({ theme, width }: ViewContext): string[] {
    const { queue } = this.#app.state;
    if (queue.length === 0) return [];
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
      app: this.#app.state,
      now,
      ...(this.#panel === undefined ? {} : { askedAt: this.#panel.askedAt }),
      ...(hint === undefined ? {} : { hint }),
      ...(home === undefined ? {} : { home }),
    };
  }

  #windowSignals(): string {
    const { state } = this.#app.state.active;
    const running = state.turn.state === "running";
    if (state.turn.state === "running") this.#turnStartedAt = state.turn.startedAt;
    const name = state.title ?? state.cwd.split("/").at(-1) ?? "";
    return this.#window.title(`mm-repl — ${name}`) +
      this.#window.progress(running && this.#panel === undefined);
  }

  /** Elapsed times move on, hints go away, digits become answers. */
  #arrangeTick(): void {
    clearTimeout(this.#tickTimer);
    this.#tickTimer = undefined;
    const now = Date.now();
    const waits = [
      this.#app.state.active.state.turn.state === "running" || this.#panel !== undefined
        ? TICK_MS
        : undefined,
      this.#hint === undefined ? undefined : this.#hint.until - now,
      this.#panel?.wakeAt === undefined ? undefined : this.#panel.wakeAt - now,
    ].filter((wait) => wait !== undefined);
    if (this.#hint !== undefined && this.#hint.until <= now) this.#hint = undefined;
    if (waits.length === 0) return;
    this.#tickTimer = setTimeout(() => {
      if (this.#panel !== undefined) this.#panelResult(this.#panel.tick());
      this.#paint();
    }, Math.max(FRAME_MS, Math.min(...waits)));
  }

  #syncPanel(): void {
    const question = this.#app.state.questions[0];
    if (question?.id === this.#panel?.question.id) return;
    this.#panel = question === undefined
      ? undefined
      : new QuestionPanel(question, this.#parts.keys, () => Date.now());
    if (question !== undefined && !this.#focused) {
      this.#terminal.write(this.#window.notify(`A question waits: ${question.title}`));
    }
  }

  /** Stopped and continued: the shell has written where our region was. */
  #continued(): void {
    if (this.#lent) return;
    this.#terminal.write("\r\n");
    this.#region.forget();
    this.#schedule();
  }

  // What a person types.

  #read(bytes: Uint8Array): void {
    clearTimeout(this.#inputTimer);
    this.#take(this.#decoder.push(bytes));
    const wait = this.#decoder.waitMs;
    if (wait !== undefined) {
      this.#inputTimer = setTimeout(() => this.#take(this.#decoder.flush()), wait);
    }
  }

  #take(events: readonly InputEvent[]): void {
    for (const event of events) this.#event(event);
    if (events.length > 0) this.#schedule();
  }

  #event(event: InputEvent): void {
    if (event.type === "focus") {
      this.#focused = event.focused;
      return;
    }
    if (event.type === "reply") return this.#reply(event.data);
    if (event.type === "key" && this.#everywhere(event.data)) return;
    if (this.#search !== undefined) return this.#searchEvent(this.#search, event);
    if (this.#panel !== undefined) {
      const result = this.#panel.handle(event, !this.#editor.empty);
      if (result.type !== "passed") return this.#panelResult(result);
    }
    if (event.type === "paste") return this.#editor.paste(event.text);
    if (event.type === "text") return this.#text(event.text);
    this.#key(event.data);
  }

  #reply(data: string): void {
    const { theme, askBackground } = this.#parts;
    if (!askBackground || !data.startsWith("\x1b]11;") || theme.name === "plain") return;
    const background = parseBackground(data);
    if (background !== undefined) theme.use(background);
  }

  /** Keys that count whatever is on the screen. */
  #everywhere(data: string): boolean {
    const { keys } = this.#parts;
    if (keys.is("cancel", data)) this.#cancel();
    else if (keys.is("redraw", data)) this.#redraw();
    else if (keys.is("suspend", data)) void this.#suspend();
    else if (keys.is("thoughts", data)) void this.#app.submit("/thoughts");
    else if (keys.is("expand", data)) this.#expand();
    else return false;
    return true;
  }

  #cancel(): void {
    this.#search = undefined;
    const { turn } = this.#app.state.active.state;
    if (turn.state === "running" && !turn.cancelRequested && this.#app.cancelTurn()) return;
    if (this.#panel !== undefined && turn.state !== "running") {
      return this.#app.answer(this.#panel.question.id, { type: "dismissed" });
    }
    if (!this.#editor.empty) {
      this.#editor.setText("");
      return;
    }
    if (Date.now() < this.#leaveUntil) return void this.#app.leave(130);
    this.#leaveUntil = Date.now() + LEAVE_MS;
    this.#tell(`${this.#parts.keys.label("cancel")} again leaves`, LEAVE_MS);
  }

  #redraw(): void {
    this.#terminal.write(this.#region.erase(this.#terminal.size));
  }

  async #suspend(): Promise<void> {
    if (this.#lent) return;
    this.#terminal.write(this.#region.erase(this.#terminal.size));
    this.#lent = true;
    try {
      await this.#terminal.suspend();
    } finally {
      this.#lent = false;
      this.#region.forget();
      this.#schedule();
    }
  }

  #expand(): void {
    const lines = this.#transcript.expand(this.#view());
    if (lines === undefined) this.#tell("nothing is folded");
    else this.#say(lines);
  }

  #searchEvent(search: HistorySearch, event: InputEvent): void {
    const result = search.handle(event);
    if (result.type === "searching") return;
    this.#search = undefined;
    if (result.text !== undefined) this.#editor.setText(result.text);
  }

  #panelResult(result: PanelResult): void {
    const panel = this.#panel;
    if (panel === undefined) return;
    if (result.type === "answered") this.#answer(panel, result.answer);
    if (result.type === "view") {
      const { theme } = this.#parts;
      const lines = questionLines(panel.question, this.#view());
      this.#say([theme.style("accent", "┌ what is asked"), ...lines, theme.style("accent", "└")]);
    }
  }

  #answer(panel: QuestionPanel, answer: QuestionAnswer): void {
    const { question } = panel;
    // A tool call tells in its own block how it was answered.
    if (question.kind !== "permission") {
      const option = answer.type === "option"
        ? question.options.find((candidate) => candidate.id === answer.id)?.label
        : undefined;
      const given = answer.type === "dismissed"
        ? "dismissed"
        : question.kind === "secret"
        ? "answered"
        : answer.type === "text"
        ? answer.text
        : option ?? "";
      const text = `? ${sanitizeLine(question.title)} — ${sanitizeLine(given)}`;
      this.#say([this.#parts.theme.style("dim", fit(text, this.#terminal.size.columns))]);
    }
    this.#app.answer(question.id, answer);
  }

  #text(text: string): void {
    if (this.#parts.keys.is("help", text) && this.#editor.empty) {
      const { keys, theme } = this.#parts;
      return this.#say(keyHelp(keys, this.#terminal.size.columns, theme));
    }
    // Typed text comes in small pieces; the editor looks at each character for completion.
    if (text.length > 64) this.#editor.handleInput(text);
    else for (const character of text) this.#editor.handleInput(character);
  }

  #key(data: string): void {
    const { keys } = this.#parts;
    const editor = this.#editor;
    if (keys.is("close", data)) {
      if (editor.isShowingAutocomplete()) editor.handleInput("\x1b");
      else this.#cancelByEscape();
    } else if (keys.is("leave", data)) {
      if (editor.empty) void this.#app.leave(0);
      else editor.handleInput("\x1b[3~");
    } else if (keys.is("search", data)) {
      this.#search = new HistorySearch(this.#history, keys);
    } else if (keys.is("external", data)) {
      void this.#editExternally();
    } else if (keys.is("sendNow", data)) {
      this.#submit(editor.takeText(), true);
    } else if (keys.is("submit", data)) {
      this.#enter(data);
    } else if (keys.is("up", data) && editor.empty && this.#app.state.queue.length > 0) {
      editor.setText(this.#app.unqueue() ?? "");
    } else {
      editor.handleInput(data);
    }
  }

  #cancelByEscape(): void {
    const { turn } = this.#app.state.active.state;
    if (turn.state === "running" && !turn.cancelRequested) this.#app.cancelTurn();
  }

  #enter(data: string): void {
    const editor = this.#editor;
    const { line, col } = editor.getCursor();
    const before = (editor.getLines()[line] ?? "").slice(0, col);
    if (before.endsWith("\\")) return editor.handleInput(data);
    if (editor.isShowingAutocomplete() && !/^\/\S*$/.test(editor.getText())) {
      // Enter takes the proposal; it never runs a command that was not typed to its end.
      return editor.handleInput("\t");
    }
    this.#submit(editor.takeText(), false);
  }

  #submit(text: string, now: boolean): void {
    const { state } = this.#app;
    if (text.trim() === "") {
      const waits = state.phase === "disconnected" || state.queue.length > 0;
      if (waits) void this.#app.submit("");
      return;
    }
    this.#editor.addToHistory(text);
    this.#history.push(text);
    this.#echo = text.startsWith("/") ? text : undefined;
    void this.#app.submit(text, now ? { now } : {}).then(() => {
      if (this.#echo === text) this.#echo = undefined;
    });
  }

  async #editExternally(): Promise<void> {
    if (this.#lent) return;
    this.#terminal.write(this.#region.erase(this.#terminal.size));
    this.#lent = true;
    const text = this.#editor.getExpandedText();
    const result = await this.#terminal.lend(() => editExternally(text, this.#parts.env));
    this.#lent = false;
    this.#region.forget();
    if ("text" in result) this.#editor.setText(result.text);
    else this.#tell(sanitizeLine(result.problem));
    this.#schedule();
  }
}

function place(position: Position | undefined, below: number): Position | undefined {
  if (position === undefined || position.row + below < 0) return undefined;
  return { row: position.row + below, column: position.column };
}
