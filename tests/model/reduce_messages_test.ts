import assert from "node:assert/strict";
import fc from "fast-check";
import { brief, call, chunk, end, play, progress, prompt, update } from "./session_script.ts";

Deno.test("reduceSession() joins the chunks of one message", () => {
  const state = play([prompt("hi"), chunk("a"), chunk("b"), chunk("c"), end()]);
  assert.deepEqual(brief(state), ["user: hi", "agent: abc"]);
});

Deno.test("reduceSession() keeps whitespace chunks", () => {
  const state = play([chunk("a"), chunk(" "), chunk("\n\n"), chunk("b")]);
  assert.deepEqual(brief(state), ["agent: a \n\nb"]);
});

Deno.test("reduceSession() starts a new message for another kind and for a new messageId", () => {
  const state = play([
    chunk("t", "agent_thought_chunk"),
    chunk("1", "agent_message_chunk", "m1"),
    chunk("1", "agent_message_chunk", "m1"),
    chunk("1"),
    chunk("2", "agent_message_chunk", "m2"),
    call("c"),
    chunk("2", "agent_message_chunk", "m2"),
  ]);
  assert.deepEqual(brief(state), [
    "thought: t",
    "agent: 111",
    "agent: 2",
    "tool: c pending",
    "agent: 2",
  ]);
});

Deno.test("reduceSession() goes on with a message past what comes from the side", () => {
  const state = play([
    call("c"),
    chunk("a"),
    progress("c", { status: "completed" }),
    update({ sessionUpdate: "usage_update", used: 1, size: 2 }),
    { type: "notice_added", severity: "info", text: "n" },
    update({ sessionUpdate: "telepathy" }),
    chunk("b"),
  ]);
  assert.deepEqual(brief(state), [
    "tool: c completed",
    "agent: ab",
    "info: n",
    "unknown: telepathy",
  ]);
  assert.equal(state.finalBefore, 1);
});

Deno.test("reduceSession() ignores chunks without content", () => {
  const state = play([
    chunk(""),
    update({ sessionUpdate: "agent_message_chunk" }),
    update({ sessionUpdate: "agent_message_chunk", content: null }),
    update({ sessionUpdate: "agent_message_chunk", content: [] }),
  ]);
  assert.deepEqual(brief(state), []);
});

Deno.test("reduceSession() takes content in unexpected shapes", () => {
  const state = play([
    update({ sessionUpdate: "agent_message_chunk", content: "bare" }),
    update({ sessionUpdate: "agent_message_chunk", content: [{ type: "text", text: " list" }] }),
    update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: 5 } }),
    update({ sessionUpdate: "agent_message_chunk", content: { type: "image" } }),
    update({ sessionUpdate: "agent_message_chunk", content: 7 }),
  ]);
  assert.deepEqual(brief(state), ["agent: bare list[unknown][unknown][unknown]"]);
});

Deno.test("reduceSession() keeps links, images and resources with what they carry", () => {
  const blocks = [
    { type: "resource_link", uri: "file:///a", name: "a", size: 3, title: null },
    { type: "image", data: "AA", mimeType: "image/png", uri: null },
    { type: "resource", resource: { uri: "file:///b", text: "b" } },
  ];
  const state = play([{ type: "prompt_sent", blocks }]);
  const entry = state.entries.at(0);
  assert.deepEqual(entry?.kind === "user" && entry.parts, [
    { type: "resource_link", uri: "file:///a", name: "a", size: 3 },
    { type: "image", mimeType: "image/png", data: "AA" },
    { type: "resource", uri: "file:///b", text: "b" },
  ]);
});

Deno.test("reduceSession() puts the halves of a character together across chunks", () => {
  const open = play([chunk("hi \ud83d")]);
  assert.deepEqual(brief(open), ["agent: hi \ud83d"]);
  assert.deepEqual(brief(play([chunk("\ude00!"), end()], open)), ["agent: hi 😀!"]);
});

