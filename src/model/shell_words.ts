/**
 * Words and operators of a POSIX shell command line.
 *
 * This is a reader for permission rules, not a shell: it knows enough to find every command that a
 * line runs, and says so when it does not.
 *
 * @module
 */

import { SPECIAL } from "../base/invisible.ts";
import {
  type HereAnnouncement,
  isHarmlessInside,
  readAnnouncement,
  readHereText,
} from "./shell_here.ts";
import { type ShellToken, type ShellWord, UnclearShell } from "./shell_token.ts";

/** A here-document whose text is still to be read. */
interface Announced {
  readonly here: HereAnnouncement;
  readonly word: { text: string };
  /** Where the line that announces it ends. */
  readonly lineEnd: number;
  /** In how many substitutions it stands. */
  readonly depth: number;
}

const OPERATORS = [
  "&>>",
  "<<<",
  "&&",
  "||",
  "|&",
  "&>",
  ">>",
  "<>",
  ">&",
  "<&",
  ";",
  "|",
  "&",
  "(",
  ")",
  "\n",
  ">",
  "<",
];
/** Beginnings of what is not read: arithmetic, the ends of `case` branches, what is a pipe to some. */
const REFUSED = ["((", ";;", ";&", ";|", ">|"];
/** What is another character to some shells. */
const ODD_ESCAPE = /^\\[abcefnrtuvxXU0-7]/;

