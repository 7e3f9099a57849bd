/**
 * A persistent map: setting a key gives a new map and leaves the old one as it was. Both lookups
 * and insertions cost the logarithm of the size, on average over a history of insertions.
 *
 * It is a stack of layers, the newest first, each at least twice as big as the one above it: a new
 * key starts a layer of its own, which swallows the layers that are not bigger.
 *
 * @module
 */

/** An immutable map from strings with cheap insertion. */
export class PersistentMap<V> {
  readonly #layers: readonly ReadonlyMap<string, V>[];

  private constructor(layers: readonly ReadonlyMap<string, V>[]) {
    this.#layers = layers;
  }

  /** The map without keys. */
  static empty<V>(): PersistentMap<V> {
    return new PersistentMap<V>([]);
  }

  /** The value of `key` that was set last, or `undefined`. */
  get(key: string): V | undefined {
    return this.#layers.find((layer) => layer.has(key))?.get(key);
  }

  /** A map in which `key` has `value`. */
  set(key: string, value: V): PersistentMap<V> {
    let top = new Map([[key, value]]);
    let kept = 0;
    for (const layer of this.#layers) {
      if (layer.size > top.size) break;
      top = new Map([...layer, ...top]);
      kept++;
    }
    return new PersistentMap([top, ...this.#layers.slice(kept)]);
  }
}
