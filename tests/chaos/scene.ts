/**
 * Where a run of chaos takes place: a home, a project with traps, and the agent's record.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import type { ReportLine } from "../support/chaos/wire.ts";
import { MARK_VARIABLE } from "../support/marked_processes.ts";
import { openSandbox, type Sandbox } from "../support/run_main.ts";

const AGENT = fileURLToPath(new URL("../support/chaos_agent.ts", import.meta.url));

/** A place to run one seed in; everything of it is removed in the end. */
export interface Scene extends AsyncDisposable {
  readonly sandbox: Sandbox;
  /** The word that everything started here has in its environment. */
  readonly mark: string;
  /** The environment of the program, with the word. */
  readonly env: Readonly<Record<string, string>>;
  /** The agent as a command line. */
  readonly agent: string;
  /** What the agent has recorded so far. */
  report(): Promise<ReportLine[]>;
}

const TOOLS: Readonly<Record<string, string>> = {
  "tools/add.ts": `export const description = "Adds.";
export const inputSchema = {
  type: "object",
  properties: { a: { type: "number" }, b: { type: "number" } },
  required: ["a", "b"],
};
export const handler = ({ a, b }: { a: number; b: number }) => a + b;
`,
  "tools/throws.ts": `export const description = "Throws.";
export function handler() {
  throw new Error("\\x1b[2Jthrown");
}
`,
  "tools/spins.ts": `export const description = "Never ends.";
export function handler() {
  for (;;);
}
`,
};

/** Prepares the place; with `tools` the project has some. `person`: somebody answers questions. */
export async function openScene(
  seed: number,
  options: { readonly tools: boolean; readonly person: boolean },
): Promise<Scene> {
  const sandbox = await openSandbox({
    "good.txt": "one\ntwo\nthree",
    "folder/file.txt": "",
    ...(options.tools ? TOOLS : {}),
  });
  const { project, home } = sandbox;
  await Deno.mkdir(`${home}/.config/mm-repl`, { recursive: true });
  await Deno.writeTextFile(`${home}/.config/mm-repl/config.jsonc`, '{ "startTimeout": 4 }');
  await Deno.writeFile(`${project}/binary`, Uint8Array.from([0, 255, 1]));
  await Deno.writeTextFile(`${home}/outside.txt`, "outside\n");
  await Deno.symlink(`${home}/outside.txt`, `${project}/link_out`);
  await Deno.symlink(`${project}/loop`, `${project}/loop`);
  await new Deno.Command("mkfifo", { args: [`${project}/pipe`] }).output();
  const mark = crypto.randomUUID();
  const words = [Deno.execPath(), "run", "-A", "--no-check", "--no-lock", "--quiet", AGENT]
    .concat("--seed", `${seed}`, "--dir", home, "--person", options.person ? "yes" : "no");
  return {
    sandbox,
    mark,
    env: { ...sandbox.env, [MARK_VARIABLE]: mark },
    agent: words.map((word) => `'${word}'`).join(" "),
    async report() {
      const text = await Deno.readTextFile(`${home}/report.ndjson`).catch(() => "");
      const lines = text.split("\n");
      lines.pop(); // what is being written just now
      return lines.filter((line) => line !== "").map((line): ReportLine => JSON.parse(line));
    },
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}
