/**
 * The session as a pure function of what happened to it.
 *
 * @module
 */

import { isLoss } from "../base/acp_errors.ts";
import { abandonCalls, answerPermission, askPermission, logTool } from "./calls.ts";
import { optional } from "./content.ts";
import { appendEntry, closeMessage, noEntries, nothingOpen, withOpen } from "./entries.ts";
import { addPrompt } from "./message.ts";
import { endPlan } from "./plan.ts";
import type { NoticeEntry, SessionEvent, SessionState, TurnOutcome } from "./session.ts";
import { applyConfigOptions, applyMode, applyModel, applyOpened } from "./settings.ts";
import { addTerminal, changeTerminal } from "./terminals.ts";
import { applyUpdate } from "./update.ts";
import { endCommand, startCommand } from "./user_commands.ts";
import { addWrittenFile } from "./written_files.ts";

/** A session that nothing has happened to. */
export function initialSession(cwd: string): SessionState {
  return {
    sessionId: "",
    cwd,
    entries: noEntries(),
    finalBefore: 0,
    open: nothingOpen(),
    turn: { state: "idle" },
    turns: 0,
    replaying: false,
    configOptions: [],
    commands: [],
    terminals: {},
    disconnected: false,
  };
}

/**
 * The session after an event. Pure and total: it never throws, whatever an agent sent, and leaves
 * `state` as it was. Its cost does not depend on the number of entries.
 *
 * When a turn ends, the tool calls that it leaves open are closed as `cancelled`, because nobody has
 * said how they ended; a later update of the agent may still say so.
 */
export function reduceSession(state: SessionState, event: SessionEvent): SessionState {
  const { at } = event;
  switch (event.type) {
    case "session_opened": {
      const { sessionId, cwd } = event;
      return applyOpened({ ...state, sessionId, cwd, disconnected: false }, event.response);
    }
    case "replay_started":
      return startReplay(state, at, event.known);
    case "replay_ended":
      return endReplay(state, at);
    case "update_received":
      return applyUpdate(state, event.update, at);
    case "prompt_sent":
      return startTurn(state, event.blocks, at);
    case "cancel_requested":
      if (state.turn.state === "idle") return state;
      return { ...state, turn: { ...state.turn, cancelRequested: true } };
    case "turn_ended":
      return endTurn(state, event.outcome, at);
    case "permission_asked": {
      const { requestId, options } = event;
      return askPermission(state, event.toolCall, { requestId, options, askedAt: at });
    }
    case "permission_answered":
      return answerPermission(state, event.requestId, event.answer, at);
    case "tool_logged":
      return logTool(state, event.tool, { kind: event.kind, text: event.text });
    case "terminal_created":
      return addTerminal(state, event.terminalId, event.command);
    case "terminal_output": {
      const { output, truncated } = event;
      return changeTerminal(state, event.terminalId, { output, truncated });
    }
    case "terminal_exited": {
      const { exitCode, signal } = event;
      const exited = changeTerminal(state, event.terminalId, { exit: { exitCode, signal } });
      return endCommand(exited, event.terminalId, at);
    }
    case "command_started":
      return startCommand(state, event, at);
    case "file_written":
      return addWrittenFile(state, event, at);
    case "title_listed":
      return state.title === undefined ? { ...state, title: event.title } : state;
    case "mode_changed":
      return applyMode(state, event.modeId);
    case "model_changed":
      return applyModel(state, event.modelId);
    case "config_changed":
      return applyConfigOptions(state, event.configOptions);
    case "notice_added":
      return addNotice(state, event, at);
    case "disconnected":
      return disconnect(state, event.reason, at);
  }
}

/** Ends everything that waits for more: the message, tool calls, compactions, the plan. */
function settle(state: SessionState, at: number): SessionState {
  return endPlan(abandonCalls(closeMessage(state, at), at), at);
}

function startTurn(state: SessionState, blocks: readonly unknown[], at: number): SessionState {
  const number = state.turns + 1;
  const started: SessionState = {
    ...endPlan(closeMessage(state, at), at),
    turns: number,
    turn: { state: "running", number, startedAt: at, cancelRequested: false },
  };
  return addPrompt(started, blocks, at);
}

function endTurn(state: SessionState, outcome: TurnOutcome, at: number): SessionState {
  const settled = settle(state, at);
  const notice = outcomeNotice(outcome) ?? (isSilent(settled) ? SILENCE : undefined);
  const noted = notice === undefined ? settled : addNotice(settled, notice, at);
  return { ...noted, turn: { state: "idle" }, lastOutcome: outcome };
}

/** True when nothing has come since the prompt: some agents end a turn so when their model failed. */
function isSilent(state: SessionState): boolean {
  return state.open.prompt === state.entries.length - 1;
}

/**
 * A session that already has its conversation (after a restart or a reload of tools) is not told it
 * again: the replay then only refreshes the settings.
 */
function startReplay(state: SessionState, at: number, known?: boolean): SessionState {
  const settled = settle(state, at);
  const repeating = known ?? settled.open.prompt !== undefined;
  return withOpen({ ...settled, replaying: true }, { ...settled.open, repeating });
}

function endReplay(state: SessionState, at: number): SessionState {
  const settled = settle(state, at);
  return withOpen({ ...settled, replaying: false }, { ...settled.open, repeating: false });
}

function disconnect(state: SessionState, reason: string, at: number): SessionState {
  if (state.disconnected) return state;
  const next = { ...state, disconnected: true };
  // In a turn the turn's own end says it, with the cause.
  if (state.turn.state === "running") return next;
  const { lastOutcome } = state;
  const said = lastOutcome?.ok === false && isLoss(lastOutcome.error);
  const settled = settle(next, at);
  return said ? settled : addNotice(settled, { severity: "warning", text: reason }, at);
}

type NewNotice = Pick<NoticeEntry, "severity" | "text" | "detail">;

function addNotice(state: SessionState, notice: NewNotice, at: number): SessionState {
  const { severity, text, detail } = notice;
  const body = { kind: "notice" as const, severity, text, ...optional("detail", detail) };
  return appendEntry(state, { ...body, origin: "repl" }, at, "none");
}

const SILENCE: NewNotice = { severity: "info", text: "The agent ended the turn without an answer" };

const STOP_NOTICES: Readonly<Record<string, NewNotice>> = {
  cancelled: { severity: "info", text: "The turn was cancelled" },
  refusal: { severity: "error", text: "The agent refused to go on" },
  max_tokens: { severity: "warning", text: "The turn ended at the token limit" },
  max_turn_requests: {
    severity: "warning",
    text: "The turn ended at the limit of model requests",
  },
};

function outcomeNotice(outcome: TurnOutcome): NewNotice | undefined {
  if (!outcome.ok) {
    const { message, hint, stderr } = outcome.error;
    const detail = [hint, stderr].filter((text) => text).join("\n");
    return { severity: "error", text: message, ...optional("detail", detail || undefined) };
  }
  const { stopReason } = outcome;
  if (stopReason === "end_turn") return undefined;
  return Object.hasOwn(STOP_NOTICES, stopReason)
    ? STOP_NOTICES[stopReason]
    : { severity: "warning", text: `The turn ended for an unknown reason: ${stopReason}` };
}
