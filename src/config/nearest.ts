/**
 * "Did you mean …?"
 *
 * @module
 */

/**
 * The word that `text` was probably meant to be: the one with the fewest edits (insert, remove,
 * replace, swap two neighbours), of those the one nearest in length, if the edits are at most a
 * third of its length; case does not count.
 */
export function nearestWord(text: string, words: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Infinity;
  for (const word of words) {
    const count = edits(text.toLowerCase(), word.toLowerCase());
    const longest = Math.max(word.length, text.length);
    if (count > Math.max(1, Math.floor(longest / 3))) continue;
    const distance = count + Math.abs(word.length - text.length) / (longest + 1);
    if (distance >= least) continue;
    best = word;
    least = distance;
  }
  return best;
}

/** `; did you mean "read"?`, or nothing when no word is near. */
export function didYouMean(text: string, words: Iterable<string>): string {
  const near = nearestWord(text, words);
  return near === undefined ? "" : `; did you mean "${near}"?`;
}

function edits(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(at(row, j) + 1, at(next, j - 1) + 1, at(row, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, at(before, j - 2) + 1);
      }
      next.push(least);
    }
    before = row;
    row = next;
  }
  return at(row, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
