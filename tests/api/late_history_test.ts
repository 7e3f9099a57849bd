import assert from "node:assert/strict";
import { LateHistory } from "../../src/api/late_history.ts";
import { SessionStore } from "../../src/model/session_store.ts";
import type { Entry } from "../../src/model/session.ts";
import { partsText } from "../../src/front/entry_lines.ts";
import { handClock } from "../support/hand_clock.ts";

function stage(known = false) {
  const { clock, turn } = handClock();
  const store = new SessionStore("/");
  const late = new LateHistory(store, known, clock);
  const chunk = (kind: string) => (text: string) =>
    late.receive({ sessionUpdate: `${kind}_message_chunk`, content: { type: "text", text } });
  return {
    late,
    turn,
    store,
    user: chunk("user"),
    agent: chunk("agent"),
    prompt(text: string) {
      const blocks = [{ type: "text", text }];
      late.prompted(blocks);
      store.dispatch({ type: "prompt_sent", blocks });
    },
    end() {
      late.close();
      store.dispatch({ type: "turn_ended", outcome: { ok: true, stopReason: "end_turn" } });
    },
    /** The entries in short. */
    get shown(): string[] {
      return [...store.state.entries].map(describe);
    },
  };
}

function describe(entry: Entry): string {
  const text = "parts" in entry ? ` ${partsText(entry.parts)}` : "";
  return `${entry.history ? "history " : ""}${entry.kind}${text}`;
}

Deno.test("LateHistory takes what comes before the first prompt for history, until it is quiet", async () => {
  const { late, turn, store, user, agent, shown: before, ...rest } = stage();
  assert.deepEqual(before, []);
  user("q1");
  await turn(60);
  agent("a1");
  await turn(60);
  assert.equal(store.state.replaying, true);
  let passed = false;
  void late.passed().then(() => passed = true);
  await turn(60);
  assert.deepEqual([store.state.replaying, passed], [false, true]);
  agent("by the way");
  assert.deepEqual(describe([...store.state.entries].at(-1) as Entry), "agent by the way");
  rest.end();
});

Deno.test("LateHistory holds the first prompt back for a second at most", async () => {
  const { late, turn, user, store, end } = stage();
  let passed = false;
  user("q0");
  void late.passed().then(() => passed = true);
  let ms = 0;
  for (; !passed && ms < 2_000; ms += 50) {
    user(`q${ms}`);
    await turn(50);
  }
  assert.equal(ms, 1_000);
  assert.equal(store.state.replaying, false);
  end();
});

Deno.test("LateHistory repeats nothing that was here before the session was loaded", async () => {
  const { turn, user, agent, store } = stage(true);
  user("q1");
  agent("a1");
  await turn(100);
  assert.deepEqual([...store.state.entries], []);
});

Deno.test("LateHistory leaves out what the agent says in the first turn before it repeats the prompt", () => {
  const bench = stage();
  bench.prompt("the prompt");
  bench.user("q1");
  bench.agent("a1");
  bench.user("q2");
  assert.deepEqual(bench.shown, ["user the prompt"]);
  bench.user("the prompt");
  bench.agent("the answer");
  bench.end();
  assert.deepEqual(bench.shown, ["user the prompt", "notice", "agent the answer"]);
});

Deno.test("LateHistory never leaves out an answer", async (t) => {
  await t.step("of an agent that repeats no prompt", () => {
    const bench = stage();
    bench.prompt("the prompt");
    bench.agent("the answer");
    assert.deepEqual(bench.shown, ["user the prompt", "agent the answer"]);
    bench.end();
  });
  await t.step("of an agent that changes the prompt", async () => {
    const bench = stage();
    bench.prompt("the prompt");
    bench.user("<context/>the prompt");
    bench.agent("the answer");
    assert.deepEqual(bench.shown, ["user the prompt"]);
    await bench.turn(100);
    assert.deepEqual(bench.shown, ["user the prompt", "agent the answer"]);
    bench.end();
  });
  await t.step("that goes on without a pause", async () => {
    const bench = stage();
    bench.prompt("the prompt");
    bench.user("other");
    for (let i = 0; i < 22; i++) {
      bench.agent("x");
      await bench.turn(50);
    }
    assert.deepEqual(bench.shown, ["user the prompt", `agent ${"x".repeat(22)}`]);
    bench.end();
  });
  await t.step("of a turn that ends at once", () => {
    const bench = stage();
    bench.prompt("the prompt");
    bench.user("other");
    bench.agent("the answer");
    bench.end();
    assert.deepEqual(bench.shown, ["user the prompt", "agent the answer"]);
  });
  await t.step("when something of the user's comes later in the turn", () => {
    const bench = stage();
    bench.prompt("the prompt");
    bench.agent("first");
    bench.user("a hook");
    bench.agent("second");
    bench.end();
    const said = bench.shown.filter((line) => line.startsWith("agent"));
    assert.deepEqual(said, ["agent first", "agent second"]);
  });
});
