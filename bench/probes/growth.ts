/**
 * One kind of work at one size; prints how long it took, in milliseconds.
 *
 *     deno run -A growth.ts KIND SIZE
 *
 * @module
 */

import { openClient } from "../../src/api/mod.ts";
import { fuzzyFilter } from "../../src/app/fuzzy.ts";
import { ProjectFiles } from "../../src/app/project_files.ts";
import { SessionStore } from "../../src/model/session_store.ts";
import { openToolbox } from "../../src/toolbox/open_toolbox.ts";

/** Tool calls that are measured, after as many that are not. */
const CALLS = 20;

const KINDS: Readonly<Record<string, (size: number) => Promise<number>>> = {
  chunks: (size) => timed(() => turn(new SessionStore("/"), size)),
  turns: (size) =>
    timed(() => {
      const store = new SessionStore("/");
      for (let number = 0; number < size; number++) turn(store, 20);
    }),
  sessions: openSessions,
  tools: (size) => callTool(size, 100),
  result: (size) => callTool(1, size),
  files: proposeFiles,
};

const [kind = "", size = ""] = Deno.args;
const ms = await KINDS[kind]?.(Number(size));
Deno.stdout.writeSync(new TextEncoder().encode(`${ms}\n`));
Deno.exit(ms === undefined ? 2 : 0);

async function timed(work: () => unknown): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** A turn of that many chunks, with one tool call. */
function turn(store: SessionStore, chunks: number): void {
  const update = (update: unknown) => store.dispatch({ type: "update_received", update });
  const text = (text: string) => ({
    sessionUpdate: "agent_message_chunk",
    content: { type: "text", text },
  });
  const toolCallId = `call ${store.state.turns}`;
  store.dispatch({ type: "prompt_sent", blocks: [{ type: "text", text: "go on" }] });
  update({ sessionUpdate: "tool_call", toolCallId, title: "Read a file", status: "pending" });
  update({ sessionUpdate: "tool_call_update", toolCallId, status: "completed" });
  for (let number = 0; number < chunks; number++) update(text("ten bytes\n"));
  store.dispatch({ type: "turn_ended", outcome: { ok: true, stopReason: "end_turn" } });
}

async function openSessions(count: number): Promise<number> {
  const cwd = Deno.cwd();
  const client = await openClient({ spec: { kind: "demo" }, cwd });
  return await timed(async () => {
    for (let number = 0; number < count; number++) await client.newSession({ cwd });
  });
}

/** Warm calls of one of the tools of the current directory, which gives its text back. */
async function callTool(files: number, bytes: number): Promise<number> {
  const cwd = Deno.cwd();
  const toolbox = await openToolbox({
    cwd,
    directories: [{ path: `${cwd}/tools_${files}`, origin: "project" }],
    trustAll: true,
    cacheDir: `${cwd}/.cache`,
    trustFile: `${cwd}/.cache/trust.json`,
  });
  const [tool] = toolbox.tools;
  if (tool === undefined) throw new Error(toolbox.problems[0]?.reason);
  const { method } = tool.description;
  const params = { text: "x".repeat(bytes) };
  const call = async () => {
    const { signal } = new AbortController();
    for (let number = 0; number < CALLS; number++) {
      const result = await toolbox.call({ method, params, sessionId: "bench", signal });
      if (result.isError) throw new Error(JSON.stringify(result));
    }
  };
  await call();
  const ms = await timed(call);
  await toolbox.close();
  return ms / CALLS;
}

async function proposeFiles(count: number): Promise<number> {
  const cwd = `${Deno.cwd()}/files_${count}`;
  return await timed(async () => fuzzyFilter("file", await new ProjectFiles().list(cwd), 30));
}
