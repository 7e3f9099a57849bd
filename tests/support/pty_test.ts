import assert from "node:assert/strict";
import { openPty } from "./pty.ts";
import { openScreen } from "./screen.ts";
import { eventually } from "./scripted_agent.ts";

Deno.test("openPty() runs a program in a terminal of the given size and passes on keys", async () => {
  const pty = await openPty({
    command: "sh",
    args: ["-c", "stty size; read line; echo got $line; exit 7"],
    columns: 50,
    rows: 10,
  });
  try {
    const screen = openScreen(pty);
    await screen.waitFor("10 50");
    await pty.write("日本\n");
    await screen.waitFor("got 日本");
    assert.equal(await pty.exited, 7);
    assert.match(await pty.ttyModes(), /(^|\s)icanon/);
  } finally {
    await pty.kill();
  }
});

Deno.test("openPty() resizes and the program is told", async () => {
  const pty = await openPty({
    command: "sh",
    args: ["-c", "trap 'stty size' WINCH; echo ready; while :; do read line; done"],
  });
  try {
    const screen = openScreen(pty);
    await screen.waitFor("ready");
    await pty.resize(61, 13);
    screen.resize(61, 13);
    await screen.waitFor("13 61");
  } finally {
    await pty.kill();
  }
});

Deno.test("openPty() tells the modes although Ctrl-C goes on when the program has ended", async () => {
  const directory = await Deno.makeTempDir();
  const slow = `#!/bin/sh
case $1 in -a) : > "${directory}/asked"; sleep 0.5;; esac
PATH=\${PATH#*:} exec stty "$@"
`;
  await Deno.writeTextFile(`${directory}/stty`, slow, { mode: 0o755 });
  const pty = await openPty({
    command: "true",
    env: { PATH: `${directory}:${Deno.env.get("PATH")}` },
  });
  try {
    await eventually(
      "the modes are asked for",
      async () => await Deno.stat(`${directory}/asked`).then(() => true, () => false),
    );
    await pty.write("\x03");
    assert.equal(await pty.exited, 0);
    assert.match(await pty.ttyModes(), /(^|\s)icanon/);
  } finally {
    await pty.kill();
    await Deno.remove(directory, { recursive: true });
  }
});
