/**
 * The line at the bottom: what the program does, and with what.
 *
 * @module
 */

import { counted } from "../../base/counted.ts";
import type { AppState } from "../../app/view.ts";
import type { Choice, Usage } from "../../model/session.ts";
import { duration, fit, tokenCount, widthOf } from "./layout.ts";
import type { Theme } from "./theme.ts";
import { nameLine, pathLine } from "../endless.ts";
import { sessionName } from "./session_name.ts";

/** What the line is made of. */
export interface StatusInput {
  readonly app: AppState;
  readonly now: number;
  /** For how long a question waits; absent without one. */
  readonly waitedMs?: number;
  /** A word to the person, in place of the session's details. */
  readonly hint?: string;
  /** What cancels a turn; nothing is said about that without. */
  readonly cancelKey?: string;
  readonly home?: string;
}

interface Part {
  readonly text: string;
  /** Lower ones go first when there is no room. */
  readonly weight: number;
}

const SEPARATOR = " · ";
/** Columns of one of them, and of the directory. */
const MAX_PART = 40;
const MAX_PATH = 80;

/** The status in at most `width` columns. */
export function renderStatus(input: StatusInput, width: number, theme: Theme): string {
  const { app, hint } = input;
  const state = stateWords(input);
  const styled = (text: string) => theme.style(state.calm ? "dim" : "accent", text);
  if (hint !== undefined) {
    return fit(`${styled(state.text)}${SEPARATOR}${theme.style("warning", hint)}`, width);
  }
  let parts = [...state.advice ?? [], ...details(app, input.home)];
  const line = () => [state.text, ...parts.map((part) => part.text)].join(SEPARATOR);
  while (parts.length > 0 && widthOf(line()) > width) {
    const least = Math.min(...parts.map((part) => part.weight));
    parts = parts.filter((part) => part.weight !== least);
  }
  const rest = parts.map((part) => part.text).join(SEPARATOR);
  if (rest === "") return styled(fit(state.text, width));
  return `${styled(state.text)}${theme.style("dim", `${SEPARATOR}${rest}`)}`;
}

interface State {
  readonly text: string;
  readonly calm: boolean;
  /** What a person can do about it. */
  readonly advice?: readonly Part[];
}

function stateWords({ app, now, waitedMs, cancelKey }: StatusInput): State {
  const { turn, replaying } = app.active.state;
  if (app.phase === "closing") return { text: "leaving", calm: false };
  if (app.reconnecting !== undefined) {
    return { text: `connection lost, try ${app.reconnecting}`, calm: false };
  }
  if (app.phase === "disconnected") return { text: "agent gone", calm: false };
  if (waitedMs !== undefined) {
    return { text: `waiting for your answer ${elapsed(waitedMs)}`, calm: false };
  }
  if (app.phase === "starting") return { text: "starting", calm: false };
  if (turn.state === "running") {
    const time = elapsed(now - turn.startedAt);
    if (turn.cancelRequested) return { text: `cancelling ${time}`, calm: false };
    const advice = cancelKey === undefined ? [] : [{ text: `${cancelKey} cancels`, weight: 8.2 }];
    return { text: `working ${time}`, calm: false, advice };
  }
  if (replaying) return { text: "loading", calm: true };
  return { text: app.underway?.length ? "waiting" : "idle", calm: true };
}

/** Whole seconds: the line changes once a second at most. */
function elapsed(ms: number): string {
  return ms < 9_950 ? `${Math.floor(Math.max(0, ms) / 1000)} s` : duration(ms);
}

function details(app: AppState, home: string | undefined): readonly Part[] {
  const { state } = app.active;
  const parts: readonly (Part | undefined)[] = [
    app.demo ? { text: "demo agent", weight: 7 } : { text: nameLine(app.agent), weight: 2 },
    choice(state.modes, 8),
    choice(state.models, 6),
    usage(state.usage),
    cost(state.usage),
    missed(app),
    underway(app),
    app.queue.length > 0 ? { text: `${app.queue.length} queued`, weight: 9 } : undefined,
    app.tools > 0 ? { text: counted(app.tools, "tool"), weight: 3 } : undefined,
    app.unopened
      ? { text: "no open session", weight: 9.5 }
      : { text: sessionName(state), weight: 1 },
  ];
  // One endless name must not take the place of everything else.
  return [
    ...parts.filter((part) => part !== undefined)
      .map((part) => ({ ...part, text: fit(part.text, MAX_PART) })),
    { text: directory(state.cwd, home), weight: 4 },
  ];
}

/** The command that waits longest for what it does, and how many others do. */
function underway({ underway = [] }: AppState): Part | undefined {
  const [oldest, ...others] = underway;
  if (oldest === undefined) return undefined;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return { text: `${nameLine(oldest)} …${more}`, weight: 9.2 };
}

/** What has happened in other sessions. */
function missed({ missed = [] }: AppState): Part | undefined {
  const updates = missed.reduce((sum, one) => sum + one.updates, 0);
  return updates === 0
    ? undefined
    : { text: `${counted(updates, "update")} elsewhere`, weight: 8.5 };
}

function choice(value: Choice | undefined, weight: number): Part | undefined {
  if (value === undefined || value.current === "") return undefined;
  const name = value.available.find((one) => one.id === value.current)?.name ?? value.current;
  return { text: nameLine(name), weight };
}

function usage(value: Usage | undefined): Part | undefined {
  if (value?.used === undefined) return undefined;
  if (!value.size) return { text: `${tokenCount(value.used)} tokens`, weight: 5 };
  const percent = Math.round(100 * value.used / value.size);
  return { text: `${tokenCount(value.used)}/${tokenCount(value.size)} (${percent}%)`, weight: 5 };
}

function cost(value: Usage | undefined): Part | undefined {
  if (value?.cost === undefined) return undefined;
  const { amount, currency } = value.cost;
  const digits = amount < 0.1 ? 4 : 2;
  const text = currency === "USD"
    ? `$${amount.toFixed(digits)}`
    : `${amount.toFixed(digits)} ${currency}`;
  return { text: nameLine(text), weight: 3.5 };
}

/** The end of an endless path tells more than its beginning. */
function directory(path: string, home: string | undefined): string {
  const text = pathLine(shortDirectory(path, home));
  return widthOf(text) <= MAX_PATH ? text : `…${[...text].slice(1 - MAX_PATH).join("")}`;
}

/** A directory with `~` for the home directory. */
function shortDirectory(path: string, home: string | undefined): string {
  if (home === undefined || home === "" || home === "/") return path;
  if (path === home) return "~";
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
