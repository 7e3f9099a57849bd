import assert from "node:assert/strict";
import { RequestError } from "@agentclientprotocol/sdk";
import { PHRASES } from "../../src/agent/phrases.ts";
import { within } from "../../src/base/clock.ts";
import { type Behaviour, ofKind, type TestClient, textOf, withAgent } from "./harness.ts";

const EVERYTHING = { fs: { readTextFile: true, writeTextFile: true }, terminal: true };
const chosen = (optionId: string) => ({ outcome: { outcome: "selected", optionId } });

/** Runs a test in one session. */
async function inSession(
  behaviour: Behaviour,
  test: (client: TestClient, sessionId: string) => Promise<void>,
): Promise<void> {
  await withAgent(behaviour, async (client) => await test(client, await client.newSession()));
}

Deno.test("help lists every phrase of the table", async () => {
  await inSession({}, async (client, id) => {
    const { text } = await client.prompt(id, "help");
    assert.ok(PHRASES.length > 15);
    for (const { usage, shows } of PHRASES) {
      assert.ok(usage && shows);
      assert.ok(text.includes(`\`${usage}\` | ${shows}`), usage);
    }
  });
});

Deno.test("every phrase has its own name", () => {
  assert.equal(new Set(PHRASES.map(({ name }) => name)).size, PHRASES.length);
});

Deno.test("anything else is echoed in brief and explained", async () => {
  await inSession({}, async (client, id) => {
    const { text, stopReason } = await client.prompt(
      id,
      `Tell me\na poem ${"please ".repeat(40)}`,
    );
    assert.match(text, /You said “Tell me a poem .*…”/);
    assert.match(text, /`help`/);
    assert.ok(text.length < 900);
    assert.equal(stopReason, "end_turn");
  });
});

Deno.test("a phrase may be typed as a slash command, in any case", async () => {
  await inSession({}, async (client, id) => {
    assert.equal((await client.prompt(id, "/echo one")).text, "one");
    assert.equal((await client.prompt(id, "ECHO two")).text, "two");
  });
});

Deno.test("a phrase is not mistaken for the beginning of a sentence", async () => {
  await inSession({}, async (client, id) => {
    const { text, updates } = await client.prompt(id, "plan a journey");
    assert.match(text, /You said “plan a journey”/);
    assert.deepEqual(ofKind(updates, "plan"), []);
  });
});

Deno.test("a phrase without its argument tells how to say it", async () => {
  await inSession({ capabilities: EVERYTHING }, async (client, id) => {
    assert.match((await client.prompt(id, "read")).text, /`read PATH`/);
    assert.deepEqual(client.asked, []);
  });
});

Deno.test("echo gives the text exactly, in small chunks", async () => {
  const text = "  a  b\n\n\tc 日本語 🙂👩‍💻 " + "x".repeat(200) + "\n  end";
  await inSession({}, async (client, id) => {
    const answer = await client.prompt(id, `echo ${text}`);
    assert.equal(answer.text, text.trim());
    const chunks = ofKind(answer.updates, "agent_message_chunk");
    assert.ok(chunks.length > 4);
    assert.equal(new Set(chunks.map(({ messageId }) => messageId)).size, 1);
  });
});

Deno.test("mentions of files become paths and other attachments are named", async () => {
  const behaviour = {
    capabilities: EVERYTHING,
    answers: { "fs/read_text_file": () => ({ content: "x" }) },
  };
  await inSession(behaviour, async (client, id) => {
    await client.prompt(id, [
      { type: "text", text: "read " },
      { type: "resource_link", uri: "file:///project/my%20notes.txt", name: "my notes.txt" },
    ]);
    assert.equal(client.asked[0]?.params.path, "/project/my notes.txt");
    const { text } = await client.prompt(id, [
      { type: "text", text: "look" },
      { type: "image", data: "", mimeType: "image/png" },
    ]);
    assert.match(text, /image \(image\/png\)/);
  });
});

