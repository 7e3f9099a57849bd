/**
 * A persistent list: appending and replacing give a new list and leave the old one as it was, at a
 * cost that does not grow with the length in any way that a session could feel (one block of
 * {@link BLOCK} items and one spine of `length / BLOCK` references are copied).
 *
 * @module
 */

const BLOCK = 128;

/**
 * An immutable list with cheap append and replace.
 *
 * ```ts
 * import { type EntryList, SessionStore } from "@mm/repl";
 *
 * const store = new SessionStore("/tmp");
 * store.dispatch({ type: "notice_added", severity: "info", text: "hello" });
 * const entries: EntryList<{ readonly kind: string }> = store.state.entries;
 * console.assert(entries.length === 1 && entries.at(-1)?.kind === "notice");
 * ```
 */
export class EntryList<T> {
  /** Number of items. */
  readonly length: number;
  readonly #blocks: readonly (readonly T[])[];

  private constructor(blocks: readonly (readonly T[])[], length: number) {
    this.#blocks = blocks;
    this.length = length;
  }

  /** The list without items. */
  static empty<T>(): EntryList<T> {
    return new EntryList<T>([], 0);
  }

  /** The item at `index`, or `undefined` outside the list. Negative indexes count from the end. */
  at(index: number): T | undefined {
    const i = index < 0 ? this.length + index : index;
    return this.#blocks[Math.floor(i / BLOCK)]?.[i % BLOCK];
  }

  /** A list with `item` at its end. */
  append(item: T): EntryList<T> {
    const last = this.length % BLOCK === 0 ? [] : this.#blocks.at(-1) ?? [];
    const kept = last.length === 0 ? this.#blocks : this.#blocks.slice(0, -1);
    return new EntryList([...kept, [...last, item]], this.length + 1);
  }

  /** A list with the item at `index` replaced; the same list when there is no such index. */
  with(index: number, item: T): EntryList<T> {
    if (index < 0 || index >= this.length) return this;
    const at = Math.floor(index / BLOCK);
    const blocks = this.#blocks.slice();
    blocks[at] = (blocks[at] ?? []).with(index % BLOCK, item);
    return new EntryList(blocks, this.length);
  }

  /** The items from `start` on, in order. */
  *from(start: number): Generator<T> {
    for (let i = Math.max(0, start); i < this.length; i++) yield this.at(i) as T;
  }

  /** All items in order. */
  [Symbol.iterator](): Generator<T> {
    return this.from(0);
  }
}
