/**
 * `deno task coverage`: all tests, with the lines of src/ that they run, programs of their own
 * included. Ends with status 1 when too few lines are run, in all or in one file.
 *
 * @module
 */

import { ROOT, sourceFiles } from "./support/project.ts";

/** The least share of lines that must be run: of all files, and of each. */
const LEAST = 0.9;
const LEAST_OF_FILE = 0.75;

/** Files that may have less, and why. */
const IN_TOOL =
  "runs with the permissions of a tool, where nothing can be recorded; tests/toolbox has its tests";
const REASONS: Readonly<Record<string, string>> = {
  "src/api/open_transport.ts":
    "what starts a program of Windows runs under WSL alone; tests/transport has the paths",
  "src/cli/commands/tool_host.ts": IN_TOOL,
  "src/cli/library_console.ts": "replaces the console: its test is a program of its own",
  "src/toolbox/host.ts": IN_TOOL,
  "src/toolbox/host/answers.ts": IN_TOOL,
  "src/toolbox/host/check_definitions.ts": IN_TOOL,
  "src/toolbox/host/definitions.ts": IN_TOOL,
  "src/toolbox/host/lines.ts": IN_TOOL,
  "src/toolbox/host/tool_worker.ts": IN_TOOL,
};

interface FileLines {
  readonly path: string;
  readonly found: number;
  readonly hit: number;
}

const directory = await Deno.makeTempDir({ prefix: "mm-coverage-" });
try {
  await deno(["test", "-A", "--no-check", "--parallel", `--coverage=${directory}`, ...Deno.args]);
  await removeHalfWritten();
  const lcov = await deno(["coverage", "--lcov", `--include=^file://${ROOT}/src/`, directory]);
  const files = parseLcov(lcov);
  Deno.exitCode = report([...files, ...await neverLoaded(files)]);
} finally {
  await Deno.remove(directory, { recursive: true });
}

/** What a program was writing when a test killed it: one such file would cost the whole report. */
async function removeHalfWritten(): Promise<void> {
  for await (const { name } of Deno.readDir(directory)) {
    const path = `${directory}/${name}`;
    try {
      JSON.parse(await Deno.readTextFile(path));
    } catch {
      await Deno.remove(path);
    }
  }
}

/**
 * Runs Deno and gives what it writes to stdout. Tests that fail do not end the measuring.
 *
 * @throws {Error} when there is no report
 */
async function deno(args: readonly string[]): Promise<string> {
  const testing = args[0] === "test";
  const options: Deno.CommandOptions = {
    args: [...args],
    cwd: ROOT,
    env: { DENO_JOBS: Deno.env.get("DENO_JOBS") ?? "2", DENO_COVERAGE_DIR: directory },
    stdin: "null",
    stderr: "inherit",
  };
  if (testing) {
    await new Deno.Command(Deno.execPath(), { ...options, stdout: "inherit" }).spawn().status;
    return "";
  }
  const { code, stdout } = await new Deno.Command(Deno.execPath(), options).output();
  if (code !== 0) throw new Error("there is no report of the coverage");
  return new TextDecoder().decode(stdout);
}

/** The lines of each file, from a report in the format of lcov. */
function parseLcov(text: string): FileLines[] {
  return text.split("end_of_record").flatMap((record) => {
    const path = /^SF:(.*)$/m.exec(record)?.[1];
    if (path === undefined) return [];
    const count = (name: string) => Number(new RegExp(`^${name}:(\\d+)$`, "m").exec(record)?.[1]);
    return [{ path: path.slice(ROOT.length + 1), found: count("LF"), hit: count("LH") }];
  });
}

/** The files with code that no test has loaded, which Deno does not know of. */
async function neverLoaded(known: readonly FileLines[]): Promise<FileLines[]> {
  const paths = (await sourceFiles("src")).filter((one) => !known.some(({ path }) => path === one));
  const texts = await Promise.all(paths.map((path) => Deno.readTextFile(`${ROOT}/${path}`)));
  return paths.flatMap((path, index) => {
    const text = texts[index] ?? "";
    const code = /^(?:export )?(?:async |abstract )?(?:function|class|const|let) /m.test(text);
    return code ? { path, found: text.split("\n").length, hit: 0 } : [];
  });
}

/** Prints the figures and gives the exit status. */
function report(files: readonly FileLines[]): number {
  const rooms = Map.groupBy(files, ({ path }) => path.split("/").slice(0, 2).join("/"));
  for (const [room, members] of [...rooms].sort()) say(`${percent(members)}  ${room}`);
  const poor = files.filter((file) => share([file]) < LEAST_OF_FILE);
  for (const file of poor) {
    say(`${percent([file])}  ${file.path}: ${REASONS[file.path] ?? "NO REASON IS GIVEN"}`);
  }
  say(`${percent(files)}  of the lines of src/`);
  const bad = poor.some(({ path }) => REASONS[path] === undefined) || share(files) < LEAST;
  return bad ? 1 : 0;
}

function share(files: readonly FileLines[]): number {
  const sum = (count: (file: FileLines) => number) =>
    files.reduce((total, file) => total + count(file), 0);
  return sum(({ hit }) => hit) / Math.max(1, sum(({ found }) => found));
}

function percent(files: readonly FileLines[]): string {
  return `${(100 * share(files)).toFixed(1).padStart(5)} %`;
}

function say(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}
