/**
 * The highlighter itself, apart because it takes a while to load.
 *
 * @module
 */

import hljs from "highlight.js/lib/common";
import type { Role } from "./theme.ts";

type Options = Parameters<typeof hljs.configure>[0];
type Emitter = InstanceType<NonNullable<Options["__emitter"]>>;

/** A piece of code that looks the same throughout. */
export interface CodePiece {
  text: string;
  readonly role: Role | undefined;
}

const ROLE_OF: Readonly<Record<string, Role>> = {
  keyword: "keyword",
  literal: "keyword",
  operator: "keyword",
  "selector-tag": "keyword",
  built_in: "name",
  type: "name",
  title: "name",
  function: "name",
  class: "name",
  attr: "name",
  attribute: "name",
  property: "name",
  tag: "name",
  name: "name",
  section: "name",
  symbol: "number",
  number: "number",
  string: "string",
  regexp: "string",
  char: "string",
  "selector-attr": "string",
  comment: "comment",
  quote: "comment",
  doctag: "comment",
  meta: "comment",
  addition: "added",
  deletion: "removed",
};

/**
 * Takes what the highlighter finds. Its own collector makes a tree, and HTML of it: to read that
 * again would take as long as to find it.
 */
class Pieces implements Emitter {
  readonly pieces: CodePiece[] = [];
  readonly #roles: (Role | undefined)[] = [undefined];

  startScope(scope: string): void {
    // A part of a scope, as in `title.function`, says nothing more about its look.
    const role = ROLE_OF[scope.split(".", 1)[0] ?? ""];
    this.#roles.push(role ?? this.#roles.at(-1));
  }

  endScope(): void {
    this.#roles.pop();
  }

  /** The highlighter calls these, too. */
  openNode(scope: string): void {
    this.startScope(scope);
  }

  closeNode(): void {
    this.endScope();
  }

  addText(text: string): void {
    this.#add(text, this.#roles.at(-1));
  }

  __addSublanguage(other: Emitter): void {
    if (!(other instanceof Pieces)) return;
    const own = this.#roles.at(-1);
    for (const { text, role } of other.pieces) this.#add(text, role ?? own);
  }

  finalize(): void {}

  /** Nobody reads it. */
  toHTML(): string {
    return "";
  }

  #add(text: string, role: Role | undefined): void {
    const last = this.pieces.at(-1);
    if (last !== undefined && last.role === role) last.text += text;
    else if (text !== "") this.pieces.push({ text, role });
  }
}

hljs.configure({ __emitter: Pieces });

/** The code in pieces; `undefined` for a language that is not known. */
export function highlightCode(code: string, language: string): readonly CodePiece[] | undefined {
  if (hljs.getLanguage(language) === undefined) return undefined;
  const { _emitter: emitter } = hljs.highlight(code, { language, ignoreIllegals: true });
  return emitter instanceof Pieces ? emitter.pieces : undefined;
}
