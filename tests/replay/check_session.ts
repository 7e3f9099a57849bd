/**
 * What must hold of a session's state after a run: nothing lost, nothing doubled, nothing open.
 *
 * @module
 */

import { asArray, asObject, asString, type JsonObject } from "../../src/base/guards.ts";
import type { Entry, SessionState, ToolEntry } from "../../src/model/session.ts";
import { WRITE_ID } from "../../src/model/written_files.ts";
import { queued, type RequestStep, type Run, sessionOf, type Step } from "./trace.ts";

/** What the agent said of one session, by the turn that it said it in; 0 is outside any turn. */
interface Said {
  readonly update: JsonObject;
  readonly turn: number;
}

const TEXTS = [["agent_message_chunk", "agent"], ["agent_thought_chunk", "thought"]] as const;

/** Says what is wrong with the state of a session. */
export function checkSession(run: Run, sessionId: string, state: SessionState): string[] {
  const said = updatesOf(run, sessionId);
  const entries = [...state.entries];
  const turns = promptsOf(run, sessionId).length;
  return [
    ...(state.turns === turns ? [] : [`${state.turns} turns instead of ${turns}`]),
    ...checkTexts(said, entries, turns),
    ...checkPrompts(entries, turns),
    ...checkTools(run, sessionId, said, entries),
    ...checkSettings(said, state),
  ];
}

/** The text of each turn, and that outside turns, is what the agent sent, whitespace included. */
function checkTexts(said: readonly Said[], entries: readonly Entry[], turns: number): string[] {
  const faults: string[] = [];
  for (let turn = 0; turn <= turns; turn++) {
    for (const [kind, entryKind] of TEXTS) {
      const sent = said
        .filter((one) => one.turn === turn && one.update.sessionUpdate === kind)
        .map(({ update }) => asString(asObject(update.content).text) ?? "").join("");
      const shown = entries
        .filter((entry) => entry.kind === entryKind && (entry.turn ?? 0) === turn)
        .map(textOf).join("");
      if (sent !== shown) {
        const where = turn === 0 ? "outside the turns" : `of turn ${turn}`;
        faults.push(
          `the ${entryKind} text ${where} is ${JSON.stringify(shown)} and not ${
            JSON.stringify(sent)
          }`,
        );
      }
    }
  }
  return faults;
}

/** What the user said stands there once, whether the agent sends it back or not. */
function checkPrompts(entries: readonly Entry[], turns: number): string[] {
  const faults: string[] = [];
  for (let turn = 1; turn <= turns; turn++) {
    const count = entries.filter((entry) => entry.kind === "user" && entry.turn === turn).length;
    if (count !== 1) faults.push(`turn ${turn} has ${count} prompts`);
  }
  return faults;
}

/** Each tool call that the agent named has one entry, with all of its output, and has ended. */
function checkTools(
  run: Run,
  sessionId: string,
  said: readonly Said[],
  entries: readonly Entry[],
): string[] {
  const faults: string[] = [];
  const calls = said.map(({ update }) => update)
    .filter(({ sessionUpdate }) => /^tool_call(_update)?$/.test(String(sessionUpdate)));
  const asked = requestsOf(run, sessionId, "session/request_permission")
    .map(({ params }) => asObject(params.toolCall));
  const named = new Set(
    [...calls, ...asked].flatMap(({ toolCallId }) => asString(toolCallId) ?? []),
  );
  const tools = entries.filter((entry): entry is ToolEntry =>
    entry.kind === "tool" && !entry.toolCallId.startsWith(WRITE_ID)
  );
  if (tools.length !== named.size) {
    faults.push(`${tools.length} tool entries for ${named.size} calls`);
  }
  for (const tool of tools) {
    if (!named.has(tool.toolCallId)) faults.push(`nobody called ${tool.toolCallId}`);
    if (tool.turn !== null && tool.endedAt === undefined) {
      faults.push(`${tool.toolCallId} never ended`);
    }
    const output = calls.filter(({ toolCallId }) => toolCallId === tool.toolCallId)
      .flatMap(({ _meta }) =>
        ["terminal_output", "terminal_output_delta"].map((key) =>
          asString(asObject(asObject(_meta)[key]).data) ?? ""
        )
      ).join("");
    if (output !== (tool.metaOutput ?? "")) {
      faults.push(`${tool.toolCallId} lost some of its output`);
    }
  }
  return faults;
}

/** The newest of each kind of setting is in force. */
function checkSettings(said: readonly Said[], state: SessionState): string[] {
  const last = (kind: string, key: string) =>
    said.findLast(({ update }) => update.sessionUpdate === kind && update[key] !== undefined)
      ?.update[key];
  const faults: string[] = [];
  const commands = last("available_commands_update", "availableCommands");
  if (commands !== undefined && state.commands.length !== asArray(commands).length) {
    faults.push(`${state.commands.length} commands instead of ${asArray(commands).length}`);
  }
  const title = last("session_info_update", "title");
  if (title !== undefined && state.title !== title) {
    faults.push(`the title is ${state.title} instead of ${title}`);
  }
  const plans = said.filter(({ update }) => update.sessionUpdate === "plan").length;
  const steps = asArray(last("plan", "entries"));
  const plan = [...state.entries].findLast((entry) => entry.kind === "plan");
  if (plans > 0 && (plan?.kind === "plan" ? plan.steps.length : 0) !== steps.length) {
    faults.push("the plan is not the newest one");
  }
  return faults;
}

/** The updates of a session, each with the number of the turn that was running. */
function updatesOf(run: Run, sessionId: string): Said[] {
  const said: Said[] = [];
  const prompts = promptsOf(run, sessionId);
  let turn = 0;
  for (const step of queued(run.steps)) {
    const started = prompts.findIndex((prompt) => prompt === step);
    if (started >= 0) turn = started + 1;
    else if (turn > 0 && isAnswer(step, prompts[turn - 1])) turn = 0;
    else if (step.type === "notification" && isUpdateOf(step.method, step.params, sessionId)) {
      said.push({ update: asObject(step.params.update), turn });
    }
  }
  return said;
}

function promptsOf(run: Run, sessionId: string): RequestStep[] {
  return requestsOf(run, sessionId, "session/prompt");
}

function requestsOf(run: Run, sessionId: string, method: string): RequestStep[] {
  return run.steps.flatMap((step) =>
    step.type === "request" && step.method === method && sessionOf(step.params) === sessionId
      ? [step]
      : []
  );
}

function isAnswer(step: Step, prompt: RequestStep | undefined): boolean {
  return step.by === "agent" && step.type === "answer" && step.id === prompt?.id;
}

function isUpdateOf(method: string, params: JsonObject, sessionId: string): boolean {
  return method === "session/update" && sessionOf(params) === sessionId;
}

function textOf(entry: Entry): string {
  if (entry.kind !== "agent" && entry.kind !== "thought" && entry.kind !== "user") return "";
  return entry.parts.map((part) => part.type === "text" ? part.text : "").join("");
}
