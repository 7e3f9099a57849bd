/**
 * Here-documents: text in a shell line that a command is given to read.
 *
 * Only those are read that mean the same to every shell.
 *
 * @module
 */

/** A here-document that a line has announced, and whose text comes behind the end of the line. */
export interface HereAnnouncement {
  /** The line that ends it. */
  readonly end: string;
  /** Tabs at the beginning of its lines do not count. */
  readonly indented: boolean;
  /** Nothing in it stands for anything else. */
  readonly quoted: boolean;
  /** How many characters announce it. */
  readonly length: number;
}

/** Reads `<<END`, `<<'END'` or `<<-END`; `undefined` where the word that ends it is not a plain one. */
export function readAnnouncement(text: string): HereAnnouncement | undefined {
  const found = /^<<(-?)[ \t]*(?:'([\w.]+)'|"([\w.]+)"|(\\?)([A-Za-z_]\w*))(?=[\s;|&()<>]|$)/
    .exec(text);
  if (found === null) return undefined;
  const [{ length }, dash, single, double, escape, bare = ""] = found;
  return {
    end: single ?? double ?? bare,
    indented: dash === "-",
    quoted: escape !== "",
    length,
  };
}

/**
 * Reads the text that begins at a place in a line, and where the line goes on behind it; a reason
 * where that is not certain.
 */
export function readHereText(
  line: string,
  start: number,
  { end, indented, quoted }: HereAnnouncement,
): { readonly text: string; readonly next: number } | string {
  const lines: string[] = [];
  for (let at = start; at < line.length;) {
    const newline = line.indexOf("\n", at);
    const next = newline < 0 ? line.length : newline + 1;
    const whole = line.slice(at, newline < 0 ? next : newline);
    const own = indented ? whole.replace(/^\t+/, "") : whole;
    at = next;
    if (own === end) {
      const text = lines.map((one) => `${one}\n`).join("");
      if (!quoted && /[$`\\]/.test(text)) return "a here-document is computed";
      return { text, next };
    }
    // Not every shell takes the same for the end.
    if (own.trimStart().startsWith(end)) return "a here-document has two ends";
    lines.push(own);
  }
  return "a here-document does not end";
}

/**
 * True when a text does not mislead a shell that looks for the end of a substitution without knowing
 * of here-documents.
 */
export function isHarmlessInside(text: string): boolean {
  if (/[`\\]|\$\{|\bcase\b/.test(text)) return false;
  const marks = text.replace(/'[^']*'|"[^"]*"/g, "").replace(/[^'"()]/g, "");
  if (/['"]/.test(marks)) return false;
  // What stands behind a # may be taken for a comment, or not.
  if (text.includes("#") && /['"()]/.test(text)) return false;
  let open = 0;
  for (const mark of marks) if ((open += mark === "(" ? 1 : -1) < 0) return false;
  return open === 0;
}
