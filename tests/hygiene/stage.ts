/**
 * The program in a terminal with everything that it can have started: an agent behind two shells, a
 * command with a child in the background, a tool that never ends.
 *
 * @module
 */

import { killMarked, MARK_VARIABLE } from "../support/marked_processes.ts";
import { openPty, type Pty } from "../support/pty.ts";
import { MAIN_COMMAND, openSandbox } from "../support/run_main.ts";
import { openScreen, type Screen } from "../support/screen.ts";
import {
  ask,
  askPermission,
  HANDSHAKE,
  INITIALIZE,
  say,
  type ScriptedAgent,
  scriptedAgent,
  SESSION,
  type Step,
} from "../support/scripted_agent.ts";

/** What the program is at. */
export type Stage = "starting" | "opening" | "idle" | "busy" | "asking" | "editing";

/** Which front end there is. */
export type Front = "tui" | "lines" | "prompt";

/** The program at a stage. Ends everything when it is disposed of. */
export interface Staged extends AsyncDisposable {
  readonly pty: Pty;
  readonly screen: Screen;
  readonly agent: ScriptedAgent;
  /** The word in the environment of all processes. */
  readonly mark: string;
  /** Lets an error happen in the program that nobody catches. */
  crash(): Promise<void>;
}

const BUSY: readonly Step[] = [
  ...HANDSHAKE,
  { expect: "session/prompt" },
  ask("t", "terminal/create", { command: "sleep 987 & sleep 986" }),
  { expectAnswer: "t" },
  ask("s", "_org.mini-me.repl/tools/spins", { _meta: { "org.mini-me/sessionId": SESSION } }),
  { untilFile: "$DIR/spinning" },
  say("at work\n\n"),
];

const SCRIPTS: Readonly<Record<Stage, readonly Step[]>> = {
  starting: [{ touch: "$DIR/there" }, { hang: true }],
  opening: [...INITIALIZE, { expect: "session/new" }, { touch: "$DIR/there" }, { hang: true }],
  idle: [...HANDSHAKE, { touch: "$DIR/there" }],
  busy: [...BUSY, { touch: "$DIR/there" }],
  asking: [...BUSY, askPermission("p", "c1"), { touch: "$DIR/there" }],
  editing: HANDSHAKE,
};

/** What the screen says at a stage, in a front end with a cursor. */
const SIGNS: Readonly<Record<Stage, RegExp>> = {
  starting: /starting/,
  opening: /starting/,
  idle: /idle/,
  busy: /at work/,
  asking: /waiting for your answer/,
  editing: /the editor/,
};

/** Throws when the file is there: loaded before the program. */
const CRASHER = `const timer = setInterval(() => {
  try {
    Deno.statSync(Deno.env.get("HOME") + "/crash");
  } catch {
    return;
  }
  clearInterval(timer);
  throw new Error("injected");
}, 20);
Deno.unrefTimer(timer);
`;

/** Brings the program to a stage. */
export async function openStage(stage: Stage, front: Front): Promise<Staged> {
  const agent = await scriptedAgent(SCRIPTS[stage]);
  const sandbox = await openSandbox({
    "tools/spins.ts": `export const description = "Never ends.";
export const permissions = { write: true };
export function handler() {
  Deno.writeTextFileSync(${JSON.stringify(`${agent.directory}/spinning`)}, "");
  for (;;);
}
`,
  });
  await Deno.writeTextFile(`${sandbox.home}/crasher.ts`, CRASHER);
  const mark = crypto.randomUUID();
  const [command = "deno", ...args] = MAIN_COMMAND;
  const pty = await openPty({
    command,
    args: [
      ...args.toSpliced(-1, 0, "--preload", `${sandbox.home}/crasher.ts`),
      ...["--agent", behindShells(agent), "--trust-tools"],
      ...(front === "lines" ? ["--plain"] : front === "prompt" ? ["-p", "go"] : []),
    ],
    cwd: sandbox.project,
    env: {
      ...sandbox.env,
      [MARK_VARIABLE]: mark,
      EDITOR: `sh -c 'echo the editor; touch "${agent.directory}/there"; exec sleep 985'`,
    },
    columns: 100,
  });
  const screen = openScreen(pty);
  const staged: Staged = {
    pty,
    screen,
    agent,
    mark,
    crash: () => Deno.writeTextFile(`${sandbox.home}/crash`, ""),
    async [Symbol.asyncDispose]() {
      await pty.kill();
      await killMarked(mark);
      await agent[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
    },
  };
  try {
    await reach(stage, front, staged);
  } catch (error) {
    await staged[Symbol.asyncDispose]();
    throw error;
  }
  return staged;
}

async function reach(stage: Stage, front: Front, { pty, screen, agent }: Staged): Promise<void> {
  if (front !== "prompt" && (stage === "busy" || stage === "asking")) {
    await screen.waitFor(front === "tui" ? /idle/ : /^> /m);
    await pty.write(front === "tui" ? "go\r" : "go\n");
  }
  if (stage === "editing") {
    await screen.waitFor(/idle/);
    await pty.write("\x07");
  }
  await untilThere(`${agent.directory}/there`);
  if (front === "tui") await screen.waitFor(SIGNS[stage]);
}

async function untilThere(path: string): Promise<void> {
  const end = Date.now() + 15_000;
  while (await Deno.stat(path).catch(() => undefined) === undefined) {
    if (Date.now() > end) throw new Error("the stage is not reached");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The agent's command line behind two shells that stay, as launchers do. */
function behindShells({ spec }: ScriptedAgent): string {
  const inner = `"$0" "$@"; exit $?`;
  const outer = `sh -c '${inner}' "$0" "$@"; exit $?`;
  const words = ["sh", "-c", outer, spec.command, ...spec.args];
  return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
}
