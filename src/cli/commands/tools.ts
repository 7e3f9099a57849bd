/**
 * `mm-repl tools`: tool scripts without an agent.
 *
 * @module
 */

import { join } from "node:path";
import { MmError } from "../../base/errors.ts";
import { resolvePath, trustFile } from "../../config/paths.ts";
import { quoteWord } from "../../model/shell_commands.ts";
import { newTool } from "../../toolbox/new_tool.ts";
import {
  callTool,
  renderResult,
  renderToolCheck,
  renderToolList,
  reportTools,
  type ToolReport,
} from "../../toolbox/report.ts";
import { reportDocument } from "../../toolbox/report_json.ts";
import type { TrustAnswer, TrustRequest } from "../../toolbox/toolbox.ts";
import { renderTrustRequest, reportTrust } from "../../toolbox/trust_report.ts";
import { loadSetup, type Setup } from "../app_options.ts";
import type { Command, OperandRow, SubcommandRow } from "../command.ts";
import { type FlagRow, flagRows } from "../flags.ts";
import { printErr, printForeign, printOut } from "../output.ts";
import { untilSignal } from "../signals.ts";
import { checkDirectories, toolDirectories } from "../tool_directories.ts";
import { toolboxOptions } from "../toolbox_options.ts";
import type { Values } from "../values.ts";

const FLAGS = flagRows("cwd", "tools", "config");

const YES: FlagRow = { name: "yes", description: "agree without being asked", group: "Tools" };

const JSON_FLAG: FlagRow = {
  name: "json",
  description: "everything as one JSON document",
  group: "Output",
};

const SESSION_CWD: FlagRow = {
  name: "session-cwd",
  value: "DIR",
  completes: "directory",
  description: "the directory that the tool works in, when it is not the one that has the tools",
  group: "Tools",
};

const ARGUMENTS: OperandRow = {
  name: "arguments",
  description:
    "a JSON object, or key=value words whose values are JSON where they can be; - reads the object from stdin",
  optional: true,
  variadic: true,
};

const listCommand: Command = {
  description: "List the tools of this directory and the user's own, with what they may do",
  flags: [...FLAGS, JSON_FLAG],
  operands: [],
  subcommands: [],
  run: ({ values }) =>
    untilSignal(async (signal) => {
      const setup = await openSetup(values);
      const report = await reportTools(toolboxOptions(setup, values, { signal, askTrust }));
      await printReport(report, values, renderToolList);
      return 0;
    }),
};

const checkCommand: Command = {
  description:
    "Show every problem with file and line, and each tool as the model will see it; exits with 1 when there is a problem",
  flags: [...FLAGS, JSON_FLAG],
  operands: [],
  subcommands: [],
  run: ({ values }) =>
    untilSignal(async (signal) => {
      const setup = await openSetup(values);
      const report = await reportTools(toolboxOptions(setup, values, { signal, askTrust }));
      await printReport(report, values, renderToolCheck);
      return report.problems.length === 0 ? 0 : 1;
    }),
};

const callCommand: Command = {
  description:
    "Run one tool as an agent would: same trust, isolation, validation and limits; exits with 1 when the call fails",
  flags: [...FLAGS, ...flagRows("trust-tools"), SESSION_CWD],
  operands: [{ name: "name", description: "the tool's name" }, ARGUMENTS],
  subcommands: [],
  epilogue: () => `Example: mm-repl tools call word_count '{"path":"README.md"}'`,
  run: ({ values, operands: [name = "", ...words] }) =>
    untilSignal(async (signal) => {
      const setup = await openSetup(values);
      const options = toolboxOptions(setup, values, { signal, askTrust });
      const sessionCwd = values.text("session-cwd");
      const cwd = sessionCwd === undefined ? options.cwd : resolvePath(sessionCwd, Deno.cwd());
      const fromStdin = words.length === 1 && words[0] === "-";
      const result = await callTool({ ...options, cwd }, {
        name,
        words: fromStdin ? [await new Response(Deno.stdin.readable).text()] : words,
        signal,
        onLog: ({ kind, text }) => printErr(`${kind}: ${text}`),
      });
      await printForeign(renderResult(result));
      return result.isError ? 1 : 0;
    }),
};

