/**
 * Starting a new tool file.
 *
 * @module
 */

import project from "../../deno.json" with { type: "json" };
import { messageOf, MmError } from "../base/errors.ts";
import { asObject } from "../base/guards.ts";
import { replaceFile } from "../config/replace_file.ts";
import { applyEdits, modify, parse } from "jsonc-parser";
import { join } from "node:path";
import { TOOL_MODULE } from "./host_command.ts";

/** What was made. */
export interface NewTool {
  /** Absolute path of the tool file. */
  readonly file: string;
  /** Every file that was written, absolute. */
  readonly written: readonly string[];
}

/**
 * Writes `<directory>/<name>.ts`, a commented tool that works as it is, and sees to it that an
 * editor knows `@mm/repl/tool` there (`deno.json`; one that exists keeps its comments).
 *
 * @throws {MmError} `usage` for a name that cannot be one, or a file that is there already; `tool`
 * when something cannot be written.
 */
export async function newTool(directory: string, name: string): Promise<NewTool> {
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,56}$/.test(name)) {
    throw new MmError("usage", `Cannot make the tool "${name}": the name cannot be used`, {
      hint: "Use letters, digits, _ and -, beginning with a letter; 57 characters at most.",
    });
  }
  const file = join(directory, `${name}.ts`);
  try {
    await Deno.mkdir(directory, { recursive: true });
    await Deno.writeTextFile(file, SOURCE, { createNew: true });
    const config = await writeConfig(directory);
    return { file, written: [file, ...config] };
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) {
      throw new MmError("usage", `Cannot make the tool "${name}": ${file} is there already`, {
        hint: "Choose another name.",
      });
    }
    // The next try must not find half of this one.
    await Deno.remove(file).catch(() => {});
    throw new MmError("tool", `Cannot make the tool "${name}": ${messageOf(error)}`, {
      hint: "Check that the directory can be written to.",
      cause: error,
    });
  }
}

/** The configuration file, when it was written. */
async function writeConfig(directory: string): Promise<string[]> {
  const file = join(directory, "deno.json");
  const other = join(directory, "deno.jsonc");
  const path = await readText(file) === undefined && await readText(other) !== undefined
    ? other
    : file;
  const before = await readText(path) ?? "{}\n";
  const known = asObject(asObject(parse(before)).imports);
  let text = before;
  for (const [name, target] of Object.entries(editorImports())) {
    if (name in known) continue;
    const edits = modify(text, ["imports", name], target, {
      formattingOptions: { insertSpaces: true, tabSize: 2 },
    });
    text = applyEdits(text, edits);
  }
  if (text === before) return [];
  await replaceFile(path, text.endsWith("\n") ? text : `${text}\n`);
  return [path];
}

/** The module as this installation has it, else from the registry. */
function editorImports(): { [name: string]: string } {
  const isOnDisk = TOOL_MODULE.protocol === "file:" && !Deno.build.standalone;
  const { name, version, imports } = project;
  if (!isOnDisk) return { "@mm/repl/tool": `jsr:${name}@^${version}/tool` };
  return {
    "@mm/repl/tool": TOOL_MODULE.href,
    "json-schema-to-ts": imports["json-schema-to-ts"],
  };
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

const SOURCE = `import { defineTool } from "@mm/repl/tool";

export default defineTool({
  // The model reads this to decide when to call the tool.
  description: "Greet somebody by name.",

  // The arguments. Their types in the handler follow from this schema.
  inputSchema: {
    type: "object",
    properties: {
      name: { type: "string", description: "Who is greeted" },
      loud: { type: "boolean", default: false },
    },
    required: ["name"],
    additionalProperties: false,
  },

  // What the tool may do; nothing by default. Paths are relative to the session's directory.
  // permissions: { read: ["."], write: ["out"], net: ["example.com"], env: ["USER"], run: ["git"] },

  // Milliseconds that one call may take.
  // timeout: 25_000,

  handler({ name, loud }, ctx) {
    // Seen by you under the running call, not by the model.
    ctx.progress(\`greeting \${name}\`);

    // What the model reads. Objects become JSON; what is thrown is a failed call.
    const greeting = \`Hello, \${name}\`;
    return loud ? \`\${greeting.toUpperCase()}!\` : \`\${greeting}.\`;
  },
});
`;
