/** @module */

/** The lines of a stream of UTF-8, without their ends; empty ones are left out. */
export async function* readLines(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<string, void> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = text.split("\n");
    lines[0] = rest + lines[0];
    rest = lines.pop() ?? "";
    yield* lines.filter((line) => line !== "");
  }
}
