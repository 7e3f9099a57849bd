/**
 * The program in tmux: resized while it streams, detached and attached again.
 *
 * @module
 */

import assert from "node:assert/strict";
import { openPty } from "../../support/pty.ts";
import { MAIN_COMMAND, openSandbox, until } from "../../support/run_main.ts";
import { openScreen } from "../../support/screen.ts";
import { count, later } from "./harness.ts";
import { FAKE, hasTmux, startTmux, Tmux } from "./tmux.ts";

Deno.test({
  name: "resizing in tmux while an answer streams prints nothing twice and loses nothing",
  ignore: !hasTmux,
  async fn() {
    await using tmux = new Tmux();
    await tmux.start(FAKE, Deno.cwd(), {});
    await tmux.seen(/idle/);
    await tmux.type("bursts 300");
    await tmux.run(["send-keys", "-t", "s", "-l", "a draft of two lines in a narrow window"]);
    // In the pauses: what is on its way to tmux while it changes its size is made for another one.
    const sizes = [[[40, 10]], [[120, 40]], [[30, 8], [100, 30]], [[60, 12]]] as const;
    for (const [index, burst] of sizes.entries()) {
      const line = 60 * (index + 1);
      await until(async () => (await tmux.all()).includes(`line ${line} of`), `line ${line}`);
      await later(100);
      for (const [columns, rows] of burst) await tmux.resize(columns, rows);
    }
    await until(async () => (await tmux.all()).includes("line 300 of"), "the last line");
    await tmux.seen(/idle/);
    await tmux.seen(/› a draft of two lines in a narrow window/);
    const all = await tmux.all();
    for (let i = 1; i <= 300; i++) assert.equal(count(all, `line ${i} of`), 1, `line ${i}`);
    assert.equal(count(all, "idle"), 1, all.slice(-2_000));
    assert.equal(count(all, "working"), 0);
  },
});

Deno.test({
  name: "in tmux a region at the top of the window does not go into the scrollback when redrawn",
  ignore: !hasTmux,
  async fn() {
    await using tmux = await startTmux();
    await tmux.type("lines 3");
    await tmux.seen(/line 3 of[^]*idle/);
    await tmux.run(["send-keys", "-t", "s", "-l", "a draft"]);
    await tmux.seen(/› a draft/);
    await tmux.resize(12, 24);
    await tmux.seen(/^idle$/m);
    await tmux.resize(12, 5);
    await tmux.seen(/^idle$/m);
    const all = await tmux.all();
    assert.equal(count(all, "idle"), 1, all);
    assert.equal(count(all, "a draft"), 1, all);
  },
});

Deno.test({
  name: "a detached program goes on, and is as it was where it is attached, another size or not",
  ignore: !hasTmux,
  async fn() {
    await using tmux = new Tmux();
    await tmux.start(FAKE, Deno.cwd(), {});
    await tmux.seen(/idle/);
    const attach = async (columns: number, rows: number) => {
      const pty = await openPty({ command: "tmux", args: tmux.attach, columns, rows });
      return { pty, screen: openScreen(pty) };
    };
    const first = await attach(90, 20);
    try {
      await first.screen.waitFor("idle");
      await first.pty.write("lines 600\rdraft");
      await first.screen.waitFor(/line \d+ of/);
      await tmux.run(["detach-client", "-s", "s"]);
      await first.pty.exited;
    } finally {
      await first.pty.kill();
    }
    await until(async () => (await tmux.all()).includes("line 600 of"), "the end of the answer");
    const second = await attach(60, 15);
    try {
      await second.screen.waitFor((s) => s.text().includes("idle") && s.text().includes("› draft"));
      await second.pty.write(" and more\r");
      await second.screen.waitFor("you said: draft and more");
    } finally {
      await second.pty.kill();
    }
    const all = await tmux.all();
    for (let i = 1; i <= 600; i++) assert.equal(count(all, `line ${i} of`), 1, `line ${i}`);
  },
});

Deno.test({
  name: "/copy in tmux fills tmux's buffer",
  ignore: !hasTmux,
  async fn() {
    await using sandbox = await openSandbox();
    await using tmux = new Tmux();
    const { env } = sandbox;
    await tmux.start([...MAIN_COMMAND, "--agent", "demo", "--no-tools"], sandbox.project, env);
    await tmux.seen(/idle/);
    await tmux.type("echo to be copied");
    await tmux.seen(/^to be copied$/m);
    await tmux.seen(/idle/);
    await tmux.type("/copy");
    await tmux.seen(/12 characters copied/);
    assert.equal(await tmux.run(["show-buffer"]), "to be copied");
  },
});
