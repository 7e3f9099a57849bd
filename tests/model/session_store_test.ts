import assert from "node:assert/strict";
import { SessionStore } from "../../src/model/session_store.ts";

Deno.test("SessionStore stamps events with the clock and tells what came of them", () => {
  let now = 5;
  const store = new SessionStore("/x", { now: () => now++, after: () => () => {} });
  const seen: [string, number, number][] = [];
  const stop = store.subscribe(({ event, state }) =>
    seen.push([event.type, event.at, state.entries.length])
  );
  store.dispatch({ type: "prompt_sent", blocks: [] });
  store.dispatch({ type: "notice_added", severity: "info", text: "n" });
  stop();
  store.dispatch({ type: "cancel_requested" });
  assert.deepEqual(seen, [["prompt_sent", 5, 1], ["notice_added", 6, 2]]);
  assert.equal(store.state.turn.state === "running" && store.state.turn.cancelRequested, true);
});
