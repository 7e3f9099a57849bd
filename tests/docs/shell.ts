/**
 * A place where the commands of a document are run: a home and a project of its own, with `mm-repl`
 * on the PATH.
 *
 * @module
 */

import { dirname } from "node:path";
import { agentCommand, MAIN_COMMAND, openSandbox, type Sandbox } from "../support/run_main.ts";

/** How long one block may take, in milliseconds. */
const BLOCK_MS = 60_000;

/** Where `mm-repl` is run from in the documents. */
const HOME = "/home/you";

/** What a block did. */
export interface BlockResult {
  readonly status: number;
  /** Stdout and stderr as they came, with the project's directory as the documents name it. */
  readonly output: string;
}

/** A shell in a sandbox. */
export class DocumentShell implements AsyncDisposable {
  readonly sandbox: Sandbox;
  /** Where blocks are run, absolute: below the home directory, as the documents show it. */
  readonly project: string;
  readonly #bin: string;

  private constructor(sandbox: Sandbox, bin: string) {
    this.sandbox = sandbox;
    this.project = `${sandbox.home}/project`;
    this.#bin = bin;
  }

  /** Opens a shell whose `mm` is the embedded agent as a process of its own. */
  static async open(): Promise<DocumentShell> {
    const sandbox = await openSandbox();
    const shell = new DocumentShell(sandbox, `${dirname(sandbox.home)}/bin`);
    await Deno.mkdir(shell.#bin);
    await Deno.mkdir(shell.project);
    await shell.addProgram("mm-repl", `exec ${MAIN_COMMAND.map(quote).join(" ")} "$@"`);
    await shell.addProgram("mm", `exec ${agentCommand("--discovery", "request")}`);
    return shell;
  }

  /** Puts a shell script on the PATH, in place of the one of that name. */
  async addProgram(name: string, script: string): Promise<void> {
    await Deno.writeTextFile(`${this.#bin}/${name}`, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }

  /** Writes a file of the project, or with `~/` one of the home directory. */
  async write(path: string, text: string): Promise<void> {
    const file = path.startsWith("~/")
      ? `${this.sandbox.home}${path.slice(1)}`
      : `${this.project}/${path}`;
    await Deno.mkdir(dirname(file), { recursive: true });
    await Deno.writeTextFile(file, text);
  }

  /** Environment of everything that is run here. */
  get env(): Record<string, string> {
    const { env } = this.sandbox;
    return { ...env, PATH: `${this.#bin}:${env.PATH}`, NO_COLOR: "1" };
  }

  /** Runs a block in the project's directory. */
  async run(script: string): Promise<BlockResult> {
    const child = new Deno.Command("sh", {
      args: ["-c", `exec 2>&1\n${script}`],
      cwd: this.project,
      clearEnv: true,
      env: this.env,
      stdin: "null",
      stdout: "piped",
      signal: AbortSignal.timeout(BLOCK_MS),
    }).spawn();
    const { code, stdout } = await child.output();
    return { status: code, output: this.named(new TextDecoder().decode(stdout)) };
  }

  /** Text with the directories of the sandbox as the documents name them. */
  named(text: string): string {
    return text.replaceAll(this.sandbox.home, HOME);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sandbox[Symbol.asyncDispose]();
  }
}

function quote(word: string): string {
  return `'${word}'`;
}
