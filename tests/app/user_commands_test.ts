import assert from "node:assert/strict";
import { asArray, asObject, asString } from "../../src/base/guards.ts";
import { END_TURN, HANDSHAKE, PROMPT, type Step } from "../support/scripted_agent.ts";
import { isAlive, until } from "../support/run_main.ts";
import { openProgram, type TestProgram } from "./program_support.ts";

/** The text blocks of every prompt that the agent was sent. */
async function sent({ agent }: TestProgram): Promise<string[][]> {
  const prompts = (await agent.received()).filter(({ method }) => method === "session/prompt");
  return prompts.map(({ params }) =>
    asArray(asObject(params).prompt).map((block) => asString(asObject(block).text) ?? "")
  );
}

function outputs({ app }: TestProgram): string[] {
  return Object.values(app.state.active.state.terminals).map(({ output }) => output);
}

Deno.test("!command runs in the session's directory and goes to the agent with the next prompt", async () => {
  await using program = await openProgram([...HANDSHAKE, PROMPT, END_TURN, PROMPT, END_TURN]);
  const { app, agent } = program;
  await Deno.writeTextFile(`${agent.directory}/a.txt`, "");
  await app.submit("!pwd; ls a.txt; exit 3");
  assert.deepEqual(outputs(program), [`${agent.directory}\na.txt\n`]);
  assert.deepEqual(app.state.attached, ["!pwd; ls a.txt; exit 3 (2 lines)"]);
  await app.submit("what is this?");
  assert.deepEqual(app.state.attached, []);
  await app.submit("and now?");
  const [first = [], second] = await sent(program);
  assert.equal(first[0], "what is this?");
  assert.match(first[1] ?? "", /I ran `pwd; ls a\.txt; exit 3` in /);
  assert.match(first[1] ?? "", /exit status 3[^]*```\n[^]*\na\.txt\n```/);
  assert.deepEqual(second, ["and now?"]);
  assert.deepEqual(program.texts("user")[0]?.split("\n")[0], "what is this?");
});

Deno.test("!!command only shows", async () => {
  await using program = await openProgram([...HANDSHAKE, PROMPT, END_TURN]);
  await program.app.submit("!!echo shown");
  assert.deepEqual(outputs(program), ["shown\n"]);
  assert.deepEqual(program.app.state.attached, []);
  await program.app.submit("x");
  assert.deepEqual(await sent(program), [["x"]]);
});

Deno.test("a command that still runs is attached with what it has printed, and can be stopped", async () => {
  await using program = await openProgram([...HANDSHAKE, PROMPT, END_TURN]);
  const { app } = program;
  const running = app.submit("!echo begun; sleep 60");
  await until(() => outputs(program)[0] === "begun\n", "output while it runs");
  assert.deepEqual(app.state.attached, ["!echo begun; sleep 60 (running)"]);
  await app.submit("x");
  assert.match((await sent(program))[0]?.[1] ?? "", /it still runs[^]*begun/);
  assert.equal(app.stopCommand(), true);
  await running;
  assert.equal(app.stopCommand(), false);
  const [terminal] = Object.values(app.state.active.state.terminals);
  assert.equal(terminal?.exit?.signal, "SIGTERM");
});

Deno.test("what is attached is listed and left out by /attached, and comes back with the prompt", async () => {
  const busy: Step = { untilFile: "$DIR/go" };
  await using program = await openProgram([...HANDSHAKE, PROMPT, busy, END_TURN, PROMPT, END_TURN]);
  const { app, outputs: shown } = program;
  await app.startError;
  await app.submit("!echo one");
  await app.submit("!echo two");
  await app.submit("/attached");
  assert.match(shown.at(-1) ?? "", /1\. !echo one \(1 line\)\n2\. !echo two \(1 line\)/);
  await app.submit("/attached drop 1");
  assert.deepEqual(app.state.attached, ["!echo two (1 line)"]);
  const first = app.submit("first");
  await app.submit("!echo three");
  const second = app.submit("second");
  assert.deepEqual([app.state.queue, app.state.attached], [["second"], []]);
  assert.equal(app.unqueue(), "second");
  assert.deepEqual(app.state.attached, ["!echo three (1 line)"]);
  assert.equal(app.dropAttachment(), true);
  assert.deepEqual(app.state.attached, []);
  await Deno.writeTextFile(`${program.agent.directory}/go`, "");
  await Promise.all([first, second]);
});

Deno.test("/retry sends what went along once more", async () => {
  await using program = await openProgram([...HANDSHAKE, PROMPT, END_TURN, PROMPT, END_TURN]);
  await program.app.submit("!echo one");
  await program.app.submit("look");
  await program.app.submit("/retry");
  const [first, second] = await sent(program);
  assert.equal(first?.length, 2);
  assert.deepEqual(second, first);
});

Deno.test("a command that cannot be started is a notice, and so is none at all", async () => {
  await using program = await openProgram([...HANDSHAKE]);
  await program.app.submit("!no-such-program");
  await program.app.submit("!");
  assert.match(program.notices()[0] ?? "", /no-such-program: command not found/);
  assert.match(program.notices()[1] ?? "", /A space before the ! sends it as text/);
  assert.deepEqual(program.app.state.attached, []);
});

Deno.test("a command ends with the program", async () => {
  await using program = await openProgram([...HANDSHAKE]);
  const running = program.app.submit("!echo $$; exec sleep 60");
  await until(() => /^\d+\n$/.test(outputs(program)[0] ?? ""), "the process id");
  const pid = Number(outputs(program)[0]);
  await program.app.leave(0);
  await running;
  await until(async () => !await isAlive(pid), "the end of the command");
});

Deno.test("without a person a line that begins with ! is a prompt", async () => {
  await using program = await openProgram([...HANDSHAKE, PROMPT, END_TURN], { interactive: false });
  await program.app.submit("!echo x");
  assert.deepEqual(await sent(program), [["!echo x"]]);
});
