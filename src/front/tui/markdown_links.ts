/**
 * Addresses in rendered Markdown, made clickable. A link leads where its printed address says.
 *
 * @module
 */

/** An address in Markdown, with what may belong to the sentence at its end cut off. */
const ADDRESS = /https?:\/\/[^\s<>"'`|]*[^\s<>"'`|.,;:!?)\]}*_]/g;
// deno-lint-ignore no-control-regex
const ATTRIBUTES = /\x1b\[[0-9;]*m/y;
// deno-lint-ignore no-control-regex
const ANY_ATTRIBUTES = /\x1b\[[0-9;]*m/g;
const LAST_WORD = /\S+$/;

/** The lines with each address of the source as a hyperlink, over the end of a line as well. */
export function linkAddresses(lines: readonly string[], source: string): readonly string[] {
  if (!source.includes("://")) return lines;
  // The longest first: another one may be its beginning.
  const addresses = [...new Set(source.match(ADDRESS))].sort((a, b) => b.length - a.length);
  if (addresses.length === 0) return lines;
  return addresses.some((address) => isCut(address, lines))
    ? linkParts(lines, addresses)
    : linkWhole(lines, addresses);
}

/** Whether a line ends within an address, as far as that is easily seen. */
function isCut(address: string, lines: readonly string[]): boolean {
  if (!lines.some((line) => line.includes(address))) return true;
  return lines.some((line) => {
    const end = LAST_WORD.exec(line.replaceAll(ANY_ATTRIBUTES, ""))?.[0] ?? "";
    return end !== "" && end.length < address.length && address.startsWith(end);
  });
}

/** No address goes over the end of a line. */
function linkWhole(lines: readonly string[], addresses: readonly string[]): readonly string[] {
  const any = new RegExp(addresses.map((address) => RegExp.escape(address)).join("|"), "g");
  return lines.map((line) =>
    line.includes("://") ? line.replace(any, (address) => hyperlink(address, address)) : line
  );
}

function linkParts(lines: readonly string[], addresses: readonly string[]): readonly string[] {
  const { text, places } = readLines(lines);
  const spans: Span[] = [];
  for (const address of addresses) {
    for (let at = text.indexOf(address); at >= 0; at = text.indexOf(address, at + 1)) {
      const end = at + address.length;
      const taken = spans.some((span) => at < span.end && span.start < end);
      if (!taken) spans.push({ start: at, end, address });
    }
  }
  return spans.length === 0 ? lines : lines.map((line, row) => link(line, row, places, spans));
}

function hyperlink(address: string, text: string): string {
  return `\x1b]8;;${address}\x1b\\${text}\x1b]8;;\x1b\\`;
}

/** Where an address is printed, in the text of all lines. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly address: string;
}

/** A character of the text: its line, and where it stands there. */
interface Place {
  readonly row: number;
  readonly offset: number;
}

/** The text of all lines as one, without attributes, and without indents, which a wrap may make. */
function readLines(lines: readonly string[]): { text: string; places: readonly Place[] } {
  let text = "";
  const places: Place[] = [];
  for (const [row, line] of lines.entries()) {
    let indented = true;
    for (let offset = 0; offset < line.length; offset++) {
      const character = line.charAt(offset);
      if (character === "\x1b") {
        ATTRIBUTES.lastIndex = offset;
        offset += (ATTRIBUTES.exec(line)?.[0].length ?? 1) - 1;
        continue;
      }
      if (indented && (character === " " || character === "│")) continue;
      indented = false;
      text += character;
      places.push({ row, offset });
    }
  }
  return { text, places };
}

/** Puts the parts of addresses that stand in this line between the ends of a hyperlink. */
function link(
  line: string,
  row: number,
  places: readonly Place[],
  spans: readonly Span[],
): string {
  const parts = spans.flatMap(({ start, end, address }) => {
    const offsets = places.slice(start, end).flatMap((place) =>
      place.row === row ? [place.offset] : []
    );
    const [first] = offsets;
    const last = offsets.at(-1);
    return first === undefined || last === undefined ? [] : [{ first, last, address }];
  }).sort((a, b) => b.first - a.first);
  return parts.reduce(
    (text, { first, last, address }) =>
      text.slice(0, first) + hyperlink(address, text.slice(first, last + 1)) + text.slice(last + 1),
    line,
  );
}
