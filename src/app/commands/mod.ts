/**
 * The table of slash commands.
 *
 * @module
 */

import { addDirCommand } from "./add_dir.ts";
import { agentCommand } from "./agent.ts";
import { attachedCommand } from "./attached.ts";
import { closeCommand } from "./close.ts";
import type { Command } from "./command.ts";
import { configCommand } from "./config.ts";
import { copyCommand } from "./copy.ts";
import { deleteCommand } from "./delete.ts";
import { doctorCommand } from "./doctor.ts";
import { exitCommand } from "./exit.ts";
import { extCommand } from "./ext.ts";
import { exportCommand } from "./export.ts";
import { forkCommand } from "./fork.ts";
import { helpCommand } from "./help.ts";
import { loginCommand } from "./login.ts";
import { logoutCommand } from "./logout.ts";
import { mcpCommand } from "./mcp.ts";
import { modeCommand } from "./mode.ts";
import { modelCommand } from "./model.ts";
import { newCommand } from "./new.ts";
import { permissionsCommand } from "./permissions.ts";
import { queueCommand } from "./queue.ts";
import { reconnectCommand } from "./reconnect.ts";
import { restartCommand } from "./restart.ts";
import { resumeCommand } from "./resume.ts";
import { retryCommand } from "./retry.ts";
import { sessionsCommand } from "./sessions.ts";
import { statusCommand } from "./status.ts";
import { switchCommand } from "./switch.ts";
import { themeCommand } from "./theme.ts";
import { thoughtsCommand } from "./thoughts.ts";
import { toolsCommand } from "./tools.ts";
import { traceCommand } from "./trace.ts";

/** Every slash command, in the order of `/help`. */
export const COMMANDS: readonly Command[] = [
  helpCommand(() => COMMANDS),
  newCommand,
  toolsCommand,
  modeCommand,
  modelCommand,
  configCommand,
  sessionsCommand,
  switchCommand,
  resumeCommand,
  forkCommand,
  closeCommand,
  deleteCommand,
  addDirCommand,
  queueCommand,
  attachedCommand,
  retryCommand,
  permissionsCommand,
  thoughtsCommand,
  themeCommand,
  copyCommand,
  exportCommand,
  extCommand,
  statusCommand,
  agentCommand,
  mcpCommand,
  traceCommand,
  loginCommand,
  logoutCommand,
  restartCommand,
  reconnectCommand,
  doctorCommand,
  exitCommand,
];

/** The command of a name, if there is one. */
export function findCommand(name: string): Command | undefined {
  return COMMANDS.find((command) => command.name === name);
}
