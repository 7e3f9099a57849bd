import assert from "node:assert/strict";
import { RunReport } from "../../../src/front/json/report.ts";
import { asArray, asObject } from "../../../src/base/guards.ts";
import { initialSession, reduceSession } from "../../../src/model/reduce.ts";
import type { NewSessionEvent } from "../../../src/model/session_store.ts";
import type { SessionEvent } from "../../../src/model/session.ts";
import { call, progress, prompt } from "../../model/session_script.ts";

/** The `durationMs` of the only tool call, after events at times in milliseconds. */
function durationAfter(events: readonly (readonly [at: number, event: NewSessionEvent])[]) {
  const state = events.reduce(
    (before, [at, event]) => reduceSession(before, { ...event, at } as SessionEvent),
    initialSession("/home/user/project"),
  );
  const [tool] = asArray(new RunReport().document(state).toolCalls);
  return asObject(tool).durationMs;
}

const ENDED = progress("a", { status: "completed" });

Deno.test("durationMs is the time that a call ran, as the other front ends say it", () => {
  const plain = [[0, prompt("go")], [100, call("a")]] as const;
  assert.equal(durationAfter(plain), null);
  assert.equal(durationAfter([...plain, [130, ENDED]]), 30);
  const answer = { optionId: "y", by: "rule" as const };
  const asked = [
    ...plain,
    [110, {
      type: "permission_asked",
      requestId: "p",
      toolCall: { toolCallId: "a" },
      options: [{ optionId: "y", name: "Yes", kind: "allow_once" }],
    }],
    [200, { type: "permission_answered", requestId: "p", answer }],
  ] as const;
  assert.equal(durationAfter([...asked, [207, ENDED]]), 7);
});

Deno.test("durationMs is never below nothing, also when the clock was put back", () => {
  assert.equal(durationAfter([[0, prompt("go")], [1_000, call("a")], [400, ENDED]]), 0);
});
