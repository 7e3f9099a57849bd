import assert from "node:assert/strict";
import { loadTrust } from "../../src/config/trust_store.ts";
import type { RunTrust } from "../../src/toolbox/trust.ts";
import type { TrustAnswer, TrustRequest } from "../../src/toolbox/toolbox.ts";
import { call, textOf, tool, Workshop } from "./workshop.ts";

const FILES = {
  "reads.ts": tool(`return "first";`, `export const permissions = { read: ["."] };`),
  "runs.ts": tool("", `export const permissions = { run: ["git"] };`),
};

/** Answers every question with the same answer, and keeps the questions. */
function answering(answer: TrustAnswer) {
  const asked: TrustRequest[] = [];
  const askTrust = (request: TrustRequest) => {
    asked.push(request);
    return Promise.resolve(answer);
  };
  return { asked, askTrust };
}

Deno.test("nothing of an untrusted directory is offered when nobody can be asked", async () => {
  await using workshop = new Workshop(FILES);
  const toolbox = await workshop.open({ trustAll: false });
  assert.deepEqual(toolbox.descriptions(), []);
  assert.deepEqual(toolbox.untrusted, [workshop.tools]);
  assert.deepEqual(await loadTrust(`${workshop.home}/trust.json`), {});
});

Deno.test("the question lists every tool with its permissions, and which have full access", async () => {
  await using workshop = new Workshop(FILES);
  const { asked, askTrust } = answering("no");
  const toolbox = await workshop.open({ askTrust });
  assert.deepEqual(asked, [{
    directory: workshop.tools,
    tools: [
      { name: "reads", file: "reads.ts", permissions: { read: ["."] }, fullAccess: false },
      { name: "runs", file: "runs.ts", permissions: { run: ["git"] }, fullAccess: true },
    ],
  }]);
  assert.deepEqual([toolbox.tools, toolbox.untrusted], [[], [workshop.tools]]);
});

Deno.test("`always` is remembered, `once` only for this run, `no` not at all", async () => {
  for (const answer of ["always", "once", "no"] as const) {
    await using workshop = new Workshop(FILES);
    const { asked, askTrust } = answering(answer);
    const trustOfRun: RunTrust = new Map();
    await workshop.open({ askTrust, trustOfRun });
    await workshop.open({ askTrust, trustOfRun });
    const ofThisRun = asked.length;
    await workshop.open({ askTrust });
    const counts = { always: [1, 1], once: [1, 2], no: [2, 3] }[answer];
    assert.deepEqual([ofThisRun, asked.length], counts, answer);
  }
});

Deno.test("a directory without tools asks nothing", async () => {
  await using workshop = new Workshop({ "build.ts": "export {};", "notes.md": "x" });
  const { asked, askTrust } = answering("always");
  const toolbox = await workshop.open({ askTrust });
  assert.deepEqual([asked, toolbox.untrusted, toolbox.problems.length], [[], [], 1]);
});

Deno.test("the user's own directory needs no question", async () => {
  await using workshop = new Workshop(FILES);
  const { asked, askTrust } = answering("no");
  const toolbox = await workshop.open({
    askTrust,
    directories: [{ path: workshop.tools, origin: "user" }],
  });
  assert.deepEqual(asked, []);
  assert.equal(textOf(await call(toolbox, "reads")), "first");
});

Deno.test("any change asks again, and the question names it", async (t) => {
  const changes: Record<string, readonly [change: (workshop: Workshop) => void, lines: string[]]> =
    {
      "a byte": [
        (workshop) => workshop.write("reads.ts", FILES["reads.ts"] + " "),
        ["reads.ts was changed"],
      ],
      "a new file": [(workshop) => workshop.write("lib/deep.ts", "x"), ["lib/deep.ts was added"]],
      "a file less": [
        (workshop) => Deno.removeSync(`${workshop.tools}/runs.ts`),
        ["runs.ts was removed"],
      ],
      "a wider permission": [
        (workshop) =>
          workshop.write(
            "reads.ts",
            tool("", `export const permissions = { read: [".", "/etc"], net: true };`),
          ),
        ["reads.ts was changed", "reads.ts now also asks for read /etc, net everything"],
      ],
    };
  for (const [name, [change, lines]] of Object.entries(changes)) {
    await t.step(name, async () => {
      await using workshop = new Workshop(FILES);
      await workshop.open(answering("always"));
      change(workshop);
      const { asked, askTrust } = answering("no");
      await workshop.open({ askTrust });
      assert.deepEqual(asked[0]?.changes, lines);
    });
  }
});

