import assert from "node:assert/strict";
import { COMMANDS } from "../../src/app/commands/mod.ts";
import { END_TURN, HANDSHAKE, INITIALIZE, PROMPT, say, update } from "../support/scripted_agent.ts";
import { openProgram } from "./program_support.ts";

const MODES = {
  currentModeId: "ask",
  availableModes: [{ id: "ask", name: "Ask" }, { id: "code", name: "Write code" }],
};

const OPTIONS = [
  {
    id: "effort",
    name: "Effort",
    type: "select",
    currentValue: "low",
    options: [{ value: "low", name: "Low" }, { value: "high", name: "High" }],
  },
  { id: "fast", name: "Fast", type: "boolean", currentValue: false },
];

Deno.test("every command has a name, words for its arguments, one line of help and a completion", () => {
  const names = COMMANDS.map(({ name }) => name);
  assert.deepEqual(names, [...new Set(names)]);
  for (const { name, args, help, complete, run } of COMMANDS) {
    assert.match(name, /^[a-z]+(-[a-z]+)*$/);
    assert.equal(typeof args, "string");
    assert.match(help, /^[A-Z][^\n]*[^.\n]$/, name);
    assert.equal(typeof complete, "function");
    assert.equal(typeof run, "function");
  }
});

Deno.test("/help lists every command and those of the agent, clashes with a second slash", async () => {
  const commands = update({
    sessionUpdate: "available_commands_update",
    availableCommands: [
      { name: "plan", description: "Plan it", input: { hint: "what" } },
      { name: "exit", description: "Leave the plan" },
    ],
  });
  await using program = await openProgram([...HANDSHAKE, { send: commands }, PROMPT, END_TURN]);
  await program.app.submit("x");
  await program.app.submit("/help");
  const [text = ""] = program.outputs;
  for (const { name } of COMMANDS) assert.ok(text.includes(`\`/${name}`), name);
  assert.ok(text.includes("`/plan what`"));
  assert.ok(text.includes("`//exit`"));
});

Deno.test("/mode and /config show what there is, set it and refuse what is not offered", async () => {
  await using program = await openProgram([
    ...INITIALIZE,
    { expect: "session/new" },
    { respond: { sessionId: "s1", modes: MODES, configOptions: OPTIONS } },
    { expect: "session/set_mode" },
    { respond: {} },
    { expect: "session/set_config_option" },
    { respond: { configOptions: [{ ...OPTIONS[1], currentValue: true }] } },
  ]);
  const { app } = program;
  await app.startError;
  await app.submit("/mode");
  assert.match(program.outputs[0] ?? "", /● \| `ask`/);
  await app.submit("/mode Write code");
  assert.equal(app.state.active.state.modes?.current, "code");
  await app.submit("/mode nothing");
  await app.submit("/config fast maybe");
  await app.submit("/config effort huge");
  await app.submit("/config none x");
  await app.submit("/config fast on");
  assert.equal(app.state.active.state.configOptions[0]?.value, true);
  assert.deepEqual(program.notices(), [
    "Mode: code",
    "Cannot choose mode nothing: the agent does not offer it | It offers ask, code.",
    "Cannot set fast to maybe: it is on or off",
    "Cannot set effort to huge: there is no such value | It can be low, high.",
    "Cannot set none: the agent has no such option | It offers effort, fast.",
    "fast: true",
  ]);
});

Deno.test("/new, /switch and /close move between sessions of one agent", async () => {
  await using program = await openProgram([
    ...HANDSHAKE,
    { expect: "session/new" },
    { respond: { sessionId: "s2" } },
    PROMPT,
    say("second", "s2"),
    END_TURN,
    PROMPT,
    say("first", "s1"),
    END_TURN,
  ]);
  const { app } = program;
  await app.startError;
  await Deno.mkdir(`${program.agent.directory}/sub`);
  await app.submit("/new sub");
  assert.equal(app.state.active.state.cwd, `${program.agent.directory}/sub`);
  await app.submit("a");
  await app.submit("/switch");
  await app.submit("b");
  assert.deepEqual(program.texts("agent"), ["first"]);
  await app.submit("/switch 9");
  assert.match(program.notices().join(), /no open session 9/);
  await app.submit("/close");
  assert.equal(app.state.sessions.length, 1);
  assert.equal(app.state.active.state.sessionId, "s2");
  assert.deepEqual(program.texts("agent"), ["second"]);
  await app.submit("/close");
  assert.match(program.notices().join(), /Cannot close the only session/);
  await app.submit("/new nowhere");
  assert.match(program.notices().join(), /no such directory/);
});

