/**
 * The program in tmux: resized while it streams, detached and attached again.
 *
 * @module
 */

import assert from "node:assert/strict";
import { openPty } from "../../support/pty.ts";
import { MAIN_COMMAND, openSandbox, until } from "../../support/run_main.ts";
import { openScreen } from "../../support/screen.ts";
import { count, later, PROGRAM } from "./harness.ts";

const hasTmux = await new Deno.Command("sh", { args: ["-c", "command -v tmux"], stdout: "null" })
  .output().then(({ success }) => success);

/** A tmux server of its own, with the program in its only pane. */
class Tmux implements AsyncDisposable {
  readonly #socket = `mm-repl-test-${crypto.randomUUID()}`;

  async start(command: readonly string[], cwd: string, env: Readonly<Record<string, string>>) {
    const words = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
    const size = ["-x", "80", "-y", "24"];
    await this.run(
      ["-f", "/dev/null", "new-session", "-d", "-s", "s", ...size, "-c", cwd, words],
      env,
    );
  }

  async run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
    const { success, stdout, stderr } = await new Deno.Command("tmux", {
      args: ["-L", this.#socket, ...args],
      env: { ...env, TERM: "xterm-256color" },
    }).output();
    const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    if (!success) throw new Error(`tmux ${args.join(" ")}: ${decode(stderr)}`);
    return decode(stdout);
  }

  /** The words of a tmux client that attaches to the session. */
  get attach(): readonly string[] {
    return ["-L", this.#socket, "attach", "-t", "s"];
  }

  /** What the pane shows. */
  screen(): Promise<string> {
    return this.run(["capture-pane", "-p", "-t", "s"]);
  }

  /** Everything that the pane has shown, with the lines that tmux has wrapped joined. */
  all(): Promise<string> {
    return this.run(["capture-pane", "-p", "-J", "-S", "-", "-t", "s"]);
  }

  async type(text: string): Promise<void> {
    await this.run(["send-keys", "-t", "s", "-l", text]);
    await this.run(["send-keys", "-t", "s", "Enter"]);
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.run(["resize-window", "-t", "s", "-x", `${columns}`, "-y", `${rows}`]);
  }

  async seen(expected: RegExp): Promise<void> {
    await until(async () => expected.test(await this.screen()), `${expected} in tmux`);
  }

  async [Symbol.asyncDispose]() {
    await this.run(["kill-server"]).catch(() => {});
  }
}

const FAKE = [Deno.execPath(), "run", "-A", "--no-check", PROGRAM];

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
