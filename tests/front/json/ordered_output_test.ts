import assert from "node:assert/strict";
import { runInShell } from "../../support/run_in_shell.ts";
import { openSandbox } from "../../support/run_main.ts";
import {
  askPermission,
  commandLine,
  END_TURN,
  HANDSHAKE,
  PROMPT,
  say,
  scriptedAgent,
  type Step,
  update,
} from "../../support/scripted_agent.ts";
import { runTurn, stop } from "./runs.ts";

const call: Step = {
  send: update({ sessionUpdate: "tool_call", toolCallId: "c", title: "Look" }),
};
const called: Step = {
  send: update({ sessionUpdate: "tool_call_update", toolCallId: "c", status: "completed" }),
};

/** What stdout and stderr come to when both are one pipe. */
async function runTogether(steps: readonly Step[], ...args: readonly string[]) {
  await using agent = await scriptedAgent([...HANDSHAKE, PROMPT, ...steps]);
  await using sandbox = await openSandbox();
  const { stdout } = await runInShell(
    sandbox,
    ["--agent", commandLine(agent), "-p", "go", ...args],
    { script: '"$@" 2>&1' },
  );
  return stdout.replaceAll(/\d+\.\d s/g, "0 s");
}

Deno.test("-p 2>&1 puts no line of stderr within one of the answer, and leaves the answer as it is", async () => {
  const steps = [call, say("Then I lea"), called, say("ve it.\nMo"), say("re"), END_TURN];
  assert.equal(
    await runTogether(steps),
    "Tool: Look: started\nThen I leave it.\nTool: Look: done after 0 s\nMore\n",
  );
  assert.equal((await runTurn(steps)).stdout, "Then I leave it.\nMore\n");
});

Deno.test("-p 2>&1 says what happens between two messages there", async () => {
  const steps = [say("One"), call, called, say("Two"), END_TURN];
  assert.equal(
    await runTogether(steps),
    "One\nTool: Look: started\nTool: Look: done after 0 s\n\nTwo\n",
  );
  assert.equal((await runTurn(steps)).stdout, "One\n\nTwo\n");
});

Deno.test("-p 2>&1 says at the end what had to wait for it", async () => {
  assert.equal(
    await runTogether([call, say("One"), called, END_TURN]),
    "Tool: Look: started\nOne\nTool: Look: done after 0 s\n",
  );
  assert.equal(
    await runTogether([say("One"), stop("max_tokens")], "--quiet"),
    "One\nError: The turn ended at the token limit (max_tokens)\n",
  );
});

Deno.test("-p --quiet says why the status is not 0, in one line", async () => {
  const ends: readonly (readonly [readonly Step[], number, RegExp])[] = [
    [[askPermission(1, "c"), { expectAnswer: 1 }, END_TURN], 4, /Refused "c".*--permissions allow/],
    [[stop("max_tokens")], 7, /token limit/],
    [[stop("max_turn_requests")], 8, /model requests/],
    [[stop("cancelled")], 9, /cancelled/],
    [[stop("brand_new")], 10, /brand_new/],
    [[{ die: "SIGKILL" }], 1, /SIGKILL/],
  ];
  for (const [steps, expected, reason] of ends) {
    const { status, stdout, stderr } = await runTurn([say("partial"), ...steps], ["--quiet"]);
    assert.deepEqual([status, stdout], [expected, "partial\n"], stderr);
    assert.match(stderr, reason);
    assert.match(stderr, /^Error: .*\n(?: {2}.*\n)*$/);
  }
});
