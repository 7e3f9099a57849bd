import assert from "node:assert/strict";
import { relativeTime } from "../../src/app/relative_time.ts";

const NOW = Date.parse("2026-03-31T12:00:00Z");

for (
  const [time, said] of [
    ["2026-03-31T12:00:05Z", "just now"],
    ["2026-03-31T11:59:30.500Z", "just now"],
    ["2026-03-31T11:59:00Z", "1 minute ago"],
    ["2026-03-31T13:57:00+02:00", "3 minutes ago"],
    ["2026-03-31T10:30:00Z", "1 hour ago"],
    ["2026-03-29T12:00:00Z", "2 days ago"],
    ["2025-12-24T18:00:00Z", "2025-12-24"],
    ["lately", "lately"],
  ] as const
) {
  Deno.test(`relativeTime() says ${said} of ${time}`, () => {
    assert.equal(relativeTime(time, NOW), said);
  });
}
