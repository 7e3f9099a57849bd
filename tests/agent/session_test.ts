import assert from "node:assert/strict";
import { RequestError, type SetSessionConfigOptionRequest } from "@agentclientprotocol/sdk";
import { ofKind, textOf, withAgent } from "./harness.ts";

const isRpc = (code: number) => (error: unknown) =>
  error instanceof RequestError && error.code === code;

Deno.test("initialize tells who this is and what it can", async () => {
  await withAgent({}, async ({ agent }) => {
    const answer = await agent.request("initialize", { protocolVersion: 1 });
    assert.equal(answer.protocolVersion, 1);
    assert.equal(answer.agentInfo?.name, "mini-me (demo)");
    assert.equal(answer.agentCapabilities?.loadSession, true);
    assert.deepEqual(answer.agentCapabilities?.sessionCapabilities, {
      list: {},
      resume: {},
      close: {},
    });
    const { image, embeddedContext } = answer.agentCapabilities?.promptCapabilities ?? {};
    assert.deepEqual([image, embeddedContext], [true, true]);
  });
});

Deno.test("a session has an id of mini-me's form, modes, a model and commands", async () => {
  await withAgent({}, async (client) => {
    const session = await client.agent.request("session/new", { cwd: "/project", mcpServers: [] });
    assert.match(session.sessionId, /^\d{8}-\d{6}-[0-9a-f]{8}$/);
    assert.equal(session.modes?.currentModeId, "default");
    assert.deepEqual(session.modes?.availableModes.map(({ id }) => id), [
      "default",
      "plan",
      "yolo",
    ]);
    assert.deepEqual(session.configOptions?.map(({ id }) => id), ["model"]);
    await client.until(() => client.updates.length > 0);
    const [commands] = ofKind(
      client.updates.map(({ update }) => update),
      "available_commands_update",
    );
    assert.ok(commands?.availableCommands.some(({ name }) => name === "plan"));
  });
});

Deno.test("yolo makes it the mode of a new session", async () => {
  await withAgent({ options: { yolo: true } }, async ({ agent }) => {
    const session = await agent.request("session/new", { cwd: "/project", mcpServers: [] });
    assert.equal(session.modes?.currentModeId, "yolo");
  });
});

Deno.test("the first prompt gives the session its title, every turn reports its usage", async () => {
  await withAgent({}, async (client) => {
    const id = await client.newSession();
    const first = await client.prompt(id, `echo ${"long ".repeat(30)}\nsecond line`);
    const [info] = ofKind(first.updates, "session_info_update");
    assert.match(info?.title ?? "", /^echo long .*…$/);
    const second = await client.prompt(id, "hello");
    assert.deepEqual(ofKind(second.updates, "session_info_update"), []);
    const [before] = ofKind(first.updates, "usage_update");
    const [after] = ofKind(second.updates, "usage_update");
    assert.ok(before && after && after.used > before.used && after.used < after.size);
  });
});

Deno.test("session/load tells the whole story again before it answers", async () => {
  await withAgent({
    capabilities: { fs: { readTextFile: true } },
    answers: { "fs/read_text_file": () => ({ content: "hello file" }) },
  }, async (client) => {
    const id = await client.newSession();
    const said = await client.prompt(id, "read a.txt");
    await client.prompt(id, "think");
    client.updates.length = 0;
    await client.agent.request("session/load", { sessionId: id, cwd: "/project", mcpServers: [] });
    const story = client.updates.map(({ update }) => update);
    const asked = ofKind(story, "user_message_chunk").map(({ content }) => content);
    assert.deepEqual(asked, [{ type: "text", text: "read a.txt" }, {
      type: "text",
      text: "think",
    }]);
    assert.ok(textOf(story).startsWith(said.text));
    assert.equal(ofKind(story, "agent_thought_chunk").length, 2);
    assert.equal(ofKind(story, "tool_call").length, 1);
    assert.equal(ofKind(story, "tool_call_update").at(-1)?.status, "completed");
  });
});

Deno.test("session/resume tells nothing again", async () => {
  await withAgent({}, async (client) => {
    const id = await client.newSession();
    await client.prompt(id, "echo one");
    client.updates.length = 0;
    const answer = await client.agent.request("session/resume", { sessionId: id, cwd: "/project" });
    assert.equal(answer.modes?.currentModeId, "default");
    assert.equal(textOf(client.updates.map(({ update }) => update)), "");
    assert.equal((await client.prompt(id, "echo two")).text, "two");
  });
});