const newCommand: Command = {
  description: "Write a commented tool script that works as it is",
  flags: FLAGS,
  operands: [{ name: "name", description: "the tool's name" }],
  subcommands: [],
  async run({ values, operands: [name = ""] }) {
    const setup = await loadSetup(values);
    const [directory] = toolDirectories(setup, values)(setup.cwd);
    const path = directory?.path ?? join(setup.cwd, "tools");
    const { written } = await newTool(path, name);
    await printLines([
      ...written.map((file) => `Wrote ${file}`),
      `Try it: ${trialOf(name, path, directory?.origin === "user", values).join("; ")}`,
    ]);
    return 0;
  },
};

/** What tries a new tool, with the flags that led to its directory. A user's own needs no trust. */
function trialOf(name: string, path: string, isOwn: boolean, values: Values): string[] {
  const named = (["cwd", "tools", "config"] as const)
    .flatMap((flag) => values.texts(flag).map((value) => ` --${flag} ${quoteWord(value)}`));
  const flags = named.join("");
  return [
    `mm-repl tools check${flags}`,
    ...(isOwn ? [] : [`mm-repl tools trust${named.length === 0 ? "" : ` ${quoteWord(path)}`}`]),
    `mm-repl tools call${flags} ${name} name=you`,
  ];
}

const trustCommand: Command = {
  description: "Show what the tools of a directory may do, and agree to them as they are now",
  flags: [...flagRows("cwd", "config"), YES],
  operands: [{
    name: "dir",
    description: "tool directory (default: the project's)",
    optional: true,
  }],
  subcommands: [],
  async run({ values, operands: [dir] }) {
    const setup = await loadSetup(values);
    const project = toolDirectories(setup, values)(setup.cwd)
      .filter(({ origin }) => origin === "project").map(({ path }) => path);
    const named = dir === undefined ? undefined : resolvePath(dir, Deno.cwd());
    if (named !== undefined && !(await Deno.stat(named).catch(() => undefined))?.isDirectory) {
      throw new MmError("usage", `Cannot trust ${named}: there is no such directory`);
    }
    const statuses = [];
    for (const path of named === undefined ? project : [named]) {
      statuses.push(await settleTrust(path, setup, values));
    }
    return Math.max(0, ...statuses);
  },
};

/** `mm-repl tools`. */
export const toolsCommand: Command = {
  description: "Work with tool scripts; no agent is needed",
  flags: FLAGS,
  operands: [],
  subcommands: [
    row("list", "list them", listCommand),
    row("check", "show every problem, and what the model will see", checkCommand),
    row("call", "run one", callCommand),
    row("new", "write a commented starting file", newCommand),
    row("trust", "agree to a project's tools", trustCommand),
  ],
};

function row(name: string, summary: string, command: Command): SubcommandRow {
  return { name, summary, load: () => Promise.resolve(command) };
}

/** The configuration, where the directories that it is about are there. */
async function openSetup(values: Values): Promise<Setup> {
  const setup = await loadSetup(values);
  (await checkDirectories(setup, values)).forEach(printErr);
  return setup;
}

function askTrust(request: TrustRequest): Promise<TrustAnswer> {
  renderTrustRequest(request).forEach(printErr);
  const yes = confirm("Trust these tools as they are now?");
  return Promise.resolve(yes ? "always" : "no");
}

async function settleTrust(path: string, setup: Setup, values: Values): Promise<number> {
  const { cacheDir } = setup.paths;
  const report = await reportTrust(path, { cacheDir, trustFile: trustFile(setup.paths) });
  if (report.request.tools.length === 0) {
    await printLines([`No tools in ${path}.`]);
    return 0;
  }
  await printLines(renderTrustRequest(report.request));
  if (report.state === "trusted") {
    await printLines(["Trusted already."]);
    return 0;
  }
  const agreed = values.has("yes") ||
    (Deno.stdin.isTerminal() && confirm("Trust these tools as they are now?"));
  if (!agreed) {
    printErr("Not trusted; --yes agrees without being asked.");
    return 1;
  }
  await report.agree();
  await printLines(["Trusted."]);
  return 0;
}

async function printReport(
  report: ToolReport,
  values: Values,
  render: (report: ToolReport) => readonly string[],
): Promise<void> {
  const lines = values.has("json")
    ? [JSON.stringify(reportDocument(report), null, 2)]
    : render(report);
  await printLines(lines);
}

async function printLines(lines: readonly string[]): Promise<void> {
  await printOut(lines.map((line) => `${line}\n`).join(""));
}
