/** @module */

import { MmError } from "../../base/errors.ts";
import { describeRule } from "../../model/permission_rules.ts";
import type { PermissionDefault } from "../options.ts";
import type { MemoryPlace, MemoryScope } from "../permission_memory.ts";
import type { Command, CommandHost } from "./command.ts";

const CHOICES: readonly { readonly id: PermissionDefault; readonly means: string }[] = [
  { id: "ask", means: "every request is asked" },
  {
    id: "reads",
    means: "reading, searching, fetching and thinking are allowed, the rest is asked",
  },
  { id: "allow", means: "everything is allowed without asking" },
  { id: "deny", means: "everything is refused without asking" },
];

/** `/permissions [ask|reads|allow|deny|remember|forget N]`: default answer, rules, memory. */
export const permissionsCommand: Command = {
  name: "permissions",
  args: "[ask|reads|allow|deny|remember [session]|forget N|all]",
  help: "Show how permission requests are answered, set the default, remember or forget an answer",
  complete: (host) => [
    ...CHOICES.map(({ id, means }) => ({ insert: id, label: id, description: means })),
    {
      insert: "remember",
      label: "remember",
      description: "keep the newest lasting answer for this project, in later runs too",
    },
    { insert: "remember session", label: "remember session", description: "only for this session" },
    ...remembered(host).map(({ rule }, index) => ({
      insert: `forget ${index + 1}`,
      label: `forget ${index + 1}`,
      description: describeRule(rule),
    })),
  ],
  async run(args, host) {
    if (args === "") return host.output(describe(host));
    const forget = /^forget\s+(\d+|all)$/u.exec(args);
    if (forget !== null) return await forgetAnswers(forget[1] ?? "", host);
    const remember = /^remember(?:\s+(session|project))?$/u.exec(args);
    if (remember !== null) {
      return await rememberAnswer(remember[1] === "session" ? "session" : "project", host);
    }
    const choice = CHOICES.find(({ id }) => id === args);
    if (choice === undefined) {
      throw new MmError("usage", `Cannot set permissions to ${args}`, {
        hint: "It is ask, reads, allow, deny, remember, or forget with a number.",
      });
    }
    host.permissions.mode = choice.id;
    host.notice(choice.id === "allow" ? "warning" : "info", `Permissions: ${choice.means}`);
  },
};

function describe(host: CommandHost): string {
  const { mode, rules } = host.permissions;
  const choices = CHOICES.map(({ id, means }) =>
    id === mode ? `- **${id}** (now): ${means}` : `- ${id}: ${means}`
  );
  const configured = rules.map((rule) => `- \`${describeRule(rule)}\``);
  const answers = remembered(host).map(({ scope, rule }, index) =>
    `${index + 1}. \`${describeRule({ ...rule, origin: undefined })}\`, for this ${scope}`
  );
  return [
    ...(configured.length === 0
      ? []
      : [["Rules of the configuration, the first that matches decides:", "", ...configured]]),
    ...(answers.length === 0
      ? []
      : [["Remembered answers; `/permissions forget N` forgets one:", "", ...answers]]),
    ["What nothing else decides:", "", ...choices],
  ].map((lines) => lines.join("\n")).join("\n\n");
}

async function rememberAnswer(scope: MemoryScope, host: CommandHost): Promise<void> {
  const rules = await host.permissions.remember(scope, host.active.store);
  if (rules.length === 0) {
    throw new MmError("usage", "Cannot remember an answer: none was given that is meant to last", {
      hint: "Answer a permission question with an option for always first.",
    });
  }
  for (const rule of rules) {
    const words = describeRule({ ...rule, origin: undefined });
    host.notice("info", `Remembered, for this ${scope}: ${words}`);
  }
}

async function forgetAnswers(which: string, host: CommandHost): Promise<void> {
  const all = remembered(host);
  const chosen = which === "all" ? all : all.slice(Number(which) - 1, Number(which));
  if (chosen.length === 0) {
    throw new MmError("usage", `Cannot forget answer ${which}: there is none`, {
      hint: "/permissions lists them.",
    });
  }
  for (const answer of chosen) {
    await host.permissions.memory.forget(answer, placeOf(host));
    const words = describeRule({ ...answer.rule, origin: undefined });
    host.notice("info", `Forgotten, for this ${answer.scope}: ${words}`);
  }
}

function remembered(host: CommandHost) {
  return host.permissions.memory.list(placeOf(host));
}

function placeOf({ active }: CommandHost): MemoryPlace {
  return { session: active.store, cwd: active.store.state.cwd };
}
