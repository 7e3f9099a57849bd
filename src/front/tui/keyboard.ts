/**
 * What a person types, and what becomes of it.
 *
 * @module
 */

import type { App, QuestionAnswer } from "../../app/view.ts";
import { AppCompletion } from "./completion.ts";
import { editExternally } from "./external_editor.ts";
import { HistorySearch } from "./history_search.ts";
import { InputDecoder, type InputEvent } from "./input_decoder.ts";
import { keyHelp } from "./key_help.ts";
import type { Keymap } from "./keys.ts";
import { nameLine } from "../endless.ts";
import { wrapBehind } from "./layout.ts";
import type { Painter, TuiParts } from "./painter.ts";
import type { QuestionPanel } from "./question_panel.ts";
import type { PanelResult } from "./question_result.ts";
import type { PromptEditor } from "./prompt_editor.ts";
import type { TerminalDevice } from "./terminal.ts";

/** A second key to leave (Ctrl-C, or Ctrl-D while a turn runs) within this time leaves. */
const LEAVE_MS = 2_000;
/**
 * Nobody types longer pieces: a terminal that does not mark what is pasted sends it so. It goes into
 * the editor as a whole; completion has nothing to do there.
 */
const MAX_TYPED = 64;
/** Time in which the next piece of it comes, in milliseconds. */
const TYPED_MS = 30;

