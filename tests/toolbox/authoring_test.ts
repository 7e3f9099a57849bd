import assert from "node:assert/strict";
import { MmError } from "../../src/base/errors.ts";
import { newTool } from "../../src/toolbox/new_tool.ts";
import {
  callTool,
  renderProblems,
  renderToolCheck,
  renderToolList,
  reportTools,
} from "../../src/toolbox/report.ts";
import { renderTrustRequest, reportTrust } from "../../src/toolbox/trust_report.ts";
import { ROOT } from "../support/project.ts";
import { textOf, tool, Workshop } from "./workshop.ts";

Deno.test("a new tool passes the check, the type check, and a call", async () => {
  await using workshop = new Workshop();
  const made = await newTool(workshop.tools, "greet");
  assert.deepEqual(made, {
    file: `${workshop.tools}/greet.ts`,
    written: [`${workshop.tools}/greet.ts`, `${workshop.tools}/deno.json`],
  });
  const options = workshop.options({ trustAll: true });
  const report = await reportTools(options);
  assert.deepEqual(report.problems, []);
  assert.deepEqual(report.tools.map(({ seen }) => seen.name), ["client_greet"]);
  const greet = (args: unknown) =>
    callTool(options, { name: "greet", words: [JSON.stringify(args)] });
  assert.equal(textOf(await greet({ name: "you" })), "Hello, you.");
  assert.equal(textOf(await greet({ name: "you", loud: true })), "HELLO, YOU!");
  assert.match(textOf(await greet({})), /"name" is missing/);
  const check = await new Deno.Command(Deno.execPath(), {
    args: ["check", "--quiet", made.file],
    cwd: workshop.tools,
  }).output();
  assert.ok(check.success, new TextDecoder().decode(check.stderr));
});

Deno.test("newTool() keeps what is there", async () => {
  await using workshop = new Workshop({
    "deno.json": `{\n  // mine\n  "imports": { "zod": "npm:zod@4" }\n}\n`,
  });
  await newTool(workshop.tools, "one");
  const config = await Deno.readTextFile(`${workshop.tools}/deno.json`);
  assert.match(config, /\/\/ mine/);
  assert.match(config, /"zod": "npm:zod@4"/);
  assert.match(config, /"@mm\/repl\/tool": "/);
  const second = await newTool(workshop.tools, "two");
  assert.deepEqual(second.written, [`${workshop.tools}/two.ts`]);
  const usage = (error: unknown) => error instanceof MmError && error.code === "usage";
  await assert.rejects(newTool(workshop.tools, "two"), usage);
  for (const name of ["", "../out", "a b", "_hidden", "1st", "n".repeat(58)]) {
    await assert.rejects(newTool(workshop.tools, name), usage);
  }
});

Deno.test("reportTools() shows what was written beside what the model sees", async () => {
  await using workshop = new Workshop({
    "shown here.ts": tool(
      "",
      `export const inputSchema = {
        type: "object", required: ["kind"], properties: { kind: { enum: ["a", "b"] } },
      };
      export const permissions = { run: ["git"] };`,
    ),
    "broken.ts": "\n\nexport const x: = 1;",
    "hostile.ts": `export const description = "\\u001b[31mred"; export const handler = () => 1;`,
    "renamed.ts": tool("", `export const name = "\\u001b[31mred";`),
  });
  const report = await reportTools(workshop.options());
  const [hostile, shown] = report.tools;
  assert.equal(hostile?.seen.description, "\u001b[31mred");
  assert.equal(shown?.seen.name, "client_shown_here");
  assert.equal(shown?.fullAccess, true);
  assert.match(shown?.seen.description ?? "", /Required parameters: kind$/);
  const lines = renderToolCheck(report);
  const text = lines.join("\n");
  assert.match(text, /may +run git \(full access to this machine\)/);
  assert.match(text, /you wrote +shown here\n/);
  assert.match(text, /the model sees client_shown_here\n/);
  assert.match(text, /One of: a, b/);
  assert.equal(lines.at(-1), "2 tools, 2 problems");
  assert.match(renderProblems(report.problems)[0] ?? "", /^\/.*broken\.ts:3:17: /);
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(text + renderToolList(report).join("\n"), /[\x00-\x09\x0b-\x1f]/);
  assert.match(renderToolList(report).join("\n"), /shown here +A tool for a test\. +\[run git/);
});

Deno.test("callTool() says why a tool cannot be called", async () => {
  await using workshop = new Workshop({
    "good.ts": tool(`return "good";`),
    "broken.ts": "export const x: = 1;",
  });
  const options = workshop.options({ trustAll: true });
  const failing = async (name: string, trusted = true) => {
    try {
      await callTool(trusted ? options : workshop.options(), { name, words: [] });
    } catch (error) {
      if (error instanceof MmError) return `${error.code}: ${error.message} / ${error.hint ?? ""}`;
    }
    return "no error";
  };
  assert.equal(textOf(await callTool(options, { name: "client_good", words: [] })), "good");
  assert.match(await failing("broken"), /^tool: Cannot call broken: .*broken\.ts:1:17: /);
  assert.equal(
    await failing("other"),
    "tool: Cannot call other: there is no such tool / There are: good.",
  );
  assert.match(
    await failing("good", false),
    /^tool: Cannot call good: .* is not trusted \/ .*tools trust/,
  );
});

Deno.test("reportTrust() tells new, changed and trusted directories apart", async () => {
  await using workshop = new Workshop({
    "runs.ts": tool("", `export const permissions = { run: true };`),
  });
  const report = () => reportTrust(workshop.tools, workshop.options());
  const first = await report();
  assert.equal(first.state, "new");
  assert.deepEqual(renderTrustRequest(first.request), [
    `Tools of ${workshop.tools}:`,
    "  runs  run everything (full access to this machine)  (runs.ts)",
    "Tools that may run programs or call native code have full access to this machine.",
  ]);
  await first.agree();
  assert.equal((await report()).state, "trusted");
  const toolbox = await workshop.open({ trustAll: false });
  assert.deepEqual(toolbox.untrusted, []);
  workshop.write("more.ts", tool(""));
  const changed = await report();
  assert.equal(changed.state, "changed");
  assert.deepEqual(renderTrustRequest(changed.request).slice(-3, -1), [
    "Since you last agreed:",
    "  more.ts was added",
  ]);
});

Deno.test("the sample tools of the project work", async () => {
  await using workshop = new Workshop({ "../notes.txt": "one two  three\n" });
  const options = workshop.options({
    directories: [{ path: `${ROOT}/tools`, origin: "project" }],
    trustAll: true,
  });
  const report = await reportTools(options);
  assert.deepEqual(report.problems, []);
  const run = async (name: string, args: unknown) =>
    textOf(await callTool(options, { name, words: [JSON.stringify(args)] }));
  assert.equal(await run("word_count", { path: "notes.txt" }), "3 words");
  assert.equal(await run("todo_add", { text: "write" }), "Added as number 1.");
  assert.equal(await run("todo_list", {}), "The list is empty.");
  const atRoot = await callTool({ ...options, cwd: ROOT }, { name: "git_log", words: ["count=1"] });
  assert.match(textOf(atRoot), /^[0-9a-f]+ .+\n$/);
});
