/**
 * Where the links of a message lead that name a definition, `[text][name]`, which stands elsewhere in
 * it, often at its end.
 *
 * @module
 */

/**
 * `[name]: address`, perhaps with a title. Names that begin with `^` are footnotes, and a mere word
 * is no address: somebody wrote `[note]: done`.
 */
const DEFINITION =
  /^ {0,3}\[([^\]\n^][^\]\n]*)\]:[ \t]*(?:<[^>\n]*>|#\S+|mailto:\S+|[^\s</]*\/\S*)(?:[ \t]+(?:"[^"]*"|'[^']*'|\([^)]*\)))?[ \t]*$/;
const NAME = /\[([^\]\n[]+)\]/g;
/** Names that are remembered, at most. */
const MAX_NAMES = 1_000;

/** The definitions of a message, as far as it has come. */
export class LinkDefinitions {
  readonly #lines = new Map<string, string>();
  /** Names that were shown before they were defined. */
  readonly #missed = new Set<string>();

  /** Takes a line: `undefined` when it is no definition, else whether it has to be shown. */
  take(line: string): { readonly shown: boolean } | undefined {
    const name = DEFINITION.exec(line)?.[1];
    if (name === undefined || this.#lines.size >= MAX_NAMES) return undefined;
    const key = name.toLowerCase();
    if (!this.#lines.has(key)) this.#lines.set(key, line.trim());
    return { shown: this.#missed.has(key) };
  }

  /** The source of a block with the definitions of the names in it. */
  apply(source: string): string {
    if (this.#lines.size === 0 || !source.includes("[")) return source;
    const wanted = names(source).flatMap((name) => this.#lines.get(name) ?? []);
    return wanted.length === 0 ? source : `${source.trimEnd()}\n\n${wanted.join("\n")}`;
  }

  /** Notes that a block was shown: names in it that nothing defines yet have gone out as they are. */
  passed(source: string): void {
    if (!source.includes("[")) return;
    for (const name of names(source)) {
      if (!this.#lines.has(name) && this.#missed.size < MAX_NAMES) this.#missed.add(name);
    }
  }
}

function names(source: string): readonly string[] {
  return [...new Set([...source.matchAll(NAME)].map(([, name = ""]) => name.toLowerCase()))];
}
