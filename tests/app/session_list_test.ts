import assert from "node:assert/strict";
import type { Client } from "../../src/api/contract.ts";
import { listSessions } from "../../src/app/session_list.ts";
import { asObject } from "../../src/base/guards.ts";
import { openProgram } from "./program_support.ts";

/** A client whose agent answers `session/list` page by page. */
function listing(pages: (cursor: unknown) => unknown) {
  const asked: unknown[] = [];
  const connection = {
    request(method: string, params: unknown) {
      assert.equal(method, "session/list");
      asked.push(params);
      return Promise.resolve(pages(asObject(params).cursor));
    },
  };
  return { client: { connection } as unknown as Client, asked };
}

Deno.test("listSessions() reads every page, newest first, and only the directory that is asked for", async () => {
  const { client, asked } = listing((cursor) =>
    cursor === undefined
      ? {
        sessions: [
          { sessionId: "old", cwd: "/a", updatedAt: "2026-01-01T00:00:00Z" },
          { sessionId: "elsewhere", cwd: "/b", updatedAt: "2026-03-01T00:00:00Z" },
        ],
        nextCursor: "p2",
      }
      : { sessions: [{ sessionId: "new", cwd: "/a", updatedAt: "2026-02-01T00:00:00Z" }, null, {}] }
  );
  const sessions = await listSessions(client, "/a");
  assert.deepEqual(sessions.map(({ sessionId }) => sessionId), ["new", "old"]);
  assert.deepEqual(asked, [{ cwd: "/a" }, { cwd: "/a", cursor: "p2" }]);
});

Deno.test("listSessions() takes an empty answer, and ends where pages never do", async () => {
  assert.deepEqual(await listSessions(listing(() => null).client), []);
  const same = listing(() => ({ sessions: [], nextCursor: "again" }));
  await listSessions(same.client);
  assert.equal(same.asked.length, 2);
  let page = 0;
  const endless = listing(() => ({ sessions: [], nextCursor: `p${++page}` }));
  await listSessions(endless.client);
  assert.equal(endless.asked.length, 20);
});

Deno.test("open sessions take the titles over that the agent lists them with", async () => {
  await using program = await openProgram([
    { expect: "initialize" },
    { respond: { protocolVersion: 1, agentCapabilities: { sessionCapabilities: { list: {} } } } },
    { expect: "session/new" },
    { respond: { sessionId: "s1" } },
    { expect: "session/list" },
    { respond: { sessions: [{ sessionId: "s1", title: "Mend the roof" }, { sessionId: "s0" }] } },
  ]);
  const { app } = program;
  await app.submit("/sessions");
  assert.equal(app.state.active.state.title, "Mend the roof");
  assert.match(program.outputs.at(-1) ?? "", /\| ● 1 \| `s1` \| Mend the roof \|/);
});
