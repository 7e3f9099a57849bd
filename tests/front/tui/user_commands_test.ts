/**
 * Commands of the person, and what goes with the next prompt, with the real program.
 *
 * @module
 */

import assert from "node:assert/strict";
import { inTerminal } from "../../support/in_terminal.ts";
import { openSandbox } from "../../support/run_main.ts";

const DEMO = ["--agent", "demo", "--no-tools"];
/** One pixel. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

Deno.test("!command shows its output as it comes, and goes with the next prompt", async () => {
  await using sandbox = await openSandbox({ "a.txt": "" });
  await inTerminal(sandbox, DEMO, async ({ pty, screen }) => {
    await screen.waitFor("idle");
    await pty.write("!ls; echo begun; until test -e go; do sleep 0.05; done; echo over\r");
    await screen.waitFor(/! ls; .* · running[^]*^ {2}a\.txt\n {2}begun$/m);
    await screen.waitFor(/attached: !ls; .* \(running\)/);
    await Deno.writeTextFile(`${sandbox.project}/go`, "");
    await screen.waitFor(/! ls; .* · done[^]*^ {2}over$/m);
    await pty.write("look at this\r");
    await screen.waitFor(/› look at this\n {2}\[output of !ls; /);
    await screen.waitFor(/You said “look at this I ran `?ls;/);
    assert.doesNotMatch(screen.text(), /attached:/);
    assert.equal(screen.all().match(/^ {2}begun$/gm)?.length, 1);
  });
});

Deno.test("!!command only shows, and what is attached can be left out", async () => {
  await using sandbox = await openSandbox();
  await inTerminal(sandbox, DEMO, async ({ pty, screen }) => {
    await screen.waitFor("idle");
    await pty.write("!!echo only $((1 + 1)) shown\r");
    await screen.waitFor(/^ {2}only 2 shown$/m);
    assert.doesNotMatch(screen.text(), /attached:/);
    await pty.write("!echo one\r");
    await screen.waitFor("attached: !echo one (1 line)");
    await pty.write(`!echo ${"two ".repeat(40)}\r`);
    await screen.waitFor(/attached: !echo two .*… \(1 line\) \(Alt-V leaves it out\)$/m);
    await pty.write("\x1bv");
    await screen.waitFor((s) => !s.text().includes("attached: !echo two"));
    await pty.write("\x1bv");
    await screen.waitFor((s) => !s.text().includes("attached:"));
    await pty.write("\x1bv");
    await screen.waitFor("nothing is attached");
  });
});

Deno.test("Ctrl-C stops a command of the person, and leaves the program and the draft", async () => {
  await using sandbox = await openSandbox();
  await inTerminal(sandbox, DEMO, async ({ pty, screen }) => {
    await screen.waitFor("idle");
    await pty.write("!!sleep 300\r");
    await screen.waitFor(/! sleep 300 · running/);
    await pty.write("draft");
    await screen.waitFor("› draft");
    await pty.write("\x03");
    await screen.waitFor(/! sleep 300 · ended by SIGTERM/);
    await screen.waitFor("› draft");
  });
});

Deno.test("a command that has failed is not called done, and one that was stopped is not attached", async () => {
  await using sandbox = await openSandbox();
  await inTerminal(sandbox, DEMO, async ({ pty, screen }) => {
    await screen.waitFor("idle");
    await pty.write("!echo out; exit 3\r");
    await screen.waitFor(/^! echo out; exit 3 · exit status 3$/m);
    await screen.waitFor("attached: !echo out; exit 3 (1 line)");
    await pty.write("!sleep 300\r");
    await screen.waitFor("attached: !sleep 300 (running)");
    await pty.write("\x03");
    await screen.waitFor(/! sleep 300 · ended by SIGTERM/);
    await screen.waitFor((now) => !now.text().includes("attached: !sleep"));
    assert.match(screen.text(), /attached: !echo out/);
  });
});

Deno.test("Ctrl-V lets the picture on the clipboard go with the prompt, where a tool can read it", async () => {
  const tool = "#!/bin/sh\ncase \"$*\" in *image/png*) base64 -d <<'E'\n" + `${PNG}\nE\n;; esac\n`;
  await using sandbox = await openSandbox({ "bin/xclip": tool, "bin/wl-paste": "#!/bin/sh\n" });
  for (const name of ["xclip", "wl-paste"]) {
    await Deno.chmod(`${sandbox.project}/bin/${name}`, 0o755);
  }
  const PATH = `${sandbox.project}/bin:${sandbox.env.PATH}`;
  await inTerminal(sandbox, DEMO, async ({ pty, screen }) => {
    await screen.waitFor("idle");
    await pty.write("\x16");
    await screen.waitFor("attached: picture (image/png, 1 kB)");
    await pty.write("what is this?\r");
    await screen.waitFor(/› what is this\?\n {2}\[image image\/png, \d+ bytes\]/);
    await screen.waitFor(/It came with/);
  }, { PATH, DISPLAY: ":0", WAYLAND_DISPLAY: undefined });
  await inTerminal(sandbox, DEMO, async ({ pty, screen }) => {
    await screen.waitFor("idle");
    await pty.write("\x16");
    await screen.waitFor("there is no picture on the clipboard");
  }, { PATH, DISPLAY: undefined, WAYLAND_DISPLAY: "wayland-0" });
  await inTerminal(sandbox, DEMO, async ({ pty, screen }) => {
    await screen.waitFor("idle");
    await pty.write("\x16");
    await screen.waitFor("the clipboard cannot be read");
  }, { DISPLAY: undefined, WAYLAND_DISPLAY: undefined });
});

Deno.test("a picture that a prompt mentions goes along as one", async () => {
  await using sandbox = await openSandbox();
  await Deno.writeFile(`${sandbox.project}/my dot.png`, Uint8Array.fromBase64(PNG));
  await inTerminal(sandbox, DEMO, async ({ pty, screen }) => {
    await screen.waitFor("idle");
    await pty.write('see @"my dot.png"\r');
    await screen.waitFor(/› see @"my dot\.png"\n {2}\[image .*my dot\.png image\/png, \d+ bytes\]/);
  });
});
