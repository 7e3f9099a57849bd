/**
 * A tmux server with the program in its only pane.
 *
 * @module
 */

import { until } from "../../support/run_main.ts";
import { PROGRAM } from "./harness.ts";

/** Without tmux there is nothing to test in it. */
export const hasTmux = await new Deno.Command("sh", {
  args: ["-c", "command -v tmux"],
  stdout: "null",
})
  .output().then(({ success }) => success);

/** A tmux server of its own, with the program in its only pane. */
export class Tmux implements AsyncDisposable {
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

/** The scripted program. */
export const FAKE = [Deno.execPath(), "run", "-A", "--no-check", PROGRAM];

/** Starts a server with the scripted program. */
export async function startTmux(): Promise<Tmux> {
  const tmux = new Tmux();
  await tmux.start(FAKE, Deno.cwd(), {});
  await tmux.seen(/idle/);
  return tmux;
}
