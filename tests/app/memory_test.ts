import assert from "node:assert/strict";
import { AgentMemory } from "../../src/app/memory.ts";

Deno.test("AgentMemory remembers mode and sessions of each agent, newest first", async () => {
  const dir = await Deno.makeTempDir();
  try {
    const memory = new AgentMemory(dir, "mm -acp");
    assert.equal(await memory.discovery(), undefined);
    await memory.rememberDiscovery("meta");
    await memory.rememberSession("s1", "/a");
    await memory.rememberSession("s2", "/a");
    await memory.rememberSession("s3", "/b");
    await memory.rememberSession("s1", "/a");
    const again = new AgentMemory(dir, "mm -acp");
    assert.equal(await again.discovery(), "meta");
    assert.deepEqual(await again.sessions("/a"), ["s1", "s2"]);
    const other = new AgentMemory(dir, "other");
    assert.equal(await other.discovery(), undefined);
    assert.deepEqual(await other.sessions("/a"), []);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("AgentMemory survives a damaged file and values of the wrong kind", async () => {
  const dir = await Deno.makeTempDir();
  try {
    const memory = new AgentMemory(dir, "mm -acp");
    await Deno.writeTextFile(`${dir}/agents.json`, "[]");
    assert.deepEqual(await memory.sessions("/a"), []);
    const raw = { discovery: { "mm -acp": "mail" }, sessions: [1, { agent: "mm -acp" }] };
    await Deno.writeTextFile(`${dir}/agents.json`, JSON.stringify(raw));
    assert.equal(await memory.discovery(), undefined);
    await memory.rememberSession("s1", "/a");
    assert.deepEqual(await memory.sessions("/a"), ["s1"]);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