Deno.test("reduceSession() makes a half that is left over U+FFFD when the message ends", () => {
  for (const next of [end(), prompt("x"), call("c"), chunk("t", "agent_thought_chunk")]) {
    assert.equal(brief(play([chunk("a\ud83d"), next]))[0], "agent: a\ufffd");
  }
});

Deno.test("reduceSession() gives the same message however its text is cut", () => {
  fc.assert(fc.property(
    fc.array(fc.string({ unit: "binary", maxLength: 8 }), { maxLength: 8 }),
    fc.infiniteStream(fc.nat(3)),
    (texts, cuts) => {
      const text = texts.join("");
      const pieces: string[] = [];
      for (let at = 0; at < text.length;) {
        const size = cuts.next().value ?? 1;
        pieces.push(text.slice(at, at + size));
        at += size;
      }
      const cut = play([prompt("p"), ...pieces.map((piece) => chunk(piece)), end()]);
      const whole = play([prompt("p"), chunk(text), end()]);
      assert.deepEqual(brief(cut), brief(whole));
    },
  ));
});

Deno.test("reduceSession() does not show the user's own message twice", () => {
  const user = "user_message_chunk";
  const echoes = [
    [chunk("hello there", user)],
    [chunk("hello", user), chunk(" there", user)],
    [chunk("hello there\n", user)],
    [chunk("t", "agent_thought_chunk"), chunk("hello there", user)],
  ];
  for (const echo of echoes) {
    const shown = brief(play([prompt("hello there"), ...echo, chunk("a"), end()]));
    assert.equal(shown.filter((line) => line.startsWith("user")).length, 1, JSON.stringify(shown));
  }
});

Deno.test("reduceSession() shows another message of the user that comes in the middle of a turn", () => {
  const state = play([
    prompt("one"),
    chunk("a"),
    chunk("ha", "user_message_chunk"),
    chunk("ha", "user_message_chunk"),
  ]);
  assert.deepEqual(brief(state), ["user: one", "agent: a", "user: haha"]);
});

Deno.test("reduceSession() keeps what comes outside a turn apart from the turns", () => {
  const state = play([
    chunk("early"),
    prompt("one"),
    chunk("a"),
    end(),
    chunk("late"),
    prompt("two"),
    chunk("b"),
  ]);
  assert.deepEqual(brief(state), [
    "agent: early",
    "user: one",
    "agent: a",
    "agent: late",
    "user: two",
    "agent: b",
  ]);
  assert.deepEqual([...state.entries].map((entry) => entry.turn), [null, 1, 1, null, 2, 2]);
});

Deno.test("reduceSession() marks replayed entries as history, outside any turn", () => {
  const state = play([
    { type: "replay_started" },
    chunk("q", "user_message_chunk"),
    chunk("1", "user_message_chunk"),
    chunk("a1"),
    call("c"),
    { type: "replay_ended" },
    prompt("q2"),
  ]);
  assert.deepEqual(brief(state), ["user: q1", "agent: a1", "tool: c cancelled", "user: q2"]);
  assert.deepEqual([...state.entries].map((entry) => entry.history), [true, true, true, false]);
  assert.deepEqual([...state.entries].map((entry) => entry.turn), [null, null, null, 1]);
  assert.equal(state.turns, 1);
  assert.equal(state.replaying, false);
});

Deno.test("reduceSession() takes only the settings of a replay that repeats the session", () => {
  const first = play([prompt("q1"), chunk("a1"), end()]);
  const state = play([
    { type: "replay_started" },
    chunk("q1", "user_message_chunk"),
    chunk("a1"),
    call("c"),
    update({ sessionUpdate: "session_info_update", title: "T" }),
    { type: "replay_ended" },
    chunk("new"),
  ], first);
  assert.deepEqual(brief(state), ["user: q1", "agent: a1", "agent: new"]);
  assert.equal(state.title, "T");
});
