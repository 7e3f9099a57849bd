import assert from "node:assert/strict";
import { MmError } from "../../src/base/errors.ts";
import { redact, redactText } from "../../src/transport/redact.ts";
import { openTraceFile } from "../../src/transport/trace_file.ts";

async function inDirectory(run: (directory: string) => Promise<void>): Promise<void> {
  const directory = await Deno.makeTempDir();
  try {
    await run(directory);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

async function readLines(path: string): Promise<Record<string, unknown>[]> {
  return (await Deno.readTextFile(path)).trim().split("\n").map((line) => JSON.parse(line));
}

Deno.test("openTraceFile() writes frames and notes to a private file", async () => {
  await inDirectory(async (directory) => {
    const path = `${directory}/trace.ndjson`;
    await Deno.writeTextFile(path, "a longer text from before\n".repeat(100), { mode: 0o644 });
    const trace = openTraceFile(path);
    trace.frame("out", { jsonrpc: "2.0", id: 1, method: "initialize" });
    trace.frame("in", { jsonrpc: "2.0", id: 1, result: { token: "t0p" } });
    trace.note("stderr: API_KEY=abcdef");
    trace.close();
    trace.note("after the end");
    trace.close();
    const [head, ...lines] = await readLines(path);
    assert.equal(typeof head?.started, "string");
    assert.deepEqual(lines.map(({ ms, ...line }) => (assert.equal(typeof ms, "number"), line)), [
      { direction: "out", message: { jsonrpc: "2.0", id: 1, method: "initialize" } },
      { direction: "in", message: { jsonrpc: "2.0", id: 1, result: { token: "***" } } },
      { note: "stderr: API_KEY=***" },
    ]);
    if (Deno.build.os !== "windows") {
      assert.equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
    }
  });
});

Deno.test("openTraceFile() keeps the end of a long trace in bounded space", async () => {
  await inDirectory(async (directory) => {
    const path = `${directory}/trace.ndjson`;
    const trace = openTraceFile(path, { maxBytes: 1000 });
    for (let index = 0; index < 200; index++) trace.note(`note ${index}`);
    trace.close();
    assert.ok((await Deno.stat(path)).size <= 1000);
    assert.ok((await Deno.stat(`${path}.1`)).size <= 1000);
    const lines = [...await readLines(`${path}.1`), ...await readLines(path)];
    assert.equal(lines.at(-1)?.note, "note 199");
    const first = Number(String(lines[0]?.note).split(" ")[1]);
    lines.forEach((line, index) => assert.equal(line.note, `note ${first + index}`));
  });
});

Deno.test("openTraceFile() says that a file cannot be written", () => {
  assert.throws(
    () => openTraceFile("/no/such/directory/trace"),
    (error) => error instanceof MmError && error.code === "usage" && error.exit === 2,
  );
});

Deno.test("redact() hides what is secret by name and leaves the rest", () => {
  const value = {
    token: "a",
    apiKey: "b",
    api_key: ["c", { deep: "d" }],
    Authorization: "Bearer x",
    usage: { inputTokens: 12, total_tokens: 14 },
    env: [{ name: "PATH", value: "/bin" }],
    headers: { "X-Id": "1" },
    list: [{ name: "MY_SECRET", value: "s" }, { name: "plain", value: "p" }],
    text: "curl -H 'Authorization: Bearer abcdefghijkl' done",
    none: null,
  };
  assert.deepEqual(redact(value), {
    token: "***",
    apiKey: "***",
    api_key: ["***", { deep: "***" }],
    Authorization: "***",
    usage: { inputTokens: 12, total_tokens: 14 },
    env: [{ name: "PATH", value: "***" }],
    headers: { "X-Id": "***" },
    list: [{ name: "MY_SECRET", value: "***" }, { name: "plain", value: "p" }],
    text: "curl -H 'Authorization: Bearer ***' done",
    none: null,
  });
});

Deno.test("redactText() leaves ordinary text alone", () => {
  const text = "the token count: 12, passwords are hashed, bearer of news";
  assert.equal(redactText(text), text);
  assert.equal(redactText('"password": "hunter22" x'), '"password": "***" x');
});

Deno.test({
  name: "openTraceFile() says once that the disk is full, and drops the rest",
  ignore: Deno.build.os !== "linux",
  fn() {
    const failures: string[] = [];
    const trace = openTraceFile("/dev/full", { onFailure: (message) => failures.push(message) });
    trace.note("lost");
    trace.note("lost too");
    trace.close();
    assert.equal(failures.length, 1);
    assert.match(
      failures[0] ?? "",
      /^The trace ends here: cannot write \/dev\/full: No space left/,
    );
  },
});
