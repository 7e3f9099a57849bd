/**
 * Characters that a terminal must not get, in a text that a person edits.
 *
 * The editor holds characters for private use in their place, which are as long and take one column,
 * so that what is drawn is as wide as it is taken to be, and gives back what was typed or pasted.
 *
 * @module
 */

import { NEVER_PLAIN } from "../../base/invisible.ts";

/** The private characters that are used; they have stand-ins themselves where a text has them. */
const RESERVED = /[\ue400-\ue4ff\u{10f000}-\u{10fffd}]/gu;
const FIRST_SHORT = 0xe400;
const LAST_SHORT = 0xe4ff;
const FIRST_LONG = 0x10f000;
const LAST_LONG = 0x10fffd;

/** What is seen of any of them. */
const SHOWN = "\ufffd";

/** The stand-ins of one editor. */
export class StandIns {
  readonly #standIns = new Map<string, string>();
  readonly #originals = new Map<string, string>();
  #nextShort = FIRST_SHORT;
  #nextLong = FIRST_LONG;

  /** The text as it may be edited; of the same length. Half a surrogate pair becomes U+FFFD. */
  put(text: string): string {
    const standIn = (character: string) => this.#standInOf(character);
    return text.toWellFormed().replace(RESERVED, standIn).replace(NEVER_PLAIN, standIn);
  }

  /** The text that was put in. */
  takeOut(text: string): string {
    return text.replace(RESERVED, (character) => this.#originals.get(character) ?? character);
  }

  #standInOf(character: string): string {
    const known = this.#standIns.get(character);
    if (known !== undefined) return known;
    const short = character.length === 1;
    if (short ? this.#nextShort > LAST_SHORT : this.#nextLong > LAST_LONG) {
      return SHOWN.repeat(character.length);
    }
    const made = String.fromCodePoint(short ? this.#nextShort++ : this.#nextLong++);
    this.#standIns.set(character, made);
    this.#originals.set(made, character);
    return made;
  }
}

/** A line of the editor as it is drawn. */
export function withoutStandIns(line: string): string {
  return line.replace(RESERVED, SHOWN);
}
