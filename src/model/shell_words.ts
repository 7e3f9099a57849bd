/**
 * Words and operators of a POSIX shell command line.
 *
 * This is a reader for permission rules, not a shell: it knows enough to find every command that a
 * line runs, and says so when it does not.
 *
 * @module
 */

/** A word after the removal of quotes. */
export interface ShellWord {
  readonly type: "word";
  /** The value; expansions stand in it as they were written. */
  readonly text: string;
  /** True when the shell puts something else in place of a part of it. */
  readonly dynamic: boolean;
  /** True when any of it was quoted: such a word is never a keyword. */
  readonly quoted: boolean;
  /** The command lines of its substitutions. */
  readonly nested: readonly string[];
}

/** A word, or an operator such as `&&`, `|`, `>` (`2>` without its digits), `(` or a newline. */
export type ShellToken = ShellWord | { readonly type: "operator"; readonly text: string };

/** Thrown inside the reader; never leaves this room. */
export class UnclearShell extends Error {}

const OPERATORS = [
  "&>>",
  "<<<",
  "&&",
  "||",
  "|&",
  "&>",
  ">>",
  ">|",
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
/** Beginnings of what is not read: here-documents, the ends of `case` branches. */
const REFUSED = ["<<", ";;", ";&"];

/** Longer lines and deeper substitutions are not read. */
const LONGEST = 64 * 1024;
const DEEPEST = 16;

/** Splits a command line. Throws {@link UnclearShell} where it cannot be read with certainty. */
export function readShell(line: string): readonly ShellToken[] {
  if (line.length > LONGEST) throw new UnclearShell("it is too long");
  return new Reader(line).tokens();
}

class Reader {
  readonly #line: string;
  #at = 0;
  #depth = 0;

  constructor(line: string) {
    this.#line = line.replaceAll("\r\n", "\n");
  }

  tokens(): readonly ShellToken[] {
    const tokens: ShellToken[] = [];
    while (this.#at < this.#line.length) {
      const char = this.#line.charAt(this.#at);
      if (char === " " || char === "\t") this.#at++;
      else if (this.#sees("\\\n")) this.#at += 2;
      else if (char === "#") this.#skipComment();
      else tokens.push(this.#operator() ?? this.#word());
    }
    return tokens;
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
    if (refused !== undefined && text !== "<<<") throw new UnclearShell(`it contains ${refused}`);
    if (text === undefined) return undefined;
    if ((text === "<" || text === ">") && this.#line.charAt(start + 1) === "(") {
      throw new UnclearShell("it contains a process substitution");
    }
    this.#at = start + text.length;
    return { type: "operator", text };
  }

  #word(): ShellWord {
    let text = "";
    let dynamic = false;
    let quoted = false;
    const nested: string[] = [];
    const expand = () => {
      const { raw, command } = this.#expansion();
      text += raw;
      if (command !== undefined) nested.push(command);
      dynamic = dynamic || command !== undefined || raw.length > 1;
    };
    while (this.#at < this.#line.length) {
      const char = this.#line.charAt(this.#at);
      if (/[ \t\n;|&()<>]/.test(char)) break;
      if (char === "\\") {
        if (!this.#sees("\\\n")) text += this.#line.charAt(this.#at + 1);
        quoted = true;
        this.#at += 2;
      } else if (char === "'") {
        text += this.#until("'");
        quoted = true;
      } else if (char === '"') {
        quoted = true;
        this.#at++;
        while (!this.#sees('"')) {
          if (this.#at >= this.#line.length) throw new UnclearShell("a quote is not closed");
          const inner = this.#line.charAt(this.#at);
          if (inner === "$" || inner === "`") expand();
          else if (inner === "\\" && /[$`"\\\n]/.test(this.#line.charAt(this.#at + 1))) {
            if (!this.#sees("\\\n")) text += this.#line.charAt(this.#at + 1);
            this.#at += 2;
          } else {
            text += inner;
            this.#at++;
          }
        }
        this.#at++;
      } else if (char === "$" || char === "`") {
        expand();
      } else {
        // The shell puts several words, or the names of files, in place of these.
        if (/[{*?[]/.test(char)) dynamic = true;
        text += char;
        this.#at++;
      }
    }
    return { type: "word", text, dynamic, quoted, nested };
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
      else if (char === "#") this.#skipComment();
      else {
        const token = this.#operator() ?? this.#word();
        if (token.type === "operator" && token.text === "(") depth++;
        if (token.type === "operator" && token.text === ")") depth--;
      }
    }
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
