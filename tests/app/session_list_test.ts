import assert from "node:assert/strict";
import type { Client } from "../../src/api/contract.ts";
import { listSessions } from "../../src/app/session_list.ts";
import { asObject } from "../../src/base/guards.ts";

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
