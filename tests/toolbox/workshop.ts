/**
 * A project with tool files in a temporary directory, for tests.
 *
 * @module
 */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ToolResult } from "../../src/model/tool_manifest.ts";
import { openToolbox } from "../../src/toolbox/open_toolbox.ts";
import type { HostStarter } from "../../src/toolbox/host_command.ts";
import type { Toolbox, ToolboxOptions, ToolDirectory } from "../../src/toolbox/toolbox.ts";

/** Enough for a busy machine; nothing waits this long when all is well. */
const PATIENCE_MS = 20_000;

/** What a call may be given. */
export interface CallExtras {
  readonly signal?: AbortSignal;
  readonly sessionId?: string;
  readonly logs?: string[];
}

/** Directories of one test; removed, with all that was opened in them, when it is disposed of. */
export class Workshop implements AsyncDisposable {
  readonly home: string = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "mm workshop é " }));
  readonly cwd: string = join(this.home, "project");
  readonly tools: string = join(this.cwd, "tools");
  readonly #open: Toolbox[] = [];

  constructor(files: { readonly [name: string]: string } = {}) {
    Deno.mkdirSync(this.tools, { recursive: true });
    for (const [name, text] of Object.entries(files)) this.write(name, text);
  }

  /** Writes a file below the tools directory (or elsewhere below the project, with `../`). */
  write(name: string, text: string): void {
    const path = join(this.tools, name);
    Deno.mkdirSync(dirname(path), { recursive: true });
    Deno.writeTextFileSync(path, text);
  }

  get directory(): ToolDirectory {
    return { path: this.tools, origin: "project" };
  }

  options(options: Partial<ToolboxOptions> = {}): ToolboxOptions {
    return {
      cwd: this.cwd,
      directories: [this.directory],
      cacheDir: join(this.home, "cache"),
      trustFile: join(this.home, "trust.json"),
      ...options,
      limits: { describeMs: PATIENCE_MS, ...options.limits },
    };
  }

  /** Opens the tools; trusted without asking unless `askTrust` or `trustAll` is given. */
  async open(options: Partial<ToolboxOptions> = {}): Promise<Toolbox> {
    const trusts = "askTrust" in options || "trustAll" in options;
    const toolbox = await openToolbox(
      this.options({ ...(trusts ? {} : { trustAll: true }), ...options }),
    );
    this.#open.push(toolbox);
    return toolbox;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const toolbox of this.#open) await toolbox.close();
    await Deno.remove(this.home, { recursive: true });
  }
}

/** Calls a tool by its own name. */
export function call(
  toolbox: Toolbox,
  name: string,
  args: unknown = {},
  { signal = new AbortController().signal, sessionId = "s1", logs = [] }: CallExtras = {},
): Promise<ToolResult> {
  const tool = toolbox.tools.find((known) => known.name === name);
  assert.ok(tool, `there is no tool ${name}`);
  return toolbox.call({
    method: tool.description.method,
    params: args,
    sessionId,
    signal,
    onLog: ({ kind, text }) => logs.push(`${kind}: ${text}`),
  });
}

/** The text of a result, with `failed: ` before that of a failed one. */
export function textOf({ content, isError = false }: ToolResult): string {
  const text = content.map((block) => block.type === "text" ? block.text : `<${block.type}>`);
  return `${isError ? "failed: " : ""}${text.join("")}`;
}

/** Waits, with a bound, until something holds. */
export async function until(
  holds: () => boolean,
  what: string,
  boundMs = PATIENCE_MS,
): Promise<void> {
  const deadline = Date.now() + boundMs;
  while (!holds()) {
    assert.ok(Date.now() < deadline, `not in time: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A host with the inner ring alone, as in a compiled binary: the process itself may do anything. */
export const startInnerRing: HostStarter = ({ cwd }) => ({
  command: Deno.execPath(),
  args: [
    "run",
    "--quiet",
    "-A",
    "--no-lock",
    "--config",
    fileURLToPath(new URL("../../deno.json", import.meta.url)),
    fileURLToPath(new URL("../../src/toolbox/host/main.ts", import.meta.url)),
  ],
  cwd,
  clearEnv: true,
  env: { PATH: Deno.env.get("PATH") ?? "", HOME: Deno.env.get("HOME") ?? "", SECRET: "swordfish" },
});

/** A plain tool with the given body. */
export function tool(body: string, extras = ""): string {
  return `export const description = "A tool for a test.";
${extras}
export async function handler(args: Record<string, unknown>, ctx: { cwd: string; signal: AbortSignal; log(text: string): void; progress(text: string): void; sessionId: string }) {
${body}
}
`;
}

/** True for a process that is there and no zombie. */
export function isAlive(pid: number): boolean {
  const { stdout } = new Deno.Command("ps", { args: ["-o", "stat=", "-p", String(pid)] })
    .outputSync();
  const state = new TextDecoder().decode(stdout).trim();
  return state !== "" && !state.startsWith("Z");
}
