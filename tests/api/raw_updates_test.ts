import assert from "node:assert/strict";
import { openClient } from "../../src/api/mod.ts";
import { textOf } from "../../src/model/content.ts";
import { END_TURN, eventually, HANDSHAKE, say, scriptedAgent } from "../support/scripted_agent.ts";

Deno.test("what onUpdate throws is reported, and the update and those behind it are taken", async () => {
  const script = [...HANDSHAKE, { expect: "session/prompt" }, say("one "), say("two"), END_TURN];
  await using agent = await scriptedAgent(script);
  const reported: unknown[] = [];
  const take = (event: ErrorEvent) => {
    event.preventDefault();
    reported.push(event.error);
  };
  const fault = new Error("a fault of the program");
  globalThis.addEventListener("error", take);
  const client = await openClient({
    spec: agent.spec,
    cwd: agent.directory,
    onUpdate() {
      throw fault;
    },
  });
  try {
    const session = await client.newSession({ cwd: agent.directory });
    const outcome = await session.prompt([{ type: "text", text: "go" }]);
    assert.deepEqual(outcome, { ok: true, stopReason: "end_turn" });
    await eventually("both reports", () => reported.length === 2);
    assert.deepEqual(reported, [fault, fault]);
    const [answer] = [...session.store.state.entries].filter(({ kind }) => kind === "agent");
    assert.equal(answer?.kind === "agent" && textOf(answer.parts), "one two");
  } finally {
    globalThis.removeEventListener("error", take);
    await client.close();
  }
});
