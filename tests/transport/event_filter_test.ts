import assert from "node:assert/strict";
import { eventFilter } from "../../src/transport/event_filter.ts";

Deno.test("eventFilter() bounds an event of empty lines, which never ends", async () => {
  const line = new TextEncoder().encode("data:\n");
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (++sent > 1_000) controller.close();
      else controller.enqueue(line);
    },
  });
  const options = { maxMessageBytes: 100, stallMs: 60_000, onNoise() {}, onBytes() {} };
  await assert.rejects(
    Array.fromAsync(endless.pipeThrough(eventFilter(options))),
    /an event longer than 100 bytes/,
  );
});
