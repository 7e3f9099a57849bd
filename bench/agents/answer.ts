/**
 * An answer as models write them: headings, prose, lists, code, a table.
 *
 * @module
 */

/** One section of it. */
export const SECTION = `## How the cache decides what to keep

The cache keeps an entry for as long as its *source* is the same: the digest of the file and of
everything that it imports is part of the key, so a change anywhere below the entry point makes a
new one. Nothing is ever updated in place. That costs a little space, and it saves the question of
**who may write while somebody else reads**, which has no good answer on a shared directory.

When the directory grows beyond its limit, the entries that were used least recently go first. The
time of use is the \`mtime\` of the file, touched at most once a minute; see the
[notes on file systems](https://example.org/notes/file-systems) for why \`atime\` cannot be trusted.
A run that finds an entry gone simply makes it again.

There are four cases to look at:

- the entry is there and its key is right: it is used as it is
- the entry is there and its key is wrong: it is *not* used, and it is not removed either,
  because another checkout may still want it
  - \`--prune\` removes those, after asking
- there is no entry: the work is done and its result is written to a **temporary name** first
- the directory cannot be written: a warning, once, and the work is done every time

\`\`\`ts
/** Looks an entry up; \`undefined\` when there is none that can be used. */
export async function find(cache: Cache, source: Source): Promise<Entry | undefined> {
  const key = await digest([source.text, ...source.imports.map((one) => one.digest)]);
  const path = join(cache.directory, key.slice(0, 2), key);
  try {
    const entry = parseEntry(await Deno.readTextFile(path));
    if (Date.now() - entry.touched > 60_000) await touch(path);
    return entry.version === VERSION ? entry : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw new CacheError(\`Cannot read \${path}\`, { cause: error });
  }
}
\`\`\`

| Case          | Reads | Writes | Time    |
|---------------|------:|-------:|--------:|
| hit           |     1 |      0 |  0.2 ms |
| hit, touched  |     1 |      1 |  0.4 ms |
| miss          |     1 |      2 | 35.0 ms |

Three things follow from that. First, a hit costs one read whatever the size of the directory.
Second, two runs at the same time do the same work twice and disturb each other in nothing. Third,
deleting the whole directory is always safe, and the way to start afresh.

`;
