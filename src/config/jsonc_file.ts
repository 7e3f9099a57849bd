/**
 * JSONC files with positions: comments, trailing commas, a byte-order mark and an empty file are
 * fine.
 *
 * @module
 */

import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { MmError } from "../base/errors.ts";

/** A file that was read. */
export interface JsoncFile {
  readonly path: string;
  /** The outermost value; absent when there is none. */
  readonly root: Node | undefined;
  /** Line and column of an offset, both from 1. */
  position(offset: number): { readonly line: number; readonly column: number };
}

/** What the parser's complaints mean. */
const COMPLAINTS: Readonly<Record<string, string>> = {
  CloseBraceExpected: "a closing brace } is missing",
  CloseBracketExpected: "a closing bracket ] is missing",
  ColonExpected: "a colon is missing",
  CommaExpected: "a comma is missing",
  EndOfFileExpected: "there is text after the end of the value",
  InvalidCharacter: "a character is not allowed here",
  InvalidCommentToken: "a comment is not allowed here",
  InvalidEscapeCharacter: "an escape in a string is wrong",
  InvalidNumberFormat: "a number is malformed",
  InvalidSymbol: "a word is not allowed here (strings need double quotes)",
  InvalidUnicode: "a \\u escape is wrong",
  PropertyNameExpected: "a key in double quotes is missing",
  UnexpectedEndOfComment: "a comment is not closed",
  UnexpectedEndOfNumber: "a number is malformed",
  UnexpectedEndOfString: "a string is not closed",
  ValueExpected: "a value is missing",
};

/** Parses the text of a JSONC file. Throws `config` with line and column for broken JSONC. */
export function parseJsonc(path: string, text: string): JsoncFile {
  const source = text.replace(/^\uFEFF/, "");
  const errors: ParseError[] = [];
  const root = parseTree(source, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const file: JsoncFile = { path, root, position: (offset) => positionIn(source, offset) };
  const [first] = errors;
  if (first !== undefined) {
    const { line, column } = file.position(first.offset);
    const code = printParseErrorCode(first.error);
    throw new MmError(
      "config",
      `Cannot read ${path}:${line}:${column}: ${COMPLAINTS[code] ?? code}`,
      { hint: "The place is where reading stopped; what is wrong may be just before it." },
    );
  }
  return file;
}

function positionIn(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}
