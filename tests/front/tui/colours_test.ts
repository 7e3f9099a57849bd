/**
 * Colours: whether there are any, and for which background.
 *
 * @module
 */

import assert from "node:assert/strict";
import { inTerminal } from "../../support/in_terminal.ts";
import { openSandbox } from "../../support/run_main.ts";
import { bytes, later, type TuiSession, type TuiSessionOptions, withTui } from "./harness.ts";

const LIGHT = "\x1b]11;rgb:ffff/ffff/ffff\x07";
// deno-lint-ignore no-control-regex
const ATTRIBUTES = /\x1b\[[0-9;]*m/;

/** How the prompt of the editor is written on a dark and on a light background. */
const DARK_PROMPT = "\x1b[1;36m› ";
const LIGHT_PROMPT = "\x1b[1;34m› ";

/** What a short session writes. */
async function written(
  options: TuiSessionOptions,
  type: (session: TuiSession) => Promise<void> = () => Promise.resolve(),
): Promise<string> {
  let output = "";
  await withTui(async (session) => {
    await type(session);
    await session.enter("hello");
    await session.screen.waitFor("you said: hello");
    await session.pty.write("\x04");
    await session.pty.exited;
    output = bytes(session.pty);
  }, options);
  return output;
}

for (
  const [what, options, coloured] of [
    ["an empty NO_COLOR", { env: { NO_COLOR: "" } }, true],
    ["NO_COLOR", { env: { NO_COLOR: "1" } }, false],
    ["NO_COLOR and FORCE_COLOR", { env: { NO_COLOR: "1", FORCE_COLOR: "1" } }, false],
    ["FORCE_COLOR=0", { env: { FORCE_COLOR: "0" } }, false],
    ["FORCE_COLOR on a terminal without colours", {
      env: { TERM: "vt220", FORCE_COLOR: "1", COLORTERM: undefined },
    }, true],
    ["a terminal without colours", { env: { TERM: "vt220", COLORTERM: undefined } }, false],
    ["COLORTERM on a terminal without colours", {
      env: { TERM: "vt220", COLORTERM: "truecolor" },
    }, true],
    ["NO_COLOR, but a setting that wants them", {
      env: { NO_COLOR: "1" },
      settings: { color: "always" },
    }, true],
    ["a setting that wants none", { settings: { color: "never" } }, false],
  ] as const
) {
  Deno.test(`with ${what} there are ${coloured ? "" : "no "}colours`, async () => {
    const output = await written(options);
    assert.equal(ATTRIBUTES.test(output), coloured);
    assert.ok(output.includes("\x1b[?2004h"), "keys are read as ever");
  });
}

Deno.test("colours go by the background that the terminal reports", async () => {
  assert.ok((await written({})).includes(DARK_PROMPT));
  const light = await written({}, async ({ pty, screen }) => {
    await pty.write(`${LIGHT}x`);
    await screen.waitFor("› x");
    await pty.write("\x7f");
  });
  assert.ok(light.includes(LIGHT_PROMPT));
  assert.ok((await written({ env: { COLORFGBG: "0;15" } })).includes(LIGHT_PROMPT));
});

Deno.test("a chosen background holds, whatever the terminal reports, until it is asked again", async () => {
  const output = await written({}, async ({ pty, screen, enter }) => {
    await enter("theme light");
    await screen.waitFor("ended the turn without an answer");
    await pty.write("\x1b]11;rgb:0000/0000/0000\x07");
    await later(50);
  });
  assert.ok(output.lastIndexOf(LIGHT_PROMPT) > output.lastIndexOf(DARK_PROMPT));
});

Deno.test("what the terminal reports of its background does not get into the text", async () => {
  await withTui(async ({ pty, screen, told }) => {
    await pty.write("a");
    await pty.write(LIGHT.slice(0, 9));
    await later(20);
    await pty.write(`${LIGHT.slice(9)}b\r`);
    await screen.waitFor("you said: ab");
    await pty.write("\x04");
    assert.deepEqual((await told()).submitted, ["ab"]);
  });
});

for (const [args, env] of [[[], { NO_COLOR: "1" }], [["--plain"], {}]] as const) {
  const where = args.length > 0 ? "in plain mode" : "with NO_COLOR";
  Deno.test(`/theme does not claim to change anything ${where}`, async () => {
    await using sandbox = await openSandbox();
    await inTerminal(sandbox, ["--agent", "demo", "--no-tools", ...args], async (terminal) => {
      await terminal.screen.waitFor(/idle|^> $/m);
      await terminal.pty.write("/theme light\r");
      await terminal.screen.waitFor(/arning: There are no colours here that a theme could change/);
      assert.doesNotMatch(terminal.screen.text(), /From now on/);
    }, env);
  });
}
