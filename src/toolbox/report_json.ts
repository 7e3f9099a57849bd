/**
 * Tools and their problems as data, for programs.
 *
 * @module
 */

import type { ToolReport } from "./report.ts";

/** The report as one JSON document; what is not known is absent. */
export function reportDocument({ tools, problems }: ToolReport): unknown {
  return {
    tools: tools.map((tool) => ({
      name: tool.name,
      description: tool.description.description,
      inputSchema: tool.description.inputSchema,
      permissions: tool.permissions,
      fullAccess: tool.fullAccess,
      timeoutMs: tool.timeoutMs,
      file: tool.file,
      directory: tool.directory.path,
      origin: tool.directory.origin,
      method: tool.description.method,
      model: {
        name: tool.seen.name,
        description: tool.seen.description,
        inputSchema: tool.seen.schema,
      },
    })),
    problems: problems.map(({ file, line, column, reason, harmless }) => ({
      file,
      line,
      column,
      reason,
      harmless,
    })),
  };
}
