import { defineTool } from "@mm/repl/tool";

export default defineTool({
  description: "List the last commits of the project.",
  inputSchema: {
    type: "object",
    properties: {
      count: { type: "integer", minimum: 1, maximum: 100, default: 10 },
      path: { type: "string", description: "Only commits that touch this path" },
    },
    additionalProperties: false,
  },
  permissions: { run: ["git"] },
  async handler({ count, path }, ctx) {
    const { success, stdout, stderr } = await new Deno.Command("git", {
      args: [
        "log",
        "--oneline",
        `--max-count=${count}`,
        ...(path === undefined ? [] : ["--", path]),
      ],
      cwd: ctx.cwd,
      signal: ctx.signal,
    }).output();
    if (!success) throw new Error(new TextDecoder().decode(stderr).trim());
    return new TextDecoder().decode(stdout);
  },
});
