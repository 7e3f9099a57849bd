/**
 * What was given on the command line, by flag name.
 *
 * @module
 */

/** The value of a flag: `true` for a switch, a list for a repeatable one. */
export type FlagValue = true | string | number | readonly string[];

/** The given flags. */
export class Values {
  readonly #given: ReadonlyMap<string, FlagValue>;

  constructor(given: Iterable<readonly [string, FlagValue]> = []) {
    this.#given = new Map(given);
  }

  /** Names of the given flags. */
  names(): string[] {
    return [...this.#given.keys()];
  }

  /** True when the flag was given. */
  has(name: string): boolean {
    return this.#given.has(name);
  }

  /** The text of a flag with a value. */
  text(name: string): string | undefined {
    const value = this.#given.get(name);
    return typeof value === "string" ? value : undefined;
  }

  /** The text of a flag with choices, when it is one of `words`. */
  word<const W extends string>(name: string, words: readonly W[]): W | undefined {
    const value = this.#given.get(name);
    return words.find((word) => word === value);
  }

  /** The number of a flag that takes one. */
  number(name: string): number | undefined {
    const value = this.#given.get(name);
    return typeof value === "number" ? value : undefined;
  }

  /** The texts of a repeatable flag, in order. */
  texts(name: string): readonly string[] {
    const value = this.#given.get(name);
    return typeof value === "object" ? value : [];
  }

  /** These values, completed by those of `other`; repeatable flags are joined. */
  over(other: Values): Values {
    const joined = new Map(other.#given);
    for (const [name, value] of this.#given) {
      const before = joined.get(name);
      const both = typeof value === "object" && typeof before === "object";
      joined.set(name, both ? [...before, ...value] : value);
    }
    return new Values(joined);
  }
}
