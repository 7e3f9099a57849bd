/**
 * The question whether the tools of a directory may be offered to the model.
 *
 * @module
 */

import type { PermissionGrant, ToolPermissions } from "../model/tool_manifest.ts";
import type { TrustAnswer, TrustRequest } from "../toolbox/toolbox.ts";
import type { NewQuestion } from "./questions.ts";
import type { QuestionAnswer, QuestionOption } from "./view.ts";

const OPTIONS: readonly (QuestionOption & { readonly id: TrustAnswer })[] = [
  { id: "always", label: "Yes, always", hint: "until a file changes" },
  { id: "session_edits", label: "Yes, and my edits while this session runs" },
  { id: "once", label: "Only this time" },
  { id: "no", label: "No, leave them out" },
];

const PERMISSION_WORDS: Readonly<Record<keyof ToolPermissions, string>> = {
  read: "read files",
  write: "write files",
  net: "use the network",
  env: "read environment variables",
  sys: "read system information",
  run: "run programs",
  ffi: "load native libraries",
};

/** Words a trust request as a question. */
export function trustQuestion(request: TrustRequest): NewQuestion {
  const count = `${request.tools.length} ${request.tools.length === 1 ? "tool" : "tools"}`;
  const changes = request.changes ?? [];
  return {
    kind: "choice",
    title: request.changes === undefined
      ? `Let the model use the ${count} of ${request.directory}?`
      : `The tools of ${request.directory} have changed. Let the model use them?`,
    body: [
      ...(changes.length === 0 ? [] : ["Since you last agreed:"]),
      ...changes.map((change) => `  ${change}`),
      ...request.tools.flatMap((tool) => describeTool(tool.name, tool.permissions)),
      "The model decides when a tool is called and with what.",
    ],
    options: OPTIONS,
  };
}

/** The trust that an answer gives; anything but a yes is `no`. */
export function trustAnswer(answer: QuestionAnswer): TrustAnswer {
  if (answer.type !== "option") return "no";
  return OPTIONS.find((option) => option.id === answer.id)?.id ?? "no";
}

function describeTool(name: string, permissions: ToolPermissions): readonly string[] {
  const asked = describePermissions(permissions);
  const lines = [`${name}: ${asked.length === 0 ? "no permissions" : asked.join("; ")}`];
  if (grants(permissions.run) || grants(permissions.ffi)) {
    lines.push(`  ${name} gets full access to this machine: what it starts is not confined`);
  }
  return lines;
}

/** The permissions of a tool in words, e.g. `read files: ., /tmp`. Empty for none. */
export function describePermissions(permissions: ToolPermissions): readonly string[] {
  return (Object.keys(PERMISSION_WORDS) as (keyof ToolPermissions)[]).flatMap((key) => {
    const grant = permissions[key];
    if (!grants(grant)) return [];
    const words = PERMISSION_WORDS[key];
    return [
      grant === true ? `${words}: any` : `${words}: ${(grant as readonly string[]).join(", ")}`,
    ];
  });
}

function grants(grant: PermissionGrant | undefined): boolean {
  return Array.isArray(grant) ? grant.length > 0 : grant === true;
}
