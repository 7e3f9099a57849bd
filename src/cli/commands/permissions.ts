/**
 * `mm-repl permissions`: what the rules say, without an agent.
 *
 * @module
 */

import { followLinks } from "../../app/permission_links.ts";
import { loadProjectRules } from "../../app/permission_memory.ts";
import { messageOf, MmError } from "../../base/errors.ts";
import { asObject, isObject, type JsonObject } from "../../base/guards.ts";
import { sanitizeLine } from "../../base/sanitize.ts";
import { settingOf } from "../../config/agents.ts";
import { homeDir } from "../../config/paths.ts";
import type { Settings } from "../../config/settings.ts";
import { decidePermission, defaultPolicy, describeRule } from "../../model/permission_rules.ts";
import { type PermissionRequest, permissionRequestOf } from "../../model/permission_request.ts";
import { loadSetup, permissionFlag } from "../app_options.ts";
import type { Command } from "../command.ts";
import { flagRows } from "../flags.ts";
import { printOut } from "../output.ts";

const testCommand: Command = {
  description:
    "Say what happens to a permission request and which rule decides; exits with 0 for allow, 1 for ask, 4 for deny",
  flags: flagRows("cwd", "config", "permissions", "yolo"),
  operands: [{
    name: "request",
    description:
      'JSON: {"kind", "tool", "title", "path" or "paths", "command", "cwd", "rawInput", "agent"}',
  }],
  subcommands: [],
  epilogue: () =>
    `Example: mm-repl permissions test '{"kind":"execute","command":"git status && rm x"}'`,
  async run({ values, operands: [json = ""] }) {
    const { cwd, config, paths } = await loadSetup(values);
    const { settings } = config;
    const rules = [
      ...settings.permissionRules ?? [],
      ...await loadProjectRules(paths.stateDir, cwd),
      ...defaultPolicy(permissionFlag(values) ?? settings.permissions ?? "ask"),
    ];
    const decision = decidePermission(
      rules,
      await followLinks(rules, parseRequest(json, cwd, settings)),
    );
    const rule = decision.rule === undefined ? "none" : describeRule(decision.rule);
    const lines = [decision.action, `because: ${decision.reason}`, `rule: ${rule}`];
    await printOut(`${lines.map((line) => sanitizeLine(line)).join("\n")}\n`);
    return { allow: 0, ask: 1, deny: 4 }[decision.action];
  },
};

/** `mm-repl permissions`. */
export const permissionsCommand: Command = {
  description: "Permission rules, without an agent",
  flags: [],
  operands: [],
  subcommands: [{
    name: "test",
    summary: "say which rule decides a request",
    load: () => Promise.resolve(testCommand),
  }],
};

/** Reads a request, as if an agent had asked. Throws `usage`. */
function parseRequest(json: string, cwd: string, settings: Settings): PermissionRequest {
  const value = parseObject(json);
  const unknown = Object.keys(value).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) throw wrong(`${JSON.stringify(unknown)} is none of its keys`);
  for (const key of ["tool", "title", "path", "command", "cwd", "agent"]) {
    if (value[key] !== undefined && typeof value[key] !== "string") {
      throw wrong(`"${key}" must be a string`);
    }
  }
  const { kind, tool, title, rawInput, agent, ...named } = value;
  const input = Object.keys(named).length === 0 ? rawInput : { ...asObject(rawInput), ...named };
  const request = permissionRequestOf({ kind, name: tool, title, rawInput: input }, {
    cwd,
    home: homeDir(),
    ...(typeof agent === "string"
      ? { agent, commandTitles: settingOf(agent, settings)?.commandTitles ?? false }
      : {}),
  });
  if (kind !== undefined && request.kind !== kind) {
    throw wrong(`${JSON.stringify(kind)} is no kind of tool call`);
  }
  return request;
}

const KEYS = ["kind", "tool", "title", "path", "paths", "command", "cwd", "rawInput", "agent"];

function parseObject(json: string): JsonObject {
  try {
    const value: unknown = JSON.parse(json);
    if (isObject(value)) return value;
  } catch (error) {
    throw wrong(messageOf(error));
  }
  throw wrong("it must be a JSON object");
}

function wrong(reason: string): MmError {
  return new MmError("usage", `Cannot read the request: ${reason}`, {
    hint: "See `mm-repl permissions test --help`.",
  });
}
