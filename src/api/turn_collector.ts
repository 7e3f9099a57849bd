/**
 * What comes in one turn, from the changes of its session.
 *
 * @module
 */

import { asObject, type JsonObject } from "../base/guards.ts";
import { parseContent, textOf } from "../model/content.ts";
import { rawOutputText } from "../model/raw_output.ts";
import type { SessionState, ToolContent, ToolEntry } from "../model/session.ts";
import type { SessionChange } from "../model/session_store.ts";
import { parseToolCallId } from "../model/tool_call.ts";
import type { TurnEvent } from "./turn.ts";

/** Follows a session through one turn. */
export class TurnCollector {
  #text: string[] = [];
  #thoughts: string[] = [];
  /** The calls of the turn by id, as they are now. */
  readonly #calls = new Map<string, ToolEntry>();
  readonly #emit: (event: TurnEvent) => void;

  constructor(emit: (event: TurnEvent) => void) {
    this.#emit = emit;
  }

  /** The agent's message so far. */
  get text(): string {
    return this.#text.join("");
  }

  /** The agent's thinking so far. */
  get thoughts(): string {
    return this.#thoughts.join("");
  }

  /** The calls in the order in which they began. */
  get calls(): readonly ToolEntry[] {
    return [...this.#calls.values()];
  }

  /** Takes a change of the session; what is not of the turn is passed over. */
  take({ event, state }: SessionChange): void {
    if (event.type === "turn_ended") return this.#endCalls(state);
    if (event.type !== "update_received" || state.turn.state !== "running") return;
    const update = asObject(event.update);
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        return this.#takeText("text", this.#text, update);
      case "agent_thought_chunk":
        return this.#takeText("thought", this.#thoughts, update);
      case "tool_call":
      case "tool_call_update":
        return this.#takeCall(parseToolCallId(update), update, state);
      case "plan":
        return this.#takePlan(update, state);
      default:
        this.#emit({ type: "update", update });
    }
  }

  #takeText(type: "text" | "thought", taken: string[], update: JsonObject): void {
    const text = textOf(parseContent(update.content));
    if (text === "") return this.#emit({ type: "update", update });
    taken.push(text);
    this.#emit({ type, text });
  }

  #takePlan(update: JsonObject, { entries, open }: SessionState): void {
    const plan = open.plan === undefined ? undefined : entries.at(open.plan);
    if (plan?.kind === "plan") this.#emit({ type: "plan", steps: plan.steps });
    else this.#emit({ type: "update", update });
  }

  #takeCall(toolCallId: string, update: JsonObject, state: SessionState): void {
    const call = findCall(state, toolCallId);
    if (call === undefined) return this.#emit({ type: "update", update });
    const before = this.#calls.get(toolCallId);
    this.#calls.set(toolCallId, call);
    if (before === undefined) {
      const { title, toolKind: kind, rawInput: input } = call;
      this.#emit({
        type: "tool_call",
        toolCallId,
        title,
        kind,
        ...(input === undefined ? {} : { input }),
        call,
      });
    }
    const ended = call.endedAt !== undefined;
    if (ended && before?.endedAt === undefined) this.#emitResult(call);
    else if (before !== undefined) this.#emit({ type: "tool_update", toolCallId, call });
  }

  /** Calls that were open when the turn ended have ended with it. */
  #endCalls(state: SessionState): void {
    for (const [toolCallId, before] of this.#calls) {
      const call = before.endedAt === undefined ? findCall(state, toolCallId) : undefined;
      if (call === undefined) continue;
      this.#calls.set(toolCallId, call);
      this.#emitResult(call);
    }
  }

  #emitResult(call: ToolEntry): void {
    const { toolCallId, title, status } = call;
    this.#emit({ type: "tool_result", toolCallId, title, status, text: resultText(call), call });
  }
}

function findCall({ entries, open }: SessionState, toolCallId: string): ToolEntry | undefined {
  const index = open.positions.get(`tool ${toolCallId}`);
  const entry = index === undefined ? undefined : entries.at(index);
  return entry?.kind === "tool" ? entry : undefined;
}

/** The text content; where there is none, the output of a command, or what the raw output holds. */
function resultText({ content, rawOutput, metaOutput }: ToolEntry): string {
  const text = content.map(textOfContent).filter((part) => part !== "").join("\n");
  if (text !== "") return text;
  return metaOutput ?? (rawOutput === undefined ? "" : rawOutputText(rawOutput));
}

function textOfContent(item: ToolContent): string {
  return item.type === "content" ? textOf([item.content]) : "";
}
