/**
 * The editor of the prompt.
 *
 * @module
 */

import { counted } from "../../base/counted.ts";
import type { AutocompleteProvider } from "@earendil-works/pi-tui/dist/autocomplete.js";
import { Editor, type EditorTheme } from "@earendil-works/pi-tui/dist/components/editor.js";
import type { TUI } from "@earendil-works/pi-tui/dist/tui.js";
import {
  CURSOR_MARKER,
  FAKE_CURSOR_END,
  FAKE_CURSOR_START,
} from "@earendil-works/pi-tui/dist/tui.js";
import { decodePrintableKey } from "@earendil-works/pi-tui/dist/keys.js";
import { fit, widthOf } from "./layout.ts";
import type { Position } from "./position.ts";
import { StandIns, withoutStandIns } from "./stand_ins.ts";
import type { Theme } from "./theme.ts";

/** What an editor needs of its surroundings. */
export interface EditorHost {
  /** Rows of the screen. */
  rows(): number;
  /** The editor looks different now. */
  changed(): void;
}

/** Lines, and where the cursor stands in them. */
export interface Drawn {
  readonly lines: string[];
  readonly cursor?: Position;
}

/** Pastes with more lines or characters than this are shown as one mark. */
const MARK_LINES = 10;
const MARK_CHARACTERS = 1_000;
const MAX_UNDO = 300;
/** Longer texts (in UTF-16 units) cannot be fetched back: the editor would have to show them whole. */
const MAX_ENTERED = 32_768;
const PROMPT = "› ";
/** In fewer columns, the padding apart, the component cannot break before a wide character. */
const MIN_WIDTH = 6;
/** What a tab looks like: as wide as the component takes it to be. */
const TAB = "   ";

/** pi-tui's editor with a prompt in front, exact pastes, and history of any length. */
export class PromptEditor extends Editor {
  readonly #theme: Theme;
  readonly #hidden = { above: 0, below: 0 };
  readonly #standIns = new StandIns();
  /** The text up to the cursor for which there are proposals. */
  #proposedFor = "";
  readonly #historySize: number;
  /** What was entered, newest first; the component has the same list. */
  #entered: string[] = [];

  /** `historySize` is how much of what was entered the arrow keys reach. */
  constructor(host: EditorHost, theme: Theme, historySize: number) {
    super(editorHost(host), editorTheme(theme), { paddingX: 2, autocompleteMaxVisible: 8 });
    this.#theme = theme;
    this.#historySize = historySize;
    this.focused = true;
    // The component would keep blanks in place of tabs: it counts three columns for one as well.
    Reflect.set(
      this,
      "normalizeText",
      (text: string) => this.#standIns.put(text.replace(/\r\n?/g, "\n")),
    );
    this.#recallAtEnd();
    // The component copies every pasted text for each step of undo; one copy does.
    Reflect.set(this, "undoStack", new UndoSteps());
  }