Deno.test("/export writes Markdown or JSON and asks before it writes over a file", async () => {
  await using program = await openProgram([
    ...HANDSHAKE,
    PROMPT,
    say("an \u001b[31manswer"),
    END_TURN,
  ]);
  const { app } = program;
  await app.submit("a question");
  await app.submit("/export talk.md");
  const markdown = `${program.agent.directory}/talk.md`;
  const text = await Deno.readTextFile(markdown);
  assert.match(text, /## User\n\na question\n\n## Agent\n\nan answer/);
  assert.equal(((await Deno.stat(markdown)).mode ?? 0) & 0o777, 0o600);
  await app.submit("/export talk.json");
  const json = JSON.parse(await Deno.readTextFile(`${program.agent.directory}/talk.json`));
  assert.equal(json.entries[0].parts[0].text, "a question");
  await app.submit("/export talk.txt");
  assert.match(
    program.notices().at(-1) ?? "",
    /talk\.txt as Markdown; a name in \.json gives JSON$/,
  );
  const asking = app.submit("/export talk.md");
  while (app.state.questions.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  // The notice says what became of it: a line about the answer would come after that.
  assert.equal(app.state.questions[0]?.quiet, true);
  app.answer(app.state.questions[0]?.id ?? "", { type: "option", id: "no" });
  await asking;
  assert.equal(await Deno.readTextFile(markdown), text);
  assert.match(program.notices().at(-1) ?? "", /left as it is/);
  await Deno.writeTextFile(markdown, "mine");
  await Deno.chmod(markdown, 0o644);
  const again = app.submit("/export talk.md");
  while (app.state.questions.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  app.answer(app.state.questions[0]?.id ?? "", { type: "option", id: "yes" });
  await again;
  assert.match(await Deno.readTextFile(markdown), /## User\n\na question/);
  assert.equal(((await Deno.stat(markdown)).mode ?? 0) & 0o777, 0o644);
});

Deno.test("/retry sends the last prompt again and /queue shows and drops what waits", async () => {
  await using program = await openProgram([...HANDSHAKE, PROMPT, END_TURN, PROMPT, END_TURN]);
  const { app } = program;
  await app.startError;
  await app.submit("/retry");
  assert.match(program.notices().join(), /there was none/);
  await app.submit("again");
  await app.submit("/retry");
  assert.deepEqual(program.texts("user"), ["again", "again"]);
  const waiting = app.submit("waits");
  const second = app.submit("waits too");
  await app.submit("/queue");
  assert.match(program.outputs.at(-1) ?? "", /Waiting:\n\n1\. waits too/);
  await app.submit("/queue clear");
  await second;
  assert.deepEqual(app.state.queue, []);
  await app.leave(0);
  await waiting;
});

Deno.test("/permissions and /thoughts change the program for this run", async () => {
  await using program = await openProgram(HANDSHAKE);
  const { app } = program;
  await app.startError;
  await app.submit("/permissions reads");
  await app.submit("/permissions");
  assert.match(program.outputs[0] ?? "", /\*\*reads\*\* \(now\)/);
  await app.submit("/thoughts");
  assert.equal(app.state.thoughts, "hidden");
  await app.submit("/thoughts full");
  assert.equal(app.state.thoughts, "full");
  await app.submit("/thoughts loud");
  assert.match(program.notices().join(), /Cannot show thoughts loud/);
});

Deno.test("/status, /agent, /sessions and /tools answer without an agent, too", async () => {
  await using program = await openProgram([{ exit: 3 }]);
  await program.app.startError;
  for (const command of ["/status", "/agent", "/sessions", "/tools"]) {
    await program.app.submit(command);
  }
  assert.equal(program.outputs.length, 4);
  assert.match(program.outputs[1] ?? "", /not connected/);
});

Deno.test("/exit leaves with status 0", async () => {
  await using program = await openProgram(HANDSHAKE);
  await program.app.submit("/exit");
  assert.equal(await program.app.done, 0);
});