Deno.test("markdown, think and plan show what they say", async () => {
  await inSession({}, async (client, id) => {
    assert.match((await client.prompt(id, "markdown")).text, /^# A sample[^]*\| 日本語[^]*```ts/);
    const thought = await client.prompt(id, "think");
    const kinds = thought.updates.map(({ sessionUpdate }) => sessionUpdate);
    assert.ok(kinds.indexOf("agent_thought_chunk") < kinds.indexOf("agent_message_chunk"));
    const plans = ofKind((await client.prompt(id, "plan")).updates, "plan");
    assert.deepEqual(plans[0]?.entries.map(({ status }) => status), [
      "in_progress",
      "pending",
      "pending",
    ]);
    assert.ok(plans.at(-1)?.entries.every(({ status }) => status === "completed"));
  });
});

Deno.test("without capabilities nothing is asked of the client", async () => {
  await inSession({}, async (client, id) => {
    for (const phrase of ["read a", "write a b", "run ls", "form"]) {
      assert.match((await client.prompt(id, phrase)).text, /does not offer/);
    }
    assert.deepEqual(client.asked, []);
  });
});

Deno.test("read tells what the client says, or why it does not", async () => {
  const read = ({ params }: { params: Record<string, unknown> }) => {
    if (params.path !== "/project/a.txt") throw new RequestError(-32002, "no such file");
    return { content: "one\n```\ntwo" };
  };
  const behaviour = { capabilities: EVERYTHING, answers: { "fs/read_text_file": read } };
  await inSession(behaviour, async (client, id) => {
    const good = await client.prompt(id, "read a.txt");
    assert.match(good.text, /````\none\n```\ntwo\n````/);
    const [call] = ofKind(good.updates, "tool_call");
    assert.deepEqual([call?.kind, call?.locations], ["read", [{ path: "/project/a.txt" }]]);
    const bad = await client.prompt(id, "read b.txt");
    assert.match(bad.text, /could not read `b\.txt`: no such file/);
    assert.equal(ofKind(bad.updates, "tool_call_update").at(-1)?.status, "failed");
  });
});

Deno.test("write asks with a diff and then writes", async () => {
  await inSession({
    capabilities: EVERYTHING,
    answers: {
      "fs/read_text_file": () => ({ content: "old\n" }),
      "fs/write_text_file": () => ({}),
      "session/request_permission": () => chosen("allow_once"),
    },
  }, async (client, id) => {
    const { text } = await client.prompt(id, "write notes.txt new text");
    assert.match(text, /I wrote/);
    const [, question, write] = client.asked;
    const { content } = question?.params.toolCall as { content: unknown };
    const path = "/project/notes.txt";
    assert.deepEqual(content, [{ type: "diff", path, oldText: "old\n", newText: "new text\n" }]);
    assert.deepEqual(write?.params, { sessionId: id, path, content: "new text\n" });
  });
});

Deno.test("a rejected write and a write in mode plan leave the file alone", async () => {
  await inSession({
    capabilities: { fs: { writeTextFile: true } },
    answers: {
      "fs/write_text_file": () => ({}),
      "session/request_permission": () => chosen("reject_once"),
    },
  }, async (client, id) => {
    assert.match((await client.prompt(id, "write a b")).text, /leave `a` alone/);
    await client.agent.request("session/set_mode", { sessionId: id, modeId: "plan" });
    assert.match((await client.prompt(id, "write a b")).text, /I write nothing/);
    assert.deepEqual(client.asked.map(({ method }) => method), ["session/request_permission"]);
  });
});

Deno.test("run shows the terminal in the tool call and releases it", async () => {
  await inSession({
    capabilities: EVERYTHING,
    answers: {
      "session/request_permission": () => chosen("allow_once"),
      "terminal/create": () => ({ terminalId: "t1" }),
      "terminal/wait_for_exit": () => ({ exitCode: 3 }),
      "terminal/output": () => ({ output: "some output\n", truncated: false }),
      "terminal/release": () => ({}),
    },
  }, async (client, id) => {
    const { text, updates } = await client.prompt(id, "run ls -l | wc");
    assert.match(text, /ended with status 3 and printed:\n\n```\nsome output\n```/);
    const [, create] = client.asked;
    const { command, args, cwd } = create?.params ?? {};
    assert.deepEqual([command, args, cwd], ["sh", ["-c", "ls -l | wc"], "/project"]);
    const changes = ofKind(updates, "tool_call_update");
    assert.deepEqual(changes[0]?.content, [{ type: "terminal", terminalId: "t1" }]);
    assert.equal(changes.at(-1)?.status, "failed");
    await client.until(() => client.asked.at(-1)?.method === "terminal/release");
  });
});

Deno.test("cancelling while a command runs ends at once and releases the terminal", async () => {
  await inSession({
    options: { yolo: true },
    capabilities: EVERYTHING,
    answers: {
      "terminal/create": () => ({ terminalId: "t1" }),
      "terminal/wait_for_exit": () => new Promise(() => {}),
      "terminal/release": () => ({}),
    },
  }, async (client, id) => {
    const turn = client.prompt(id, "run sleep 1000");
    await client.until(() => client.asked.length === 2);
    await client.agent.notify("session/cancel", { sessionId: id });
    assert.equal((await turn).stopReason, "cancelled");
    await client.until(() => client.asked.at(-1)?.method === "terminal/release");
  });
});

Deno.test("cancelling an open permission question ends the turn at once", async () => {
  await inSession({
    answers: { "session/request_permission": () => new Promise(() => {}) },
  }, async (client, id) => {
    const turn = client.prompt(id, "ask");
    await client.until(() => client.asked.length === 1);
    await client.agent.notify("session/cancel", { sessionId: id });
    assert.equal((await turn).stopReason, "cancelled");
  });
});

Deno.test("ask tells the choice", async () => {
  await inSession({
    answers: { "session/request_permission": () => chosen("never") },
  }, async (client, id) => {
    assert.match((await client.prompt(id, "ask")).text, /Never ask about paint again/);
    const options = client.asked[0]?.params.options as { kind: string }[];
    assert.deepEqual(options.map(({ kind }) => kind), [
      "allow_once",
      "allow_always",
      "reject_once",
      "reject_always",
    ]);
  });
});

Deno.test("form tells what was filled in", async () => {
  await inSession({
    capabilities: { elicitation: { form: {} } },
    answers: {
      "elicitation/create": () => ({ action: "accept", content: { colour: "red", coats: 2 } }),
    },
  }, async (client, id) => {
    assert.match((await client.prompt(id, "form")).text, /"colour": "red"/);
  });
});

Deno.test("slow stops at once when it is cancelled, either way", async () => {
  await inSession({}, async (client, id) => {
    const turn = client.prompt(id, "slow 10000");
    await client.until(() => textOf(client.updates.map(({ update }) => update)) !== "");
    await client.agent.notify("session/cancel", { sessionId: id });
    assert.equal((await turn).stopReason, "cancelled");

    const controller = new AbortController();
    const before = client.updates.length;
    const second = client.prompt(id, "slow 10000", controller.signal);
    await client.until(() => client.updates.length > before);
    controller.abort();
    assert.equal((await second).stopReason, "cancelled");
  });
});

Deno.test("long sends that many chunks of ten bytes", async () => {
  await inSession({}, async (client, id) => {
    const { updates, text } = await client.prompt(id, "long 2500");
    assert.equal(ofKind(updates, "agent_message_chunk").length, 2500);
    assert.equal(text.length, 25_000);
    assert.ok(text.endsWith("000002500\n"));
  });
});

Deno.test("fail and stop end the turn as they say", async () => {
  await inSession({}, async (client, id) => {
    await assert.rejects(client.prompt(id, "fail out of paint"), (error: RequestError) => {
      assert.deepEqual([error.code, error.message], [-32603, "out of paint"]);
      return true;
    });
    await assert.rejects(client.prompt(id, "fail -32000 sign in first"), (error: RequestError) => {
      assert.deepEqual([error.code, error.message], [-32000, "sign in first"]);
      return true;
    });
    for (const reason of ["end_turn", "refusal", "max_tokens", "max_turn_requests", "brand_new"]) {
      assert.equal((await client.prompt(id, `stop ${reason}`)).stopReason, reason);
    }
  });
});

Deno.test("die ends the connection in the middle of the answer", async () => {
  await inSession({}, async (client, id) => {
    await assert.rejects(client.prompt(id, "die"));
    assert.equal((await within(client.served.closed, 5_000)).ok, true);
    assert.match(textOf(client.updates.map(({ update }) => update)), /Farewell/);
    assert.equal(client.stderr.length, 1);
  });
});