Deno.test("files changed after the answer are not run under it", async () => {
  await using workshop = new Workshop(FILES);
  const { asked, askTrust } = answering("always");
  const toolbox = await workshop.open({ askTrust });
  assert.equal(textOf(await call(toolbox, "reads")), "first");
  workshop.write("reads.ts", tool(`return "second";`));
  workshop.write("_new.ts", "");
  const refused = `failed: reads was not run: files of ${workshop.tools} are not what the user ` +
    "agreed to (_new.ts was added, reads.ts was changed); the user has to agree with /tools trust first";
  assert.equal(textOf(await call(toolbox, "reads")), refused);
  assert.match(textOf(await call(toolbox, "runs")), /^failed: runs was not run: files of/);
  assert.deepEqual(toolbox.untrusted, [workshop.tools]);
  await toolbox.reload();
  assert.equal(asked.length, 2);
  assert.deepEqual(toolbox.untrusted, []);
  assert.equal(textOf(await call(toolbox, "reads")), "second");
});

Deno.test("files changed back are run again", async () => {
  await using workshop = new Workshop(FILES);
  const toolbox = await workshop.open(answering("once"));
  workshop.write("reads.ts", tool(`return "second";`));
  assert.match(textOf(await call(toolbox, "reads")), /^failed: reads was not run/);
  workshop.write("reads.ts", FILES["reads.ts"]);
  assert.equal(textOf(await call(toolbox, "reads")), "first");
});

Deno.test("`session_edits` covers edits until a permission widens", async () => {
  await using workshop = new Workshop(FILES);
  const { asked, askTrust } = answering("session_edits");
  const toolbox = await workshop.open({ askTrust });
  workshop.write("reads.ts", tool(`return "second";`, `export const permissions = {};`));
  assert.equal(textOf(await call(toolbox, "reads")), "second");
  workshop.write(
    "reads.ts",
    tool(`return "third";`, `export const permissions = { read: ["."] };`),
  );
  assert.equal(textOf(await call(toolbox, "reads")), "third");
  await toolbox.reload();
  assert.equal(asked.length, 1, "a reload of covered edits asks nothing");
  workshop.write(
    "reads.ts",
    tool(`return "fourth";`, `export const permissions = { read: true };`),
  );
  assert.equal(
    textOf(await call(toolbox, "reads")),
    "failed: reads was not run: reads.ts now also asks for read everything; " +
      "the user has to agree with /tools trust first",
  );
  assert.deepEqual(toolbox.untrusted, [workshop.tools]);
  await toolbox.reload();
  assert.equal(asked.length, 2);
  assert.deepEqual(toolbox.untrusted, []);
  assert.equal(textOf(await call(toolbox, "reads")), "fourth");
});

Deno.test("`session_edits` is not remembered for the edits of another run", async () => {
  await using workshop = new Workshop(FILES);
  await workshop.open(answering("session_edits"));
  const { asked, askTrust } = answering("no");
  await workshop.open({ askTrust });
  assert.equal(asked.length, 0, "the same files are trusted");
  workshop.write("reads.ts", tool(""));
  await workshop.open({ askTrust });
  assert.equal(asked.length, 1);
});

Deno.test("a store that was tampered with cannot grant more than the files ask for", async () => {
  await using workshop = new Workshop(FILES);
  await workshop.open(answering("always"));
  const path = `${workshop.home}/trust.json`;
  const book = JSON.parse(await Deno.readTextFile(path));
  book[workshop.tools].permissions["runs.ts"] = {};
  await Deno.writeTextFile(path, JSON.stringify(book));
  const { asked, askTrust } = answering("no");
  await workshop.open({ askTrust });
  assert.deepEqual(asked[0]?.changes, [
    "runs.ts now also asks for run git (full access to this machine)",
  ]);
});