  /**
   * What is fetched back has the cursor at its end. As long as it stays there, the arrow keys go on
   * through the history, also from an entry of several lines, whose beginning and end the component
   * would wait for.
   */
  #recallAtEnd(): void {
    for (const name of ["setTextInternal", "isOnFirstVisualLine"] as const) {
      const inherited: unknown = Reflect.get(this, name);
      if (typeof inherited !== "function") continue;
      const own = name === "setTextInternal"
        ? (text: string) => inherited.call(this, text, "end")
        : () => this.#recalled || inherited.call(this) === true;
      Reflect.set(this, name, own);
    }
  }

  /** An entry of the history stands there as it was fetched back. */
  get #recalled(): boolean {
    const lines = this.getLines();
    const { line, col } = this.getCursor();
    return Number(Reflect.get(this, "historyIndex")) >= 0 && line === lines.length - 1 &&
      col === lines.at(-1)?.length;
  }

  /** True without any text. */
  get empty(): boolean {
    const [first, ...others] = this.getLines();
    return others.length === 0 && (first ?? "") === "";
  }

  /** What was entered, oldest first. */
  get entered(): readonly string[] {
    return this.#entered.map((text) => this.#standIns.takeOut(text)).toReversed();
  }

  /** Puts what was entered in earlier runs, oldest first, before what is there. */
  addEarlier(texts: readonly string[]): void {
    const earlier = texts.map((text) => this.#standIns.put(text));
    this.#remember([...this.#entered, ...earlier.toReversed()]);
  }

  override addToHistory(text: string): void {
    if (text.trim() === "" || text.length > MAX_ENTERED) return;
    const kept = this.#standIns.put(text);
    if (this.#entered[0] !== kept) this.#remember([kept, ...this.#entered]);
  }

  /** The component's own list ends after a hundred. */
  #remember(entered: string[]): void {
    this.#entered = entered.slice(0, this.#historySize);
    Reflect.set(this, "history", this.#entered);
  }

  /** Exactly what was typed and pasted. */
  override getExpandedText(): string {
    return this.#standIns.takeOut(super.getExpandedText());
  }

  /** Takes the text out. */
  takeText(): string {
    const text = this.getExpandedText();
    this.setText("");
    return text;
  }

  override handleInput(data: string): void {
    const typed = decodePrintableKey(data) ?? data;
    // deno-lint-ignore no-control-regex
    const text = /^[^\x00-\x1f\x7f]/.test(typed) ? this.#standIns.put(typed) : typed;
    super.handleInput(text === typed ? data : text);
  }

  /** Proposals are listed for the text as it stands; others are about to go. */
  get proposing(): boolean {
    return this.isShowingAutocomplete() && this.#proposedFor === this.#beforeCursor;
  }

  get #beforeCursor(): string {
    const { line, col } = this.getCursor();
    return [...this.getLines().slice(0, line), (this.getLines()[line] ?? "").slice(0, col)]
      .join("\n");
  }

  /** Proposals come for what is written, and are put in as what may be edited. */
  override setAutocompleteProvider(provider: AutocompleteProvider): void {
    const out = (lines: readonly string[]) => lines.map((line) => this.#standIns.takeOut(line));
    super.setAutocompleteProvider({
      ...(provider.triggerCharacters && { triggerCharacters: provider.triggerCharacters }),
      getSuggestions: async (lines, line, column, options) => {
        const asked = this.#beforeCursor;
        const found = await provider.getSuggestions(out(lines), line, column, options);
        if (!options.signal.aborted) this.#proposedFor = asked;
        return found;
      },
      applyCompletion: (lines, line, column, item, prefix) => {
        if (!this.proposing) return { lines, cursorLine: line, cursorCol: column };
        const made = provider.applyCompletion(out(lines), line, column, item, prefix);
        return { ...made, lines: made.lines.map((text) => this.#standIns.put(text)) };
      },
    });
  }

  /** Inserts pasted text; a long one is shown as one mark and kept as it is. */
  paste(pasted: string): void {
    const text = pasted.replace(/\r\n?/g, "\n")
      // deno-lint-ignore no-control-regex
      .replace(/[\x00-\x08\x0b-\x1f\x7f]/g, "");
    const lines = text.split("\n").length;
    const marked = lines > MARK_LINES || text.length > MARK_CHARACTERS;
    if (!marked) return this.insertTextAtCursor(text);
    const pastes: unknown = Reflect.get(this, "pastes");
    if (!(pastes instanceof Map)) return this.insertTextAtCursor(text);
    const id = pastes.size + 1;
    const size = lines > MARK_LINES ? `+${lines} lines` : `${text.length} chars`;
    this.insertTextAtCursor(`[paste #${id} ${size}]`);
    pastes.set(id, this.#standIns.put(text));
    Reflect.set(this, "pasteCounter", id);
  }

  /** The text and, below it, the list of completions; without blanks at the ends of lines. */
  draw(width: number): Drawn {
    const rendered = super.render(Math.max(MIN_WIDTH, width));
    const lines = rendered.slice(1);
    const end = lines.findIndex((line) => line === BORDER);
    const list = lines.slice(end + 1).map((line) => fit(line.trimEnd(), width));
    const body = lines.slice(0, end);
    let cursor: Position | undefined;
    const text = body.map((line, row) => {
      const at = line.indexOf(CURSOR_MARKER);
      if (at >= 0) cursor = { row, column: widthOf(withoutMarkers(line.slice(0, at))) };
      const mark = row === 0 && this.#hidden.above === 0 ? this.#theme.style("user", PROMPT) : "  ";
      return fit(`${mark}${withoutMarkers(line).slice(2)}`.trimEnd(), width);
    });
    if (width > 1 && text[0] === this.#theme.style("user", PROMPT).trimEnd()) {
      text[0] = this.#theme.style("user", PROMPT);
    }
    const above = this.#note(this.#hidden.above, "above", width);
    if (cursor !== undefined) {
      cursor = { row: cursor.row + above.length, column: Math.min(cursor.column, width - 1) };
    }
    const drawn = [...above, ...text, ...this.#note(this.#hidden.below, "below", width), ...list];
    return cursor === undefined ? { lines: drawn } : { lines: drawn, cursor };
  }

  protected override renderTopBorder(_width: number, hidden: number): string {
    this.#hidden.above = hidden;
    return BORDER;
  }

  protected override renderBottomBorder(_width: number, hidden: number): string {
    this.#hidden.below = hidden;
    return BORDER;
  }

  #note(count: number, where: string, width: number): string[] {
    if (count === 0) return [];
    return [this.#theme.style("dim", fit(`  … ${counted(count, "line")} ${where}`, width))];
  }
}

/** Stands for the borders that the component draws and we do not. */
const BORDER = "\0border";

/** Steps of undo that share what they have in common. */
class UndoSteps {
  readonly #steps: unknown[] = [];

  push(step: EditorSnapshot): void {
    const { state, pastes, pasteCounter } = step;
    this.#steps.push({
      state: { ...state, lines: [...state.lines] },
      pastes: new Map(pastes),
      pasteCounter,
    });
    if (this.#steps.length > MAX_UNDO) this.#steps.shift();
  }

  pop(): unknown {
    return this.#steps.pop();
  }

  clear(): void {
    this.#steps.length = 0;
  }

  get length(): number {
    return this.#steps.length;
  }
}

interface EditorSnapshot {
  readonly state: { readonly lines: readonly string[] };
  readonly pastes: ReadonlyMap<number, string>;
  readonly pasteCounter: number;
}

/** The text of a line as the terminal gets it, which would give a tab columns of its own choice. */
function withoutMarkers(line: string): string {
  const text = line.replaceAll(CURSOR_MARKER, "").replaceAll(FAKE_CURSOR_START, "")
    .replaceAll(FAKE_CURSOR_END, "").replaceAll("\t", TAB);
  return withoutStandIns(text);
}

/** The component asks its user interface for the height of the screen and for a new frame only. */
function editorHost(host: EditorHost): TUI {
  const terminal = {
    get rows() {
      return host.rows();
    },
  };
  return { terminal, requestRender: () => host.changed() } as unknown as TUI;
}

function editorTheme(theme: Theme): EditorTheme {
  return {
    borderColor: (text) => text,
    selectList: {
      selectedPrefix: (text) => theme.style("selected", text),
      selectedText: (text) => theme.style("selected", text),
      description: (text) => theme.style("dim", text),
      scrollInfo: (text) => theme.style("dim", text),
      noMatch: (text) => theme.style("dim", text),
    },
  };
}
