/**
 * Text from outside, made safe for a terminal.
 *
 * Whole escape sequences are dropped, other control characters and invisible format characters are
 * shown as what they are, lone surrogates become U+FFFD. Newlines and tabs stay; `\r\n` and a lone
 * `\r` inside a line become `\n`. What a language or an emoji needs (joiners, variation selectors)
 * stays where it has a meaning.
 *
 * @module
 */

import { fateAfter, fateOfTags, joins, reveal, SPECIAL } from "./invisible.ts";

/**
 * What becomes of escape sequences: `drop` them, keep `colours` and drop the rest, or `reveal`
 * every character of them, for text that a user is asked to approve and where nothing may hide.
 */
export type Sequences = "drop" | "colours" | "reveal";

type State = "ground" | "escape" | "designate" | "csi" | "string";

const ESC = "\x1b";
const RESET = "\x1b[0m";
/** Longest parameter part of a colour sequence that is kept. */
const MAX_PARAMS = 64;
const ENDS_WITH_HIGH_SURROGATE = /[\ud800-\udbff]$/;
const FIRST_CHARACTER = /^./su;
const LAST_CHARACTER = /[\ud800-\udbff][\udc00-\udfff]$|[^]$/;
/** Ends an OSC, DCS, APC, PM or SOS string. A newline does, so that a cut one hides one line at most. */
// deno-lint-ignore no-control-regex
const STRING_END = /[\x07\x18\x1a\x1b\x9c\r\n]/g;

/** Sanitises text that comes in pieces: any split gives the same output as the whole. */
export class StreamSanitizer {
  readonly #sequences: Sequences;
  #state: State = "ground";
  #out = "";
  /** First half of a surrogate pair whose second half has not come. */
  #half = "";
  /** Invisible characters whose fate depends on what follows. */
  #waiting = "";
  /** The last character written, as context for invisible ones. */
  #last = "";
  #lineStart = true;
  /** A carriage return has become a newline: the `\n` that may follow belongs to it. */
  #afterReturn = false;
  #params = "";
  #coloured = false;

  constructor(sequences: Sequences = "drop") {
    this.#sequences = sequences;
  }

  /** Takes the next piece and gives what is certain so far. */
  push(chunk: string): string {
    const text = this.#half + chunk;
    this.#half = ENDS_WITH_HIGH_SURROGATE.exec(text)?.[0] ?? "";
    this.#consume(this.#half === "" ? text : text.slice(0, -1));
    return this.#take();
  }

  /** Gives what was still held back, with a reset if colours are left open, and starts afresh. */
  flush(): string {
    this.#consume(this.#half);
    if (this.#state === "escape") this.#write(reveal(ESC));
    this.#settle("");
    if (this.#coloured) this.#out += RESET;
    this.#state = "ground";
    this.#half = this.#last = "";
    this.#lineStart = true;
    this.#afterReturn = this.#coloured = false;
    return this.#take();
  }

  #take(): string {
    const out = this.#out;
    this.#out = "";
    return out;
  }

  #consume(text: string): void {
    for (let at = 0; at < text.length;) at = this.#step(text, at);
  }

