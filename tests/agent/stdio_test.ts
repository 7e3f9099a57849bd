import assert from "node:assert/strict";
import {
  client,
  type ClientContext,
  type ContentBlock,
  ndJsonStream,
} from "@agentclientprotocol/sdk";
import { within } from "../../src/base/clock.ts";

/** Runs a test against the agent in a process; gives its stderr and status afterwards. */
async function withProcess(test: (agent: ClientContext, text: () => string) => Promise<void>) {
  const main = new URL("./stdio_main.ts", import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", main],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const stderr = new Response(child.stderr).text();
  const said: string[] = [];
  const connection = client()
    .onNotification("session/update", ({ params: { update } }) => {
      if (update.sessionUpdate !== "agent_message_chunk") return;
      if (update.content.type === "text") said.push(update.content.text);
    })
    .connect(ndJsonStream(child.stdin, child.stdout));
  try {
    await connection.agent.request("initialize", {
      protocolVersion: 1,
      clientCapabilities: { _meta: { "org.mini-me/tools": [{ name: "a", method: "_a" }] } },
    });
    await test(connection.agent, () => said.join(""));
    await child.stdin.close().catch(() => {});
    const ended = await within(child.status, 10_000);
    assert.ok(ended.ok, "the agent did not end");
    return { status: ended.value, stderr: await stderr };
  } finally {
    connection.close();
    try {
      child.kill("SIGKILL");
    } catch {
      // It has ended, as it should.
    }
    await child.status;
    await stderr;
  }
}

Deno.test("serveAgentOnStdio() serves until the end of stdin and logs to stderr", async () => {
  const { status, stderr } = await withProcess(async (agent, text) => {
    const { sessionId } = await agent.request("session/new", { cwd: "/tmp", mcpServers: [] });
    const prompt: ContentBlock[] = [{ type: "text", text: "echo over stdio 🙂" }];
    const { stopReason } = await agent.request("session/prompt", { sessionId, prompt });
    assert.equal(stopReason, "end_turn");
    assert.equal(text(), "over stdio 🙂");
  });
  assert.equal(status.code, 0);
  assert.equal(stderr, "[acp] client tools (meta): client_a\n");
});

Deno.test("serveAgentOnStdio() ends in the middle of a turn when it is told to die", async () => {
  const { status, stderr } = await withProcess(async (agent, text) => {
    const { sessionId } = await agent.request("session/new", { cwd: "/tmp", mcpServers: [] });
    const prompt: ContentBlock[] = [{ type: "text", text: "die" }];
    await assert.rejects(agent.request("session/prompt", { sessionId, prompt }));
    assert.match(text(), /Farewell/);
  });
  assert.equal(status.code, 1);
  assert.match(stderr, /\[demo\] ending/);
});
