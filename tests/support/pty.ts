/**
 * A program in a real pseudo-terminal, made by util-linux `script`.
 *
 * @module
 */

import { setWindowSize } from "./window_size.ts";
import { Listeners, type Unsubscribe } from "../../src/base/listeners.ts";

/** What to run, and the terminal around it. */
export interface PtyOptions {
  readonly command: string;
  readonly args?: readonly string[];
  /** Default: the current directory. */
  readonly cwd?: string;
  /** Added to the current environment; `undefined` takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Default 80. */
  readonly columns?: number;
  /** Default 24. */
  readonly rows?: number;
}

/** A running program and its terminal. Close it with {@link Pty.kill}. */
export interface Pty {
  /** Process id of the program itself (not of `script`). */
  readonly pid: number;
  readonly columns: number;
  readonly rows: number;
  /** Everything that the program has written so far. */
  readonly output: Uint8Array;
  /** Types; strings go as UTF-8. Settles when the bytes were handed over. */
  write(data: string | Uint8Array): Promise<void>;
  /** Told of every chunk of output, starting with what came before. */
  onOutput(listener: (chunk: Uint8Array) => void): Unsubscribe;
  /** Changes the size of the terminal; the kernel sends SIGWINCH. */
  resize(columns: number, rows: number): Promise<void>;
  /** Sends a signal to the program. */
  signal(name: Deno.Signal): void;
  /** Settles with the exit status (128 + signal) when the program has ended and was read out. */
  readonly exited: Promise<number>;
  /** What `stty -a` said on the terminal after the program had ended, e.g. `… icanon … echo …`. */
  ttyModes(): Promise<string>;
  /** Ends whatever still runs and removes the temporary files. Idempotent. */
  kill(): Promise<void>;
}

/**
 * `$1` columns, `$2` rows, `$3` directory for what we want to know, then the command. A Ctrl-C that
 * comes when the command has ended must not end what asks for the modes then.
 */
const WRAPPER = `
stty sane cols "$1" rows "$2"
dir=$3; shift 3
tty > "$dir/tty"; echo $$ > "$dir/leader"
trap : INT HUP TERM QUIT
sh -c 'echo $$ > "$0/pid.new"; mv "$0/pid.new" "$0/pid"; exec "$@"' "$dir" "$@"
status=$?
trap '' INT HUP TERM QUIT
stty -a > "$dir/modes"
exit $status
`;

/** Starts a program in a pseudo-terminal of its own. Rejects when it does not start within 10 s. */
export async function openPty(options: PtyOptions): Promise<Pty> {
  const directory = await Deno.makeTempDir({ prefix: "mm-pty-" });
  const pty = new ScriptPty(directory, options);
  try {
    await pty.started();
    return pty;
  } catch (error) {
    await pty.kill();
    throw error;
  }
}

class ScriptPty implements Pty {
  pid = 0;
  columns: number;
  rows: number;
  readonly exited: Promise<number>;
  readonly #directory: string;
  /** The file of the terminal. */
  #device = "";
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #listeners = new Listeners<Uint8Array>();
  readonly #chunks: Uint8Array[] = [];
  #running = true;
  #killed: Promise<void> | undefined;

  constructor(directory: string, options: PtyOptions) {
    this.#directory = directory;
    this.columns = options.columns ?? 80;
    this.rows = options.rows ?? 24;
    const words = [
      "sh",
      "-c",
      WRAPPER,
      "sh",
      `${this.columns}`,
      `${this.rows}`,
      directory,
      options.command,
      ...options.args ?? [],
    ];
    const env: Record<string, string> = {
      ...Deno.env.toObject(),
      TERM: "xterm-256color",
      COLORTERM: "truecolor",
      SHELL: "/bin/sh",
    };
    for (const name of ["NO_COLOR", "FORCE_COLOR", "TMUX", "CI"]) delete env[name];
    for (const [name, value] of Object.entries(options.env ?? {})) {
      if (value === undefined) delete env[name];
      else env[name] = value;
    }
    this.#child = new Deno.Command("script", {
      // The shell that `script` starts makes room: a Ctrl-C must not reach a shell that it ends.
      args: ["-qfec", `exec ${words.map(quote).join(" ")}`, "/dev/null"],
      cwd: options.cwd,
      env,
      clearEnv: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.exited = this.#read();
  }

  get output(): Uint8Array {
    return concat(this.#chunks);
  }

  async started(): Promise<void> {
    const pid = await waitForFile(`${this.#directory}/pid`, 10_000);
    this.pid = Number(pid);
    this.#device = (await Deno.readTextFile(`${this.#directory}/tty`)).trim();
  }

  async write(data: string | Uint8Array): Promise<void> {
    await this.#writer.write(typeof data === "string" ? new TextEncoder().encode(data) : data);
  }

  onOutput(listener: (chunk: Uint8Array) => void): Unsubscribe {
    for (const chunk of this.#chunks) listener(chunk);
    return this.#listeners.add(listener);
  }

  async resize(columns: number, rows: number): Promise<void> {
    this.columns = columns;
    this.rows = rows;
    await setWindowSize(this.#device, columns, rows);
  }

  signal(name: Deno.Signal): void {
    Deno.kill(this.pid, name);
  }

  async ttyModes(): Promise<string> {
    await this.exited;
    return await Deno.readTextFile(`${this.#directory}/modes`);
  }

  kill(): Promise<void> {
    this.#killed ??= this.#end();
    return this.#killed;
  }

  async #read(): Promise<number> {
    for await (const chunk of this.#child.stdout) {
      this.#chunks.push(chunk);
      this.#listeners.emit(chunk);
    }
    const { code } = await this.#child.status;
    this.#running = false;
    return code;
  }

  async #end(): Promise<void> {
    if (this.#running) {
      const leader = await Deno.readTextFile(`${this.#directory}/leader`).catch(() => "");
      for (const pid of [this.pid, -Number(leader)]) {
        try {
          if (pid !== 0) Deno.kill(pid, "SIGKILL");
        } catch {
          // It has ended by itself.
        }
      }
      if (leader === "") this.#child.kill("SIGKILL");
    }
    await this.exited;
    await this.#writer.close().catch(() => {});
    await Deno.remove(this.#directory, { recursive: true });
  }
}

async function waitForFile(path: string, ms: number): Promise<string> {
  const end = Date.now() + ms;
  for (;;) {
    try {
      return await Deno.readTextFile(path);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound) || Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

function concat(chunks: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
