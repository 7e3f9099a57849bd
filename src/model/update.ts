/**
 * The `session/update` kinds of ACP v1, and what each does to the session.
 *
 * @module
 */

import { asString, isObject, type JsonObject } from "../base/guards.ts";
import { announceCall, closeRefused, updateCall } from "./calls.ts";
import { addSummaryChunk, updateCompaction } from "./compaction.ts";
import { optional } from "./content.ts";
import { appendEntry } from "./entries.ts";
import { addChunk } from "./message.ts";
import { setPlan } from "./plan.ts";
import type { NoticeEntry, SessionState } from "./session.ts";
import { parseToolCallId } from "./tool_call.ts";
import { applyCommands, applyConfigOptions, applyInfo, applyMode, applyUsage } from "./settings.ts";

/**
 * Takes the raw `update` of a `session/update`, whatever it is. While a replay repeats what is
 * already here, only settings are taken.
 */
export function applyUpdate(state: SessionState, update: unknown, at: number): SessionState {
  const fields = isObject(update) ? update : {};
  const settings = applySetting(state, fields);
  if (settings !== undefined) return settings;
  return state.open.repeating ? state : applyToEntries(state, fields, update, at);
}

/** The state after an update of a setting; `undefined` for any other kind. */
function applySetting(state: SessionState, update: JsonObject): SessionState | undefined {
  switch (update.sessionUpdate) {
    case "available_commands_update":
      return applyCommands(state, update.availableCommands);
    case "current_mode_update":
      return applyMode(state, update.currentModeId);
    case "config_option_update":
      return applyConfigOptions(state, update.configOptions);
    case "session_info_update":
      return applyInfo(state, update);
    case "usage_update":
      return applyUsage(state, update);
    default:
      return undefined;
  }
}

function applyToEntries(
  state: SessionState,
  update: JsonObject,
  raw: unknown,
  at: number,
): SessionState {
  switch (update.sessionUpdate) {
    case "user_message_chunk":
      return addChunk(state, "user", update, at);
    case "agent_message_chunk":
      return addChunk(closeRefused(state, at), "agent", update, at);
    case "agent_thought_chunk":
      return addChunk(closeRefused(state, at), "thought", update, at);
    case "tool_call":
      return announceCall(closeRefused(state, at, parseToolCallId(update)), update, at);
    case "tool_call_update":
      return updateCall(state, update, at);
    case "plan":
      return setPlan(state, update, at);
    case "compaction_update":
      return updateCompaction(state, update, at);
    case "compaction_summary_chunk":
      return addSummaryChunk(state, update, at);
    case "notice":
      return addAgentNotice(state, update, at);
    default: {
      const name = asString(update.sessionUpdate) ?? "(no kind)";
      return appendEntry(state, { kind: "unknown", name, raw }, at, "none");
    }
  }
}

function addAgentNotice(state: SessionState, update: JsonObject, at: number): SessionState {
  const title = asString(update.title)?.trim();
  const description = asString(update.description)?.trim();
  if (!title && !description) return state;
  const notice = {
    kind: "notice" as const,
    severity: parseSeverity(update.severity),
    text: title || description || "",
    ...optional("detail", title ? description || undefined : undefined),
    origin: "agent" as const,
  };
  return appendEntry(state, notice, at, "none");
}

function parseSeverity(severity: unknown): NoticeEntry["severity"] {
  return severity === "warning" || severity === "error" ? severity : "info";
}
