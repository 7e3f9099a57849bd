import assert from "node:assert/strict";
import type { RemoteServer } from "../support/remote_server.ts";
import { until } from "../support/run_main.ts";
import { openRemote } from "./remote_program.ts";

const url = (server: RemoteServer) => server.wsUrl;

Deno.test("/ext lists what is known of the agent: our rows, the user's and its own", async () => {
  const extensions = { "_x.dev/find": { description: "Find", params: { q: { required: true } } } };
  await using program = await openRemote(url, { settings: { extensions } });
  const { app, outputs } = program;
  await app.startError;
  await app.submit("/ext");
  const [list = ""] = outputs;
  assert.match(list, /`_cleveragents\/plan\/status plan_id=…` \| Where a plan stands/);
  assert.match(list, /`_x\.dev\/find q=…` \| Find/);
  assert.match(list, /`_cleveragents\/echo`/);
  await app.submit("/ext help plan/status");
  assert.match(outputs[1] ?? "", /plan_id: string\. The plan/);
});

Deno.test("/ext shows lists as tables, other answers as JSON, and all as JSON when told", async () => {
  await using program = await openRemote(url);
  const { app, outputs } = program;
  await app.startError;
  await app.submit("/ext namespace/list");
  await app.submit("/ext --json namespace/list");
  await app.submit('/ext _cleveragents/echo {"text": "a  b \'c"}');
  await app.submit("/ext echo text='a  b'");
  const [table = "", json = "", whole = "", pair = ""] = outputs;
  assert.match(table, /^\| namespace \| members \|\n.*\n\| local \| 1 \|/);
  assert.match(json, /^```json\n\[\n/);
  assert.match(whole, /"text": "a {2}b 'c"/);
  assert.match(pair, /"text": "a {2}b"/);
});

Deno.test("/ext checks before it sends, and shows an error with its name", async () => {
  await using program = await openRemote(url);
  const { app, server } = program;
  await app.startError;
  await app.submit("/ext plan/status");
  assert.match(program.text(), /plan_id is missing/);
  assert.ok(!server.methods.includes("_cleveragents/plan/status"));
  await app.submit("/ext plan/status plan_id=7");
  assert.match(program.text(), /Plan not found.*"plan_id":"7".*ResourceNotFoundError.*-32001/);
  await app.submit("/ext help nothing");
  assert.match(program.text(), /Cannot explain "nothing"/);
});

Deno.test("/ext completes methods, those that the agent lists too, and parameters", async () => {
  await using program = await openRemote(url);
  const { app, server } = program;
  await app.startError;
  const labels = async (text: string) =>
    (await app.complete(text, text.length)).items.map(({ label }) => label);
  assert.ok((await labels("/ext plan/")).includes("_cleveragents/plan/status"));
  assert.deepEqual(await labels("/ext plan/explain plan_id=1 "), ["decision_id="]);
  assert.ok((await labels("/ext help plan/")).includes("_cleveragents/plan/status"));
  await until(() => server.methods.includes("_cleveragents/methods"), "the agent is asked");
  await app.submit("/ext");
  assert.deepEqual(await labels("/ext _cleveragents/echo"), ["_cleveragents/echo"]);
});

Deno.test("/ext says that nothing is known of an agent that advertises nothing", async () => {
  await using program = await openRemote(url, { advertise: false });
  const { app, outputs, server } = program;
  await app.startError;
  await app.submit("/ext");
  assert.match(outputs[0] ?? "", /No extension methods are known/);
  assert.ok(!server.methods.includes("_cleveragents/methods"));
  await app.submit("/ext _cleveragents/health/check");
  assert.match(outputs[1] ?? "", /"status": "ok"/);
});

Deno.test("/fork goes on in a copy of the session, and refuses where that is not offered", async () => {
  await using program = await openRemote(url);
  const { app, server } = program;
  await app.startError;
  await app.submit("hello");
  await app.submit("/fork");
  assert.equal(app.state.sessions.length, 2);
  assert.equal(app.state.active.state.sessionId, "ses_2");
  assert.match(program.text(), /goes on from ses_1/);
  assert.deepEqual(server.agent.sessions.get("ses_2")?.prompts, ["hello"]);
});
