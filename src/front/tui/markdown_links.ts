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

/** Addresses may go over the ends of lines: each of their parts leads to the whole. */
function linkParts(lines: readonly string[], addresses: readonly string[]): readonly string[] {
  const { text, places } = readLines(lines);
  const targets: (string | undefined)[] = [];
  for (const address of addresses) {
    for (let at = text.indexOf(address); at >= 0; at = text.indexOf(address, at + 1)) {
      const end = at + address.length;
      if (targets[at] === undefined && targets[end - 1] === undefined) {
        for (let index = at; index < end; index++) targets[index] = address;
        // Two that follow each other are two.
        at = end - 1;
      }
    }
  }
  const parts = lines.map((): Part[] => []);
  places.forEach(({ row, offset }, index) => {
    const address = targets[index];
    if (address === undefined) return;
    const last = parts[row]?.at(-1);
    const goesOn = last?.address === address && targets[index - 1] === address &&
      last.end - last.start < address.length;
    if (goesOn) last.end = offset + 1;
    else parts[row]?.push({ start: offset, end: offset + 1, address });
  });
  return lines.map((line, row) => link(line, parts[row] ?? []));
}

function hyperlink(address: string, text: string): string {
  return `\x1b]8;;${address}\x1b\\${text}\x1b]8;;\x1b\\`;
}

/** A piece of a line that belongs to an address: its first character, and the one after it. */
interface Part {
  readonly start: number;
  end: number;
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

/** Puts the parts of addresses that stand in a line between the ends of a hyperlink. */
function link(line: string, parts: readonly Part[]): string {
  let out = "";
  let at = 0;
  for (const { start, end, address } of parts) {
    out += line.slice(at, start) + hyperlink(address, line.slice(start, end));
    at = end;
  }
  return out + line.slice(at);
}
