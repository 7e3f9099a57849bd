import assert from "node:assert/strict";
import { reachableMcpServers, toMcpServerList } from "../../src/config/mcp_servers.ts";

Deno.test("toMcpServerList() makes the protocol's list of the configuration's object", () => {
  assert.deepEqual(
    toMcpServerList({
      db: { command: "db-mcp", args: ["--ro"], env: { TOKEN: "x=y" } },
      web: { type: "http", url: "http://127.0.0.1:9", headers: { A: "b" } },
      bare: { command: "bare" },
      plain: { url: "http://127.0.0.1:8" },
      off: { command: "off", enabled: false },
    }),
    [
      { name: "db", command: "db-mcp", args: ["--ro"], env: [{ name: "TOKEN", value: "x=y" }] },
      {
        type: "http",
        name: "web",
        url: "http://127.0.0.1:9",
        headers: [{ name: "A", value: "b" }],
      },
      { name: "bare", command: "bare", args: [], env: [] },
      { type: "http", name: "plain", url: "http://127.0.0.1:8", headers: [] },
    ],
  );
  assert.deepEqual(toMcpServerList(undefined), []);
});

Deno.test("reachableMcpServers() leaves out what the agent cannot reach and names it", () => {
  const list = toMcpServerList({
    db: { command: "db" },
    web: { url: "http://x", headers: { Authorization: "secret" } },
    old: { type: "sse", url: "http://y" },
  });
  const none = reachableMcpServers(list, {});
  assert.deepEqual(none.servers.map((one) => one.name), ["db"]);
  assert.equal(none.warnings.length, 2);
  assert.match(none.warnings.join(), /"web".*"old"/);
  assert.doesNotMatch(none.warnings.join(), /secret/);
  const http = reachableMcpServers(list, { mcpCapabilities: { http: true } });
  assert.deepEqual(http.servers.map((one) => one.name), ["db", "web"]);
});
