/**
 * Writing files so that nobody ever sees half of one.
 *
 * @module
 */

/**
 * Puts text in place of a file, or makes the file: whatever happens meanwhile, the old one or the new
 * one is there, whole. Where the path is a link, what it leads to is replaced.
 *
 * @param mode of the file; by default it keeps its own, and a new one gets the usual
 * @throws {Error} of the system; then the file is as it was
 */
export async function replaceFile(path: string, text: string, mode?: number): Promise<void> {
  const real = await Deno.realPath(path).catch(() => path);
  const before = mode === undefined ? await Deno.stat(real).catch(() => undefined) : undefined;
  const temporary = `${real}.${crypto.randomUUID()}.tmp`;
  try {
    using file = await Deno.open(temporary, { write: true, createNew: true, mode });
    let rest = new TextEncoder().encode(text);
    while (rest.length > 0) rest = rest.subarray(await file.write(rest));
    await file.syncData();
    if (typeof before?.mode === "number") await Deno.chmod(temporary, before.mode & 0o7777);
    await Deno.rename(temporary, real);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw error;
  }
}