Deno.test("session/list gives the sessions of a directory", async () => {
  await withAgent({}, async (client) => {
    const one = await client.newSession("/one");
    const two = await client.newSession("/two");
    await client.prompt(one, "echo first");
    const all = await client.agent.request("session/list", {});
    assert.deepEqual(all.sessions.map(({ sessionId }) => sessionId).sort(), [one, two].sort());
    const { sessions } = await client.agent.request("session/list", { cwd: "/one" });
    assert.deepEqual(sessions.map(({ sessionId, title }) => [sessionId, title]), [
      [one, "echo first"],
    ]);
  });
});

Deno.test("a closed session takes no prompt until it is opened again", async () => {
  await withAgent({}, async (client) => {
    const id = await client.newSession();
    await client.agent.request("session/close", { sessionId: id });
    await assert.rejects(client.prompt(id, "echo x"), isRpc(-32002));
    await client.agent.request("session/resume", { sessionId: id, cwd: "/project" });
    assert.equal((await client.prompt(id, "echo x")).text, "x");
  });
});

Deno.test("closing a session cancels its turn", async () => {
  await withAgent({}, async (client) => {
    const id = await client.newSession();
    const turn = client.prompt(id, "slow 1000");
    await client.until(() => textOf(client.updates.map(({ update }) => update)) !== "");
    await client.agent.request("session/close", { sessionId: id });
    assert.equal((await turn).stopReason, "cancelled");
  });
});

Deno.test("an unknown session is resource not found, for every request that names one", async () => {
  await withAgent({}, async ({ agent }) => {
    const sessionId = "nope";
    const opened = { sessionId, cwd: "/project", mcpServers: [] };
    await assert.rejects(agent.request("session/load", opened), isRpc(-32002));
    await assert.rejects(agent.request("session/resume", opened), isRpc(-32002));
    await assert.rejects(agent.request("session/prompt", { sessionId, prompt: [] }), isRpc(-32002));
    const mode = { sessionId, modeId: "plan" };
    await assert.rejects(agent.request("session/set_mode", mode), isRpc(-32002));
  });
});

Deno.test("a second prompt in a running turn is refused and the turn goes on", async () => {
  await withAgent({}, async (client) => {
    const id = await client.newSession();
    const turn = client.prompt(id, "slow 3");
    await assert.rejects(client.prompt(id, "echo x"), isRpc(-32600));
    assert.match((await turn).text, /1 2 3/);
  });
});

Deno.test("two sessions answer at the same time", async () => {
  await withAgent({}, async (client) => {
    const [one, two] = [await client.newSession(), await client.newSession()];
    const turn = client.prompt(one, "slow 1000");
    assert.equal((await client.prompt(two, "echo quick")).stopReason, "end_turn");
    await client.agent.notify("session/cancel", { sessionId: one });
    assert.equal((await turn).stopReason, "cancelled");
  });
});

Deno.test("modes and options are set, and unknown ones refused", async () => {
  await withAgent({
    capabilities: { session: { configOptions: { boolean: {} } } },
  }, async (client) => {
    const { agent } = client;
    const sessionId = await client.newSession();
    await agent.request("session/set_mode", { sessionId, modeId: "plan" });
    const wrong = { sessionId, modeId: "warp" };
    await assert.rejects(agent.request("session/set_mode", wrong), isRpc(-32602));
    const calm: SetSessionConfigOptionRequest = {
      sessionId,
      configId: "model",
      value: "demo-calm",
    };
    const { configOptions } = await agent.request("session/set_config_option", calm);
    assert.deepEqual(configOptions.map(({ id, currentValue }) => [id, currentValue]), [
      ["model", "demo-calm"],
      ["thinking", false],
    ]);
    const odd = { sessionId, configId: "model", value: "gpt" };
    await assert.rejects(agent.request("session/set_config_option", odd), isRpc(-32602));
    const thinking = { sessionId, configId: "thinking", type: "boolean" as const, value: true };
    await agent.request("session/set_config_option", thinking);
    const { updates } = await client.prompt(sessionId, "echo x");
    assert.notEqual(ofKind(updates, "agent_thought_chunk").length, 0);
    const again = await agent.request("session/resume", { sessionId, cwd: "/project" });
    assert.equal(again.modes?.currentModeId, "plan");
  });
});
