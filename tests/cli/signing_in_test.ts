/**
 * Signing in to an agent, with the real program.
 *
 * @module
 */

import assert from "node:assert/strict";
import { inTerminal } from "../support/in_terminal.ts";
import { isAlive, openSandbox, runMain, until } from "../support/run_main.ts";
import {
  END_TURN,
  say,
  type ScriptedAgent,
  scriptedAgent,
  type Step,
} from "../support/scripted_agent.ts";

const REQUIRED: Step = { fail: { code: -32000, message: "Authentication required" } };

const initialize = (authMethods: readonly unknown[]): Step[] => [
  { expect: "initialize" },
  { respond: { protocolVersion: 1, agentCapabilities: {}, authMethods } },
  { expect: "session/new" },
];

const words = ({ spec }: ScriptedAgent) => [spec.command, ...spec.args].map((word) => `'${word}'`);

Deno.test("main -p never asks to sign in: it names the ways and exits with 6", async () => {
  const methods = [{ id: "login", name: "Sign\u001b[31m in" }, { id: "key", name: "API key" }];
  const scripts: readonly (readonly Step[])[] = [
    [...initialize(methods), REQUIRED],
    [
      ...initialize(methods),
      { respond: { sessionId: "s1" } },
      { expect: "session/prompt" },
      REQUIRED,
    ],
  ];
  for (const script of scripts) {
    await using agent = await scriptedAgent(script);
    await using sandbox = await openSandbox();
    const run = await runMain(sandbox, ["--agent", words(agent).join(" "), "-p", "hello"]);
    assert.equal(run.status, 6, run.stderr);
    assert.equal(run.stdout, "");
    assert.match(run.stderr, /Authentication required/);
    assert.match(run.stderr, /The agent offers: login \(Sign in\), key \(API key\)/);
    const methodsCalled = (await agent.received()).map(({ method }) => method);
    assert.equal(methodsCalled.includes("authenticate"), false);
  }
});

Deno.test("an agent's own sign-in program gets the terminal and gives it back", async () => {
  await using agent = await scriptedAgent([
    ...initialize([{ id: "tui", type: "terminal", name: "Log in", args: ["--login"] }]),
    REQUIRED,
    { expect: "session/new" },
    { respond: { sessionId: "s1" } },
    { expect: "session/prompt" },
    say("welcome"),
    END_TURN,
  ]);
  // In the first run the person gives up with Ctrl-C, which must not end mm-repl.
  const script = `if [ "$1" = --login ]; then
  printf 'Your code: '
  read -r code || exit 1
  printf '%s' "$code" > code.txt
  exit 0
fi
exec ${words(agent).join(" ")}
`;
  await using sandbox = await openSandbox({ "agent.sh": script });
  const args = ["--agent", `sh '${sandbox.project}/agent.sh'`, "--no-tools"];
  await inTerminal(sandbox, args, async ({ pty, screen, answer }) => {
    await answer(/How do you want to sign in[^]*1\) Log in/, "1");
    await screen.waitFor(/Your code: $/m);
    await pty.write("\x03");
    await screen.waitFor(/ended with status/);
    await pty.write("/login tui\r");
    await screen.waitFor((seen) => seen.all().split("Your code: ").length === 3);
    await pty.write("4711\n");
    await screen.waitFor(/Signed in/);
    await pty.write("hello\r");
    await screen.waitFor(/welcome/);
    assert.equal(await Deno.readTextFile(`${sandbox.project}/code.txt`), "4711");
    await pty.write("/exit\r");
    assert.equal(await pty.exited, 0);
    assert.match(await pty.ttyModes(), / icanon/);
  });
});

Deno.test("a sign-in program that still runs when mm-repl is ended goes with it", async () => {
  await using agent = await scriptedAgent([
    ...initialize([{ id: "tui", type: "terminal", name: "Log in", args: ["--login"] }]),
    REQUIRED,
  ]);
  const script =
    `if [ "$1" = --login ]; then echo $$ > pid.txt; echo 'the login runs'; exec sleep 600; fi
exec ${words(agent).join(" ")}
`;
  await using sandbox = await openSandbox({ "agent.sh": script });
  const args = ["--agent", `sh '${sandbox.project}/agent.sh'`, "--no-tools"];
  await inTerminal(sandbox, args, async ({ pty, screen, answer }) => {
    await answer(/How do you want to sign in[^]*1\) Log in/, "1");
    await screen.waitFor(/the login runs/);
    pty.signal("SIGTERM");
    assert.equal(await pty.exited, 143);
    const pid = Number(await Deno.readTextFile(`${sandbox.project}/pid.txt`));
    await until(async () => !await isAlive(pid), "the program is gone");
  });
});

Deno.test("Ctrl-C in the choice of a way to sign in keeps the prompt, which is sent once after /login", async () => {
  await using agent = await scriptedAgent([
    ...initialize([{ id: "login", name: "Sign\u001b[31m in" }, { id: "key", name: "API key" }]),
    REQUIRED,
    { expect: "authenticate" },
    { respond: {} },
    { expect: "session/new" },
    { respond: { sessionId: "s1" } },
    { expect: "session/prompt" },
    say("welcome"),
    END_TURN,
  ]);
  await using sandbox = await openSandbox();
  const args = ["--agent", words(agent).join(" "), "--no-tools"];
  await inTerminal(sandbox, args, async ({ pty, screen, answer }) => {
    await pty.write("hello\r");
    await answer(/How do you want to sign in[^]*1\) Sign␛\[31m in\n[^]*2\) API key/, "\x03");
    await screen.waitFor(/login \(Sign in\), key \(API key\)/);
    assert.match(screen.all(), /hello/);
    await pty.write("/login key\r");
    await screen.waitFor(/welcome/);
    await pty.write("/exit\r");
    assert.equal(await pty.exited, 0);
  });
  const received = await agent.received();
  const paramsOf = (name: string) =>
    received.filter(({ method }) => method === name).map(({ params }) => params);
  assert.deepEqual(paramsOf("authenticate"), [{ methodId: "key" }]);
  assert.equal(paramsOf("session/prompt").length, 1);
});
