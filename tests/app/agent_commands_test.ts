/**
 * The commands that show the agent and its options, and what goes with the next prompt.
 *
 * @module
 */

import assert from "node:assert/strict";
import { END_TURN, eventually, HANDSHAKE, type Step } from "../support/scripted_agent.ts";
import { openProgram } from "./program_support.ts";

const OPTIONS = [
  {
    id: "effort",
    name: "Effort",
    type: "select",
    currentValue: "low",
    options: [{ value: "low", name: "Low" }, { value: "high", name: "High" }],
  },
  { id: "fast", name: "Fast", description: "Skips checks", type: "boolean", currentValue: false },
];

const WITH_OPTIONS: readonly Step[] = [
  { stderr: "a word on stderr\n" },
  { expect: "initialize" },
  {
    respond: {
      protocolVersion: 1,
      agentInfo: { name: "scripted", version: "7" },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: false },
        sessionCapabilities: { list: {}, resume: null },
      },
      authMethods: [{ id: "key", name: "API key" }, { id: "web", name: "web" }],
    },
  },
  { expect: "session/new" },
  { respond: { sessionId: "s1", configOptions: OPTIONS } },
];

Deno.test("/config lists the options, shows one, sets one and completes both", async () => {
  await using program = await openProgram([
    ...WITH_OPTIONS,
    { expect: "session/set_config_option" },
    { respond: {} },
  ]);
  const { app } = program;
  assert.equal(await app.startError, undefined);
  await app.submit("/config");
  assert.match(program.outputs[0] ?? "", /`effort`.*`low`.*low, high[^]*`fast`.*on, off.*Skips/);
  await app.submit("/config fast");
  assert.doesNotMatch(program.outputs[1] ?? "", /effort/);
  await app.submit("/config nothing");
  assert.match(program.outputs[2] ?? "", /no such option/);
  await app.submit("/config effort high");
  assert.match(program.notices().at(-1) ?? "", /effort: high/);
  const labels = async (text: string) =>
    (await app.complete(text, text.length)).items.map(({ label }) => label);
  assert.deepEqual(await labels("/config "), ["effort", "fast"]);
  assert.deepEqual(await labels("/config effort "), ["low", "high"]);
  assert.deepEqual(await labels("/config fast "), ["true", "false"]);
});

const GROUPED = {
  id: "model",
  name: "Model",
  category: "model",
  type: "select",
  currentValue: "a1",
  options: [
    { group: "a", name: "Alpha", options: [{ value: "a1", name: "A One" }] },
    { group: "b", options: [{ value: "b1", name: "B One" }, { value: "b2", name: "B Two" }] },
  ],
};

Deno.test("/config, /model and their completion name the groups of values", async () => {
  await using program = await openProgram([
    { expect: "initialize" },
    { respond: { protocolVersion: 1, agentCapabilities: {} } },
    { expect: "session/new" },
    { respond: { sessionId: "s1", configOptions: [GROUPED, ...OPTIONS] } },
  ]);
  const { app } = program;
  assert.equal(await app.startError, undefined);
  await app.submit("/config");
  assert.match(program.outputs[0] ?? "", /`model`.*Alpha \(a1\), b \(b1, b2\)/);
  assert.match(program.outputs[0] ?? "", /`effort`.*\| low, high \|/);
  await app.submit("/model");
  assert.match(program.outputs[1] ?? "", /\| ● \| `a1` \| A One \| Alpha \|/);
  assert.match(program.outputs[1] ?? "", /\| `b2` \| B Two \| b \|/);
  const said = async (text: string) =>
    (await app.complete(text, text.length)).items.map(({ description }) => description);
  assert.deepEqual(await said("/config model "), ["A One · Alpha", "B One · b", "B Two · b"]);
  assert.deepEqual(await said("/model "), ["A One · Alpha", "B One · b", "B Two · b"]);
});

Deno.test("a command that waits for the agent is under way until the agent has answered", async () => {
  await using program = await openProgram([
    ...WITH_OPTIONS,
    { expect: "session/set_config_option" },
    { untilFile: "$DIR/go" },
    { respond: {} },
  ]);
  const { app } = program;
  assert.equal(await app.startError, undefined);
  const setting = app.submit("/config effort high");
  await eventually(
    "the agent is asked",
    async () =>
      (await program.agent.received()).some(({ method }) => method === "session/set_config_option"),
  );
  assert.deepEqual(app.state.underway, ["/config effort high"]);
  assert.equal(app.state.active.state.configOptions[0]?.value, "low");
  assert.deepEqual(program.notices(), []);
  await Deno.writeTextFile(`${program.agent.directory}/go`, "");
  await setting;
  assert.deepEqual(app.state.underway, []);
  await app.submit("/config effort sideways");
  assert.deepEqual(app.state.underway, []);
});

Deno.test("/agent shows what the agent says of itself, and its last words", async () => {
  await using program = await openProgram(WITH_OPTIONS);
  assert.equal(await program.app.startError, undefined);
  await program.app.submit("/agent");
  const [shown = ""] = program.outputs;
  assert.match(shown, /scripted 7/);
  assert.match(shown, /API key \(key\), web/);
  assert.match(shown, /new, load, list/);
  assert.match(shown, /text, resource_link, image/);
  assert.doesNotMatch(shown, /audio,|resume,/);
  assert.match(shown, /a word on stderr/);
});

Deno.test("/login completes the methods that the agent offers", async () => {
  await using program = await openProgram(WITH_OPTIONS);
  assert.equal(await program.app.startError, undefined);
  const { items } = await program.app.complete("/login ", 7);
  assert.deepEqual(items.map(({ label, description }) => [label, description]), [
    ["key", "API key"],
    ["web", "web"],
  ]);
});

Deno.test("/agent and /reconnect know an agent that is away", async () => {
  await using program = await openProgram([{ exit: 1 }], { laterRuns: [[...HANDSHAKE]] });
  const { app } = program;
  assert.notEqual(await app.startError, undefined);
  await app.submit("/agent");
  assert.match(program.outputs[0] ?? "", /is not connected/);
  await app.submit("/reconnect stop");
  assert.match(program.notices().at(-1) ?? "", /Nothing is being tried/);
  await app.submit("/reconnect soon");
  assert.match(program.notices().at(-1) ?? "", /Cannot reconnect soon/);
  await app.submit("/reconnect");
  assert.equal(app.state.phase, "ready");
  await app.submit("/reconnect");
  assert.match(program.notices().at(-1) ?? "", /the agent is connected/);
});

Deno.test("/attached says what it cannot leave out", async () => {
  await using program = await openProgram([...HANDSHAKE, { expect: "session/prompt" }, END_TURN]);
  const { app } = program;
  assert.equal(await app.startError, undefined);
  await app.submit("/attached");
  assert.match(program.outputs[0] ?? "", /Nothing goes with the next prompt/);
  await app.submit("/attached drop 3");
  assert.match(program.notices().at(-1) ?? "", /number 3 out: there is none/);
  await app.submit("/attached away");
  assert.match(program.notices().at(-1) ?? "", /Cannot do \/attached away/);
  await app.submit("/attached drop");
  assert.match(program.notices().at(-1) ?? "", /Left out of the next prompt: 0/);
});