/** Shells disagree about these: some drop them, some take them for a part of a name. */
// deno-lint-ignore no-control-regex
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f]/;
/** Whitespace that no shell takes for any, and characters that cannot be seen. */
const DECEPTIVE = new RegExp(String.raw`[^\S \t\n]|${SPECIAL.source}`, "u");
/** What an interactive shell replaces by an earlier command. */
const HISTORY = /^![^\s="'(;&|)<>]/;

/** Longer lines and deeper substitutions are not read. */
const LONGEST = 64 * 1024;
const DEEPEST = 8;
/** Braces and brackets that are not closed within so many characters are taken for closed. */
const FAR = 256;

/** Splits a command line. Throws {@link UnclearShell} where it cannot be read with certainty. */
export function readShell(line: string): readonly ShellToken[] {
  if (line.length > LONGEST) throw new UnclearShell("it is too long");
  if (CONTROLS.test(line)) throw new UnclearShell("it contains a control character");
  return new Reader(line).tokens();
}

class Reader {
  readonly #line: string;
  #at = 0;
  #depth = 0;
  /** Here-documents that were announced. */
  readonly #announced: Announced[] = [];

  constructor(line: string) {
    this.#line = line;
  }

  tokens(): readonly ShellToken[] {
    const tokens: ShellToken[] = [];
    while (this.#at < this.#line.length) {
      const char = this.#line.charAt(this.#at);
      if (char === " " || char === "\t") this.#at++;
      else if (this.#sees("\\\n")) this.#at += 2;
      else if (char === "#") this.#skipComment();
      else tokens.push(...this.#next());
    }
    this.#refuseAnnounced();
    return tokens;
  }

  #next(): readonly ShellToken[] {
    const here = this.#announcement();
    if (here !== undefined) return [{ type: "operator", text: "<<<" }, here];
    return [this.#operator() ?? this.#word()];
  }

  #sees(text: string): boolean {
    return this.#line.startsWith(text, this.#at);
  }

  #skipComment(): void {
    const end = this.#line.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#line.length : end;
  }

  #operator(): ShellToken | undefined {
    // `2>` and `2<` with the descriptor in front; it does not matter which one.
    const descriptor = /^\d+(?=[<>])/.exec(this.#line.slice(this.#at, this.#at + 8))?.[0] ?? "";
    const start = this.#at + descriptor.length;
    const text = OPERATORS.find((operator) => this.#line.startsWith(operator, start));
    const refused = REFUSED.find((operator) => this.#line.startsWith(operator, start));
    if (refused !== undefined) throw new UnclearShell(`it contains ${refused}`);
    if (text === undefined) return undefined;
    if (text === "<<<" && descriptor !== "") throw new UnclearShell("it contains an odd input");
    if ((text === "<" || text === ">") && this.#line.charAt(start + 1) === "(") {
      throw new UnclearShell("it contains a process substitution");
    }
    this.#at = start + text.length;
    if (text === "\n") this.#readAnnounced();
    return { type: "operator", text };
  }

  /** Reads `<<END`; the text of the word that it gives is known once the line has ended. */
  #announcement(): ShellWord | undefined {
    if (!/^\d*<<(?!<)/.test(this.#line.slice(this.#at, this.#at + 8))) return undefined;
    const here = readAnnouncement(this.#line.slice(this.#at, this.#at + FAR));
    if (here === undefined) throw new UnclearShell("it contains an odd here-document");
    const word = { type: "word" as const, text: "", quoted: true, nested: [] };
    const lineEnd = this.#line.indexOf("\n", this.#at);
    this.#announced.push({ here, word, lineEnd, depth: this.#depth });
    this.#at += here.length;
    return word;
  }

  /** Reads the texts of here-documents behind the line that has announced them. */
  #readAnnounced(): void {
    const newline = this.#at - 1;
    for (const { here, word, lineEnd, depth } of this.#announced.splice(0)) {
      if (depth !== this.#depth || lineEnd !== newline) {
        throw new UnclearShell("a here-document begins in the middle of a line");
      }
      const read = readHereText(this.#line, this.#at, here);
      if (typeof read === "string") throw new UnclearShell(read);
      if (depth > 0 && !isHarmlessInside(read.text)) {
        throw new UnclearShell("a here-document in a substitution is not plain text");
      }
      word.text = read.text;
      this.#at = read.next;
    }
  }

  #refuseAnnounced(): void {
    if (this.#announced.some(({ depth }) => depth === this.#depth)) {
      throw new UnclearShell("a here-document does not begin");
    }
  }

  #word(): ShellWord {
    let text = "";
    let expands: ShellWord["expands"];
    let quoted = false;
    let splits = false;
    /** It stands between double quotes. */
    let quoting = false;
    const nested: string[] = [];
    const expand = () => {
      const { raw, command } = this.#expansion();
      const said = quoting && command !== undefined ? saidBy(command) : undefined;
      text += said ?? raw;
      if (said !== undefined) return;
      if (command !== undefined) nested.push(command);
      if (command === undefined && raw.length === 1) return;
      expands = "anything";
      splits ||= !quoting;
    };
    // Somebody's home directory, or one that the shell remembers.
    if (/^~[^/\s;|&()<>]/.test(this.#line.slice(this.#at, this.#at + 2))) expands = "anything";
    while (this.#at < this.#line.length) {
      const char = this.#line.charAt(this.#at);
      if (/[ \t\n;|&()<>]/.test(char)) break;
      if (char === "\\") {
        if (ODD_ESCAPE.test(this.#line.slice(this.#at, this.#at + 2))) {
          throw new UnclearShell("it contains what some shells take for another character");
        }
        this.#at++;
        const escaped = this.#visible();
        if (escaped !== "\n") text += escaped;
        quoted = true;
        this.#at += escaped.length;
      } else if (char === "'") {
        const inside = this.#until("'");
        // Not every shell ends the quote there.
        if (inside.endsWith("\\")) throw new UnclearShell("a quote ends with a backslash");
        text += inside;
        quoted = true;
      } else if (char === '"') {
        quoted = quoting = true;
        this.#at++;
        while (!this.#sees('"')) {
          if (this.#at >= this.#line.length) throw new UnclearShell("a quote is not closed");
          const inner = this.#line.charAt(this.#at);
          this.#refuseHistory();
          if (inner === "$" || inner === "`") expand();
          else if (inner === "\\" && /[$`"\\\n]/.test(this.#line.charAt(this.#at + 1))) {
            if (!this.#sees("\\\n")) text += this.#line.charAt(this.#at + 1);
            this.#at += 2;
          } else {
            text += inner;
            this.#at++;
          }
        }
        quoting = false;
        this.#at++;
      } else if (char === "$" || char === "`") {
        expand();
      } else {
        const visible = this.#visible();
        this.#refuseHistory();
        if (this.#beginsBraces()) expands = "anything";
        else if (this.#beginsGlob()) expands ??= "files";
        text += visible;
        this.#at += visible.length;
      }
    }
    return {
      type: "word",
      text,
      ...(expands === undefined ? {} : { expands }),
      ...(splits ? { splits } : {}),
      quoted,
      nested,
    };
  }

  /** The character here, nothing at the end; it is one that shows. */
  #visible(): string {
    const code = this.#line.codePointAt(this.#at);
    const character = code === undefined ? "" : String.fromCodePoint(code);
    if (!DECEPTIVE.test(character)) return character;
    throw new UnclearShell("it contains an invisible character");
  }

  #refuseHistory(): void {
    if (HISTORY.test(this.#line.slice(this.#at, this.#at + 2))) {
      throw new UnclearShell("it contains what an interactive shell takes from its history");
    }
  }

  /** `{a,b}`, `{1..3}`, and `{}`, which many programs replace. */
  #beginsBraces(): boolean {
    if (!this.#sees("{")) return false;
    const rest = /^\{[^\s;|&()<>]*/.exec(this.#line.slice(this.#at, this.#at + FAR))?.[0] ?? "";
    return rest.startsWith("{}") || rest.length === FAR || /,|\.\.|[$`"'\\]/.test(rest);
  }

  /** A `[` begins a set of characters when it is closed in the same word. */
  #beginsGlob(): boolean {
    if (this.#sees("*") || this.#sees("?")) return true;
    if (!this.#sees("[")) return false;
    const rest = /^\[[^\s;|&()<>]*/.exec(this.#line.slice(this.#at, this.#at + FAR))?.[0] ?? "";
    return rest.length === FAR || rest.includes("]", 2);
  }

  /** Reads what begins with `$` or a backtick; `command` is the line inside a substitution. */
  #expansion(): { readonly raw: string; readonly command?: string } {
    if (this.#sees("`")) {
      const command = this.#until("`");
      if (command.includes("\\")) throw new UnclearShell("it escapes inside backticks");
      return { raw: `\`${command}\``, command };
    }
    if (this.#sees("$((") || this.#sees("$[")) throw new UnclearShell("it contains arithmetic");
    if (this.#sees("$'") || this.#sees('$"')) throw new UnclearShell("it contains a $-quote");
    if (this.#sees("$(")) return this.#substitution();
    const name = /^\$(?:[A-Za-z_]\w*|[0-9@*#?$!-]|\{[A-Za-z_]\w*\}|\{[0-9@*#?$!-]\})?/.exec(
      this.#line.slice(this.#at, this.#at + 256),
    )?.[0] ?? "$";
    if (name === "$" && this.#sees("${")) throw new UnclearShell("it contains a ${…} expression");
    this.#at += name.length;
    // A subscript is computed where it is known, quoted or not.
    if (this.#sees("[")) throw new UnclearShell("it contains a subscript");
    return { raw: name };
  }

  /** Reads `$(…)` by reading the tokens inside up to the parenthesis that closes it. */
  #substitution(): { readonly raw: string; readonly command: string } {
    const start = this.#at;
    this.#at += 2;
    if (++this.#depth > DEEPEST) throw new UnclearShell("it nests too deep");
    for (let depth = 1; depth > 0;) {
      if (this.#at >= this.#line.length) throw new UnclearShell("a $( is not closed");
      const char = this.#line.charAt(this.#at);
      if (/[ \t]/.test(char)) this.#at++;
      else if (this.#sees("\\\n")) this.#at += 2;
      else if (char === "#") throw new UnclearShell("it has a comment in a substitution");
      else {
        for (const token of this.#next()) {
          if (token.type === "operator" && token.text === "(") depth++;
          if (token.type === "operator" && token.text === ")") depth--;
        }
      }
    }
    this.#refuseAnnounced();
    this.#depth--;
    const raw = this.#line.slice(start, this.#at);
    return { raw, command: raw.slice(2, -1) };
  }

  /** What stands between the quote here and the next one like it. */
  #until(quote: string): string {
    const end = this.#line.indexOf(quote, this.#at + 1);
    if (end < 0) throw new UnclearShell("a quote is not closed");
    const inside = this.#line.slice(this.#at + 1, end);
    this.#at = end + 1;
    return inside;
  }
}

/** What `cat <<'END'` puts in place of a quoted substitution, so that text may have several lines. */
function saidBy(command: string): string | undefined {
  if (!/^\s*cat[ \t]*<</.test(command)) return undefined;
  const [cat, , text, ...rest] = readShell(command);
  const ends = rest.every((token) => token.type === "operator" && token.text === "\n");
  if (cat?.type !== "word" || cat.text !== "cat" || text?.type !== "word" || !ends) {
    return undefined;
  }
  return text.expands === undefined ? text.text.replace(/\n+$/, "") : undefined;
}
