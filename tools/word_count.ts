import { defineTool } from "@mm/repl/tool";

export default defineTool({
  description: "Count the words of a text file.",
  inputSchema: {
    type: "object",
    properties: { path: { type: "string", description: "Relative to the project" } },
    required: ["path"],
  },
  permissions: { read: ["."] },
  async handler({ path }, ctx) {
    ctx.progress(`reading ${path}`);
    const text = await Deno.readTextFile(`${ctx.cwd}/${path}`);
    return `${text.split(/\s+/).filter(Boolean).length} words`;
  },
});
