// Two tools in one file share its state: the list lives until the tools are reloaded.
import { defineTool } from "@mm/repl/tool";

const items: string[] = [];

const add = defineTool({
  name: "todo_add",
  description: "Add an item to the to-do list of this session.",
  inputSchema: {
    type: "object",
    properties: { text: { type: "string", minLength: 1, description: "What is to be done" } },
    required: ["text"],
    additionalProperties: false,
  },
  handler({ text }) {
    items.push(text);
    return `Added as number ${items.length}.`;
  },
});

const list = defineTool({
  name: "todo_list",
  description: "List the to-do items of this session.",
  handler() {
    return items.length === 0
      ? "The list is empty."
      : items.map((item, index) => `${index + 1}. ${item}`).join("\n");
  },
});

export default [add, list];
