import assert from "node:assert/strict";
import type { NewSessionEvent } from "../../src/model/session_store.ts";
import type { ToolEntry } from "../../src/model/session.ts";
import { renderTranscript } from "../../src/model/transcript.ts";
import { shownContent } from "../../src/model/written_files.ts";
import { brief, call, chunk, end, play, progress, prompt, tools } from "./session_script.ts";

const CWD = "/home/user/project";

function written(path: string, rest: Record<string, unknown> = {}): NewSessionEvent {
  const told = { change: "created", newText: "new\n", bytes: 4, ...rest };
  return { type: "file_written", path, ...told } as NewSessionEvent;
}

function paths(entry: ToolEntry | undefined): readonly string[] {
  return entry === undefined
    ? []
    : shownContent(entry, CWD).map((item) => item.type === "diff" ? item.path : item.type);
}

Deno.test("reduceSession() makes an entry of a file that no running call names", () => {
  const state = play([
    prompt("hi"),
    chunk("I write"),
    written(`${CWD}/a.txt`),
    written("/etc/x", { change: "changed", oldText: "old\n" }),
    chunk("done"),
    end(),
  ]);
  assert.deepEqual(brief(state), [
    "user: hi",
    "agent: I write",
    "tool: Create a.txt completed",
    "tool: Write /etc/x completed",
    "agent: done",
  ]);
  const [created, changed] = tools(state);
  assert.deepEqual(created?.content, [
    { type: "diff", path: `${CWD}/a.txt`, newText: "new\n" },
  ]);
  assert.deepEqual(changed?.content, [
    { type: "diff", path: "/etc/x", oldText: "old\n", newText: "new\n" },
  ]);
  assert.ok(tools(state).every((entry) => entry.endedAt !== undefined));
});

for (
  const [how, fields] of Object.entries({
    "its locations": { locations: [{ path: `${CWD}/a.txt` }] },
    "the kind of a call that names no file": { title: "Write", kind: "edit" },
    "its arguments": { rawInput: { filePath: "a.txt", content: "new" } },
  })
) {
  Deno.test(`reduceSession() shows a written file with the call that it belongs to: by ${how}`, () => {
    const running = play([prompt("hi"), call("c", fields), written(`${CWD}/a.txt`)]);
    assert.deepEqual(paths(tools(running)[0]), [`${CWD}/a.txt`]);
    const text = { type: "content", content: { type: "text", text: "Wrote file successfully." } };
    const ended = play([progress("c", { status: "completed", content: [text] })], running);
    assert.equal(tools(ended).length, 1);
    assert.deepEqual(paths(tools(ended)[0]), ["content", `${CWD}/a.txt`]);
  });
}

Deno.test("shownContent() leaves a written file out that the call shows itself, before or after", () => {
  const diff = { type: "diff", path: "a.txt", oldText: "", newText: "new\n" };
  const before = play([call("c", { content: [diff] }), written(`${CWD}/a.txt`)]);
  assert.deepEqual(paths(tools(before)[0]), ["a.txt"]);
  const after = play([
    call("c", { locations: [{ path: "a.txt" }] }),
    written(`${CWD}/a.txt`),
    progress("c", { status: "completed", content: [diff] }),
  ]);
  assert.deepEqual(paths(tools(after)[0]), ["a.txt"]);
});

Deno.test("reduceSession() says in words that a file was written that cannot be compared", () => {
  const [entry] = tools(play([written("/b.bin", { change: "changed", bytes: 9 })]));
  assert.deepEqual(entry?.content, [{
    type: "content",
    content: { type: "text", text: "/b.bin was written, 9 bytes; the change is not shown" },
  }]);
});

Deno.test("reduceSession() keeps the last text of a file that one call writes twice", () => {
  const [entry] = tools(play([
    call("c", { locations: [{ path: "/a" }] }),
    written("/a", { newText: "one" }),
    written("/a", { newText: "two" }),
  ]));
  assert.deepEqual(entry?.written?.map(({ content }) => content), [
    { type: "diff", path: "/a", newText: "two" },
  ]);
});

for (
  const [answer, status, shown] of [
    ["y", "completed", ["content", `${CWD}/a.txt`]],
    ["y", "failed", ["content"]],
    ["n", "completed", ["content"]],
  ] as const
) {
  Deno.test(`a call shows the change that was asked about once it is answered ${answer} and ${status}`, () => {
    const diff = { type: "diff", path: `${CWD}/a.txt`, oldText: "old\n", newText: "new\n" };
    const text = { type: "content", content: { type: "text", text: "Edit applied." } };
    const state = play([
      prompt("hi"),
      call("c", { title: "Edit", kind: "edit" }),
      {
        type: "permission_asked",
        requestId: "p",
        toolCall: { toolCallId: "c", content: [diff] },
        options: [
          { optionId: "y", name: "Yes", kind: "allow_once" },
          { optionId: "n", name: "No", kind: "reject_once" },
        ],
      },
      { type: "permission_answered", requestId: "p", answer: { optionId: answer, by: "user" } },
      progress("c", { status, content: [text] }),
      end(),
    ]);
    assert.deepEqual(paths(tools(state)[0]), shown);
    assert.equal(renderTranscript(state).includes("+new"), shown.length === 2);
  });
}