/** Turns keys into actions. */
export class Keyboard {
  readonly #parts: TuiParts;
  readonly #app: App;
  readonly #keys: Keymap;
  readonly #painter: Painter;
  readonly #editor: PromptEditor;
  readonly #terminal: TerminalDevice;
  readonly #completion: AppCompletion;
  readonly #decoder = new InputDecoder();
  /** Something was read. */
  #begun = false;
  #leaveUntil = 0;
  #leaveTurnUntil = 0;
  /** A command of ours whose output has not come yet. */
  #command: string | undefined;
  /** Long text of which more may come. */
  #typed = "";
  #typedTimer: ReturnType<typeof setTimeout> | undefined;
  #flushTimer: ReturnType<typeof setTimeout> | undefined;
  #digitTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: TuiParts, painter: Painter, terminal: TerminalDevice) {
    this.#parts = parts;
    this.#app = parts.app;
    this.#keys = parts.keys;
    this.#painter = painter;
    this.#editor = painter.editor;
    this.#terminal = terminal;
    const { app } = parts;
    this.#completion = new AppCompletion((text, at) => app.complete(text, at));
    this.#editor.setAutocompleteProvider(this.#completion);
  }

  /** Remembers what was entered in earlier runs. */
  async loadHistory(): Promise<void> {
    this.#editor.addEarlier(await this.#app.history.load());
  }

  /** Takes what was read from the terminal. */
  read(bytes: Uint8Array): void {
    clearTimeout(this.#flushTimer);
    this.#take(this.#decoder.push(this.#begun ? bytes : withReturns(bytes)));
    this.#begun = true;
    const wait = this.#decoder.waitMs;
    if (wait === undefined) return;
    this.#flushTimer = setTimeout(() => this.#take(this.#decoder.flush()), wait);
  }

  /** The command that waits for its output, taken: it is shown before the output once. */
  takeCommand(): string | undefined {
    const command = this.#command;
    // One that is queued is to come yet.
    if (command !== undefined && this.#app.state.queue.includes(command)) return undefined;
    this.#command = undefined;
    return command;
  }

  /** Nothing is taken any more. */
  end(): void {
    clearTimeout(this.#flushTimer);
    clearTimeout(this.#digitTimer);
    clearTimeout(this.#typedTimer);
  }

  #take(events: readonly InputEvent[]): void {
    for (const event of events) this.#event(event);
    if (events.some(({ type }) => type !== "reply")) this.#painter.schedule();
  }

  #event(event: InputEvent): void {
    if (event.type === "focus") {
      this.#painter.focused = event.focused;
      return;
    }
    if (event.type === "reply") return this.#reply(event.data);
    if (event.type !== "text") this.#takeTyped();
    if (event.type === "key" && this.#everywhere(event.data)) return;
    const { search, panel } = this.#painter;
    if (search !== undefined) return this.#searchEvent(search, event);
    if (panel !== undefined) {
      const draft = {
        begun: !this.#editor.empty,
        completing: this.#editor.isShowingAutocomplete(),
      };
      const result = panel.handle(event, draft);
      if (result.type !== "passed") return this.#panelResult(panel, result);
    }
    if (event.type === "paste") return this.#editor.paste(event.text);
    if (event.type === "text") return this.#text(event.text);
    this.#key(event.data);
  }

  #reply(data: string): void {
    if (this.#terminal.confirm(data)) return;
    // deno-lint-ignore no-control-regex
    if (/^\x1b\[\?[\d;]*c$/.test(data)) this.#painter.meet(data);
    this.#painter.answered(data);
    this.#parts.background.take(data);
    this.#painter.schedule();
  }

  /** Keys that count whatever is on the screen. */
  #everywhere(data: string): boolean {
    const keys = this.#keys;
    if (keys.is("cancel", data)) this.#cancel();
    else if (keys.is("redraw", data)) this.#painter.redraw();
    else if (keys.is("suspend", data)) void this.#painter.lend(() => this.#terminal.suspend());
    else if (keys.is("thoughts", data)) this.#thoughts();
    else if (keys.is("expand", data)) this.#painter.expand();
    else return false;
    return true;
  }

  #thoughts(): void {
    void this.#app.submit("/thoughts", { remembered: false });
  }

  #cancel(): void {
    const { turn } = this.#app.state.active.state;
    const { panel, search } = this.#painter;
    if (search !== undefined) {
      this.#painter.search = undefined;
      return;
    }
    if (turn.state === "running" && this.#app.cancelTurn()) return;
    if (this.#app.stopCommand()) return;
    if (panel?.drafting === true && !this.#editor.empty) {
      this.#editor.setText("");
      return panel.comeBack();
    }
    if (panel !== undefined && turn.state !== "running") {
      return this.#answer(panel, { type: "dismissed" });
    }
    if (!this.#editor.empty) return this.#editor.setText("");
    if (performance.now() < this.#leaveUntil) return void this.#app.leave(130);
    this.#leaveUntil = performance.now() + LEAVE_MS;
    this.#painter.tell(`${this.#keys.label("cancel")} again leaves`, LEAVE_MS);
  }

  #searchEvent(search: HistorySearch, event: InputEvent): void {
    const result = search.handle(event);
    if (result.type === "searching") return;
    this.#painter.search = undefined;
    if (result.text !== undefined) this.#editor.setText(result.text);
  }

  #panelResult(panel: QuestionPanel, result: PanelResult): void {
    if (result.type === "answered") this.#answer(panel, result.answer);
    if (result.type === "view") this.#painter.sayQuestion(panel);
    clearTimeout(this.#digitTimer);
    if (panel.wakeMs === undefined) return;
    this.#digitTimer = setTimeout(() => {
      this.#panelResult(panel, panel.takeDigits());
      this.#painter.schedule();
    }, panel.wakeMs);
  }

  #answer(panel: QuestionPanel, answer: QuestionAnswer): void {
    const { question } = panel;
    // A tool call tells in its own block how it was answered.
    if (question.kind !== "permission" && question.quiet !== true) {
      // It may be what the command asks.
      const command = this.takeCommand();
      if (command !== undefined) this.#painter.sayCommand(command);
      const { theme, width } = this.#painter.view;
      const text = `${nameLine(question.title)} — ${panel.describe(answer)}`;
      this.#painter.say(wrapBehind("? ", text, width).map((line) => theme.style("dim", line)));
    }
    this.#app.answer(question.id, answer);
  }

  #text(text: string): void {
    if (this.#keys.is("help", text) && this.#editor.empty) return this.#help();
    if (text.length > MAX_TYPED || this.#typed !== "") {
      this.#typed += text;
      clearTimeout(this.#typedTimer);
      this.#typedTimer = setTimeout(() => {
        this.#takeTyped();
        this.#painter.schedule();
      }, TYPED_MS);
      return;
    }
    // The editor looks at each character for completion.
    for (const piece of text) this.#editor.handleInput(piece);
  }

  #takeTyped(): void {
    const text = this.#typed;
    this.#typed = "";
    clearTimeout(this.#typedTimer);
    if (text !== "") this.#editor.paste(text);
  }

  #help(): void {
    const { width, theme } = this.#painter.view;
    this.#painter.say(keyHelp(this.#keys, width, theme));
  }

  #key(data: string): void {
    const keys = this.#keys;
    const editor = this.#editor;
    if (keys.is("close", data)) this.#close();
    else if (keys.is("help", data)) this.#help();
    else if (keys.is("leave", data)) this.#leave();
    else if (keys.is("search", data)) {
      this.#painter.search = new HistorySearch(editor.entered, keys);
    } else if (keys.is("external", data)) void this.#editExternally();
    else if (keys.is("attachImage", data)) void this.#attachImage();
    else if (keys.is("drop", data)) this.#drop();
    else if (keys.is("sendNow", data)) this.#submit(editor.takeText(), true);
    // Ctrl-J is a byte that some terminals send for Enter: it is what the table says.
    else if (keys.is("newLine", data)) editor.handleInput(data);
    else if (keys.is("submit", data)) this.#enter(data);
    else if (keys.is("up", data) && editor.empty && this.#app.state.queue.length > 0) {
      editor.setText(this.#app.unqueue() ?? "");
    } else editor.handleInput(data);
  }

  #close(): void {
    if (this.#editor.isShowingAutocomplete()) return this.#editor.handleInput("\x1b");
    const { turn } = this.#app.state.active.state;
    if (turn.state === "running" && this.#app.cancelTurn()) return;
    this.#app.stopCommand();
  }

  async #attachImage(): Promise<void> {
    const problem = await this.#app.attachImage();
    if (problem !== undefined) this.#painter.tell(problem);
  }

  #drop(): void {
    if (!this.#app.dropAttachment()) this.#painter.tell("nothing is attached");
  }

  #leave(): void {
    // On text, the key deletes forward as it does in a shell.
    if (!this.#editor.empty) return this.#editor.handleInput("\x1b[3~");
    const running = this.#app.state.active.state.turn.state === "running";
    if (!running || performance.now() < this.#leaveTurnUntil) return void this.#app.leave(0);
    this.#leaveTurnUntil = performance.now() + LEAVE_MS;
    this.#painter.tell(`${this.#keys.label("leave")} again leaves: a turn runs`, LEAVE_MS);
  }

  #enter(data: string): void {
    const editor = this.#editor;
    const { line, col } = editor.getCursor();
    const before = (editor.getLines()[line] ?? "").slice(0, col);
    if (before.endsWith("\\")) return editor.handleInput(data);
    // Enter takes a proposal; what is typed to its end already is sent.
    const proposes = editor.proposing && !this.#completion.typedWhole;
    if (proposes) return editor.handleInput("\t");
    this.#submit(editor.takeText(), false);
  }

  #submit(text: string, now: boolean): void {
    const { state } = this.#app;
    if (text.trim() === "") {
      if (state.phase === "disconnected" || state.queue.length > 0) void this.#app.submit("");
      return;
    }
    this.#editor.addToHistory(text);
    this.#command = text.startsWith("/") ? text : undefined;
    void this.#app.submit(text, now ? { now } : {}).then(() => {
      if (this.#command === text) this.#command = undefined;
    });
  }

  async #editExternally(): Promise<void> {
    const text = this.#editor.getExpandedText();
    const result = await this.#painter.lend(() =>
      this.#terminal.lend(() => editExternally(text, this.#parts.env))
    );
    if (result === undefined) return;
    if ("text" in result) this.#editor.setText(result.text);
    else this.#painter.tell(nameLine(result.problem));
  }
}

/** What was typed before the terminal was ours: there Enter was the end of a line. */
function withReturns(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte) => byte === 0x0a ? 0x0d : byte);
}
