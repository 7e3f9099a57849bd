/**
 * That the checks of played traces find what is wrong.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { AgentReport } from "../support/replay_agent.ts";
import { faultOfError, faultOfResult } from "./answer_shapes.ts";
import { checkRun } from "./check_run.ts";
import { type PlayedRun, playRun } from "./drive.ts";
import { playTrace } from "./play_trace.ts";
import { parseTrace, queued, type Run } from "./trace.ts";

async function traceOf(name: string): Promise<string> {
  return await Deno.readTextFile(new URL(`traces/${name}.ndjson`, import.meta.url));
}

interface Case {
  readonly run: Run;
  readonly played: PlayedRun;
  readonly report: AgentReport;
}

/** Plays a trace, and gives what it was and what became of it. */
async function play(name: string): Promise<Case> {
  const cwd = await Deno.realPath(await Deno.makeTempDir());
  try {
    const text = (await traceOf(name)).replaceAll("/home/user/project", cwd);
    const traceFile = `${cwd}/.trace`;
    await Deno.writeTextFile(traceFile, text);
    const [run] = parseTrace(text);
    if (run === undefined) throw new Error(`${name} is empty`);
    const stage = { traceFile, number: 0, cwd, reportFile: `${cwd}/.report` };
    const played = await playRun(run, stage);
    if (played.report === undefined) throw new Error("the agent did not report");
    return { run, played, report: played.report };
  } finally {
    await Deno.remove(cwd, { recursive: true });
  }
}

/** The run with one text in it exchanged for another, as if that had been recorded. */
function altered(run: Run, before: string, after: string): Run {
  const text = JSON.stringify(run);
  if (!text.includes(before)) throw new Error(`there is no ${before}`);
  return JSON.parse(text.replaceAll(before, after));
}

Deno.test("checkRun() finds what was lost of what the agent said", async () => {
  const { run, played } = await play("conversation");
  const faults = (before: string, after: string) => checkRun(altered(run, before, after), played);
  assert.deepEqual(checkRun(run, played), []);
  assert.match(faults('"points\\n"', '"points \\n"').join(), /agent text of turn 1/);
  assert.match(faults("Two points suffice.", "Two points suffice").join(), /thought text/);
  assert.match(faults('"end_turn"', '"refusal"').join(), /ended with end_turn instead of refusal/);
});

Deno.test("checkRun() finds tool calls that are lost, and output of theirs", async () => {
  const { run, played } = await play("shell_in_meta");
  const faults = (before: string, after: string) => checkRun(altered(run, before, after), played);
  assert.match(faults('"rd-1"', '"rd-2"').join(), /nobody called rd-1/);
  assert.match(faults('"sh-2"', '"sh-1"').join(), /3 tool entries for 2 calls/);
  assert.match(faults("compiling", "completing").join(), /sh-1 lost some of its output/);
});

Deno.test("checkRun() finds settings that are not the newest", async () => {
  const outside = await play("outside_turns");
  const retitled = altered(outside.run, '"title":"Thanks"', '"title":"No"');
  assert.match(checkRun(retitled, outside.played).join(), /the title is Thanks instead of No/);
  const { run, played } = await play("command_names");
  const fewer = altered(
    run,
    '"name":"notes show","description":"Shows the notes."}]',
    '"x":1},{}]',
  );
  assert.match(checkRun(fewer, played).join(), /1 commands instead of 2/);
});

Deno.test("checkRun() finds answers that are missing, doubled, wrong or misshapen", async () => {
  const { run, played, report } = await play("unannounced_permission");
  const [first, ...rest] = report.asked;
  if (first === undefined) throw new Error("nothing was asked");
  const faults = (...answers: typeof first.answers) =>
    checkRun(run, { ...played, report: { ...report, asked: [{ ...first, answers }, ...rest] } })
      .join();
  const [answer] = first.answers;
  if (answer === undefined) throw new Error("nothing was answered");
  assert.equal(faults(answer), "");
  assert.match(faults(), /request_permission 0 was not answered/);
  assert.match(faults(answer, answer), /request_permission 0 was answered 2 times/);
  assert.match(faults({ result: { outcome: { outcome: "cancelled" } } }), /instead of/);
  assert.match(
    faults({ result: { outcome: "yes" } }),
    /must have required property|must be object/,
  );
  assert.match(faults({ error: { code: -32603, message: "Internal error" } }), /refused/);
});

Deno.test("checkRun() finds requests that went otherwise, and requests that nobody recorded", async () => {
  const { run, played, report } = await play("model_errors");
  assert.match(
    checkRun(altered(run, '"code":500', '"code":501'), played).join(),
    /failed with 500 instead of 501/,
  );
  const extra = { ...played, report: { ...report, extra: ["session/close", "session/list"] } };
  assert.deepEqual(checkRun(run, extra), [
    "the client asked for session/list, which was not recorded",
  ]);
  assert.deepEqual(checkRun(run, { ...played, report: undefined }), ["the agent could not report"]);
});

Deno.test("playTrace() reports answers that the client cannot give", async () => {
  const text = await traceOf("unannounced_permission");
  const { faults } = await playTrace(text.replace('"optionId":"yes"}}', '"optionId":"maybe"}}'));
  assert.equal(faults.length, 1);
  assert.match(faults.join(), /request_permission 0: answered .*"no".* instead of .*"maybe"/);
});

Deno.test("playTrace() reports text that is no trace", async () => {
  const { faults } = await playTrace('{"dir":"in","t":0,"msg":{"method":"x"}}');
  assert.deepEqual(faults, ["a trace starts with initialize"]);
});

Deno.test("faultOfResult() and faultOfError() know the shapes of answers", () => {
  assert.equal(faultOfResult("fs/read_text_file", { content: "" }), undefined);
  assert.match(faultOfResult("fs/read_text_file", { text: "" }) ?? "", /content/);
  assert.equal(faultOfResult("fs/write_text_file", null), undefined);
  assert.notEqual(faultOfResult("fs/write_text_file", "done"), undefined);
  assert.notEqual(faultOfResult("terminal/create", {}), undefined);
  assert.equal(faultOfResult("_sample/ask", 7), undefined);
  assert.equal(faultOfError({ code: -32601, message: "no" }), undefined);
  assert.notEqual(faultOfError({ code: "-32601", message: "no" }), undefined);
  assert.notEqual(faultOfError({ code: 1 }), undefined);
});

Deno.test("queued() puts a prompt that came too early behind the turn that ran", async () => {
  const [run] = parseTrace(await traceOf("second_prompt"));
  const order = queued(run?.steps ?? []).flatMap((step) => {
    if (step.type === "request" && step.method === "session/prompt") return [`ask ${step.id}`];
    const isEnd = step.type === "answer" && step.by === "agent" && Number(step.id) > 1;
    return isEnd ? [`end ${step.id}`] : [];
  });
  assert.deepEqual(order, [2, 3, 4, 5].flatMap((id) => [`ask ${id}`, `end ${id}`]));
});
