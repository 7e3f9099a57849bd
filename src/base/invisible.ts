/**
 * Which characters a terminal must not get as they are, and which invisible ones text needs.
 *
 * @module
 */

/** Kinds of characters that are not plain text. */
const KINDS = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\p{NChar}]`;
/** Those of them that are, whatever stands around them. */
const PLAIN = String
  .raw`\n\t\u{600}-\u{605}\u{6DD}\u{70F}\u{890}\u{891}\u{8E2}\u{110BD}\u{110CD}`;
/** Those of them that languages and emoji need in their place: joiners, variation selectors, tags. */
const NEEDED = String
  .raw`\u{180B}-\u{180F}\u{200C}\u{200D}\u{FE00}-\u{FE0F}\u{E0020}-\u{E007F}\u{E0100}-\u{E01EF}`;

/**
 * Matches one character that is not plain text: controls (except newline and tab), invisible and
 * format characters, line separators, noncharacters, lone surrogates.
 */
export const SPECIAL: RegExp = new RegExp(`(?![${PLAIN}])${KINDS}`, "gu");

/** Matches one of those that no text needs, whatever stands around it. */
export const NEVER_PLAIN: RegExp = new RegExp(`(?![${PLAIN}${NEEDED}])${KINDS}`, "gu");

const ZWNJ = "\u200c";
const ZWJ = "\u200d";
const BLACK_FLAG = "\u{1F3F4}";

/** Tag characters of the three flags that exist as sequences: England, Scotland, Wales. */
const FLAG_TAGS = ["gbeng", "gbsct", "gbwls"].map((region) =>
  Array.from(region, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("") +
  "\u{E007F}"
);

const VARIATION = /^[\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]$/u;
const VARIATION_BASE =
  /^(?:\p{Emoji}|\p{Script=Han}|\p{Script=Myanmar}|(?!\p{ASCII})[\p{S}\p{P}])$/u;
const MONGOLIAN_SELECTOR = /^[\u{180B}-\u{180F}]$/u;
const MONGOLIAN = /^\p{Script=Mongolian}$/u;
const EMOJI_BEFORE_JOINER = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}\u{FE0F}]$/u;
const EMOJI_AFTER_JOINER = /^\p{Extended_Pictographic}$/u;
const VIRAMA =
  /^[\u{94D}\u{9CD}\u{A4D}\u{ACD}\u{B4D}\u{BCD}\u{C4D}\u{CCD}\u{D4D}\u{DCA}\u{1039}\u{17D2}]$/u;
/** Letters and marks of the scripts whose spelling needs joiners and non-joiners. */
const JOINING_LETTER =
  /^(?=[\p{L}\p{M}])[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Myanmar}\p{Script=Khmer}\p{Script=Tibetan}]$/u;

/** What becomes of an invisible character: shown as a code, kept, or decided by what follows. */
export type Fate = "reveal" | "keep" | "wait";

/** The fate of an invisible character after `before`, the last character written. */
export function fateAfter(before: string, character: string): Fate {
  if (VARIATION.test(character)) return VARIATION_BASE.test(before) ? "keep" : "reveal";
  if (MONGOLIAN_SELECTOR.test(character)) return MONGOLIAN.test(before) ? "keep" : "reveal";
  if (character === ZWJ || character === ZWNJ) {
    if (VIRAMA.test(before)) return "keep";
    const emoji = character === ZWJ && EMOJI_BEFORE_JOINER.test(before);
    return emoji || JOINING_LETTER.test(before) ? "wait" : "reveal";
  }
  return before === BLACK_FLAG ? fateOfTags(character) : "reveal";
}

/** The fate of a run of tag characters after a black flag. */
export function fateOfTags(tags: string): Fate {
  if (FLAG_TAGS.includes(tags)) return "keep";
  return FLAG_TAGS.some((flag) => flag.startsWith(tags)) ? "wait" : "reveal";
}

/** Whether a waiting joiner between `before` and `after` belongs to the text. */
export function joins(before: string, joiner: string, after: string): boolean {
  if (joiner !== ZWJ && joiner !== ZWNJ) return false;
  if (JOINING_LETTER.test(before)) return JOINING_LETTER.test(after);
  return joiner === ZWJ && EMOJI_AFTER_JOINER.test(after);
}

/** Shows characters as what they are: C0 controls as their pictures, others as `<U+202E>`. */
export function reveal(characters: string): string {
  let shown = "";
  for (const character of characters) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20) shown += String.fromCharCode(0x2400 + code);
    else if (code === 0x7f) shown += "\u2421";
    else if (code >= 0xd800 && code <= 0xdfff) shown += "\ufffd";
    else shown += `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
  }
  return shown;
}