  /** Handles one run, character or sequence part; returns where to go on. */
  #step(text: string, at: number): number {
    switch (this.#state) {
      case "ground":
        return this.#ground(text, at);
      case "escape":
        return at + this.#escape(text.charAt(at));
      case "designate":
        return at + this.#designate(text.charAt(at));
      case "csi":
        return at + this.#csi(text.charAt(at));
      case "string":
        return this.#string(text, at);
    }
  }

  #ground(text: string, at: number): number {
    SPECIAL.lastIndex = at;
    const special = SPECIAL.exec(text);
    const end = special?.index ?? text.length;
    if (end > at) this.#write(text.slice(at, end));
    if (special === null) return end;
    this.#special(special[0]);
    return end + special[0].length;
  }

  #special(character: string): void {
    if (character === "\r") return this.#carriageReturn();
    if (this.#sequences !== "reveal") {
      if (character === ESC) return this.#enter("escape");
      if (character === "\x9b") return this.#enter("csi");
      if (/[\x90\x98\x9d-\x9f]/.test(character)) return this.#enter("string");
    }
    if (this.#waiting !== "") {
      const tags = this.#waiting + character;
      const fate = fateOfTags(tags);
      if (fate === "wait") this.#waiting = tags;
      if (fate === "keep") this.#keep(tags);
      if (fate !== "reveal") return;
      this.#settle("");
    }
    const fate = fateAfter(this.#last, character);
    if (fate === "wait") this.#waiting = character;
    else if (fate === "keep") this.#keep(character);
    else this.#write(reveal(character));
  }

  #enter(state: State): void {
    this.#state = state;
    this.#params = "";
  }

  #carriageReturn(): void {
    if (this.#lineStart && this.#waiting === "") return;
    this.#write("\n");
    this.#afterReturn = true;
  }

  /** Writes plain text. */
  #write(text: string): void {
    const run = this.#afterReturn && text.startsWith("\n") ? text.slice(1) : text;
    this.#afterReturn = false;
    if (run === "") return;
    this.#settle(FIRST_CHARACTER.exec(run)?.[0] ?? "");
    this.#out += run;
    this.#last = LAST_CHARACTER.exec(run.slice(-2))?.[0] ?? "";
    this.#lineStart = this.#last === "\n";
  }

  /** Writes invisible characters that belong to the text. */
  #keep(characters: string): void {
    this.#waiting = "";
    this.#out += characters;
    this.#last = characters;
    this.#lineStart = false;
    this.#afterReturn = false;
  }

  /** Decides about waiting characters, now that `next` follows them. */
  #settle(next: string): void {
    if (this.#waiting === "") return;
    const kept = joins(this.#last, this.#waiting, next);
    const text = kept ? this.#waiting : reveal(this.#waiting);
    this.#keep(text);
    if (!kept) this.#last = ">";
  }

  #escape(character: string): 0 | 1 {
    if (character === "[") this.#enter("csi");
    else if (/[\]PX^_]/.test(character)) this.#enter("string");
    else if (/[ -/]/.test(character)) this.#enter("designate");
    else this.#state = "ground";
    if (/[ -_clmno|}~]/.test(character)) return 1;
    this.#write(reveal(ESC));
    return 0;
  }

  #designate(character: string): 0 | 1 {
    if (/[ -/]/.test(character)) return 1;
    this.#state = "ground";
    return /[0-~]/.test(character) ? 1 : 0;
  }

  #csi(character: string): 0 | 1 {
    if (/[ -?]/.test(character)) {
      if (this.#params.length <= MAX_PARAMS) this.#params += character;
      return 1;
    }
    this.#state = "ground";
    if (character === "m" && this.#sequences === "colours") this.#colour();
    return /[@-~]/.test(character) ? 1 : 0;
  }

  #colour(): void {
    const params = visibleColours(this.#params);
    if (params === undefined) return;
    this.#settle("");
    this.#out += `${ESC}[${params}m`;
    this.#last = "";
    this.#coloured = !/^[0;]*$/.test(params);
  }

  #string(text: string, at: number): number {
    STRING_END.lastIndex = at;
    const end = STRING_END.exec(text);
    if (end === null) return text.length;
    this.#state = end[0] === ESC ? "escape" : "ground";
    return /[\r\n]/.test(end[0]) ? end.index : end.index + 1;
  }
}

/** The parameters of a colour sequence without "concealed"; `undefined` when there is none to keep. */
function visibleColours(params: string): string | undefined {
  if (params.length > MAX_PARAMS || !/^[\d:;]*$/.test(params)) return undefined;
  const parts = params.split(";");
  const kept: string[] = [];
  for (let at = 0; at < parts.length;) {
    const extended = /^0*[345]8$/.test(parts[at] ?? "");
    const size = !extended ? 1 : Number(parts[at + 1]) === 5 ? 3 : 5;
    if (!/^0*8(:|$)/.test(parts[at] ?? "")) kept.push(...parts.slice(at, at + size));
    at += size;
  }
  return kept.length === 0 ? undefined : kept.join(";");
}

/** Sanitises a whole text. Idempotent. */
export function sanitizeText(text: string, sequences: "drop" | "reveal" = "drop"): string {
  return sanitizeWhole(text, sequences);
}

/** Sanitises to one line: newlines inside become `⏎`, those at the ends go, tabs become spaces. */
export function sanitizeLine(text: string, sequences: "drop" | "reveal" = "drop"): string {
  return sanitizeWhole(text, sequences)
    .replace(/^\n+|\n+$/g, "")
    .replaceAll("\n", "⏎")
    .replaceAll("\t", " ");
}

/** Sanitises output of a command, keeping its colours; ends with a reset if they are left open. */
export function sanitizeAnsi(text: string): string {
  return sanitizeWhole(text, "colours");
}

function sanitizeWhole(text: string, sequences: Sequences): string {
  const stream = new StreamSanitizer(sequences);
  return stream.push(text) + stream.flush();
}
