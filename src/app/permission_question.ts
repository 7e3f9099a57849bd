/**
 * The permission questions of one session, put into the line of questions.
 *
 * @module
 */

import { isObject } from "../base/guards.ts";
import type { Unsubscribe } from "../base/listeners.ts";
import type { SessionChange, SessionStore } from "../model/session_store.ts";
import { NO_DETAILS, saysWhatIsDone, verbOf } from "../model/tool_words.ts";
import type { PermissionOption, SessionState, ToolContent, ToolEntry } from "../model/session.ts";
import type { NewQuestion, QuestionQueue } from "./questions.ts";
import type { QuestionAnswer, QuestionOption } from "./view.ts";

/** Lines of one part of a question, at most; what is longer is counted. */
const PART_LINES = 40;

/** Settles a question at the session: an option, or `null` for `cancelled`; `entry` is the call. */
export type AnswerPermission = (
  requestId: string,
  optionId: string | null,
  entry: ToolEntry,
) => void;

/** What asking needs. */
export interface PermissionWatch {
  readonly questions: QuestionQueue;
  readonly answer: AnswerPermission;
  /** Where a remote agent is; absent for one on this machine. */
  readonly host?: string | undefined;
  /** Settles when the rules have had their say. Default: at once. */
  readonly decided?: () => Promise<void>;
}

/** Asks a person about every permission question of a session that no rule has answered. */
export function watchPermissions(
  store: SessionStore,
  { questions, answer, host, decided = () => Promise.resolve() }: PermissionWatch,
): Unsubscribe {
  const open = new Map<string, string>();
  let watching = true;
  const stop = store.subscribe(({ event }: SessionChange) => {
    if (event.type === "permission_answered") withdraw(event.requestId);
    // Only what still waits after the rules were tested is asked.
    if (event.type === "permission_asked") {
      setTimeout(() => void decided().then(() => ask(event.requestId)), 0);
    }
  });

  function withdraw(requestId: string): void {
    const id = open.get(requestId);
    open.delete(requestId);
    if (id !== undefined) questions.withdraw(id);
  }

  function ask(requestId: string): void {
    const entry = watching ? findAsked(store.state, requestId) : undefined;
    if (entry?.permission === undefined || entry.permission.answer !== undefined) return;
    const { options } = entry.permission;
    const question = questions.open(permissionQuestion(entry, options, store, host));
    open.set(requestId, question.id);
    void question.answer.then((given) => {
      if (open.delete(requestId)) answer(requestId, chosenOption(given, options), entry);
    });
  }

  return () => {
    watching = false;
    stop();
    for (const requestId of [...open.keys()]) withdraw(requestId);
  };
}

function findAsked(state: SessionState, requestId: string): ToolEntry | undefined {
  // A call that waits is open.
  for (const index of state.open.calls) {
    const entry = state.entries.at(index);
    if (entry?.kind === "tool" && entry.permission?.requestId === requestId) return entry;
  }
  return undefined;
}

/** The option that an answer stands for: refusing without a word is `reject_once`, else `null`. */
function chosenOption(
  answer: QuestionAnswer,
  options: readonly PermissionOption[],
): string | null {
  if (answer.type === "option") return answer.id;
  return options.find((option) => option.kind === "reject_once")?.optionId ?? null;
}

/** The question about a tool call, in our own words; `host` is where a remote agent is. */
function permissionQuestion(
  entry: ToolEntry,
  options: readonly PermissionOption[],
  store: SessionStore,
  host: string | undefined,
): NewQuestion {
  return {
    kind: "permission",
    title: questionTitle(entry),
    ...(host === undefined ? {} : { origin: originLine(host) }),
    body: describeCall(entry),
    options: options.map(questionOption),
    toolCallId: entry.toolCallId,
    store,
  };
}

/** `Let the agent run: date`; a title that says what is done is enough. */
function questionTitle({ toolKind, title }: ToolEntry): string {
  const verb = verbOf(toolKind);
  if (verb === undefined) return `Let the agent use a tool: ${title}`;
  return saysWhatIsDone(toolKind, title)
    ? `Let the agent do this: ${title}`
    : `Let the agent ${verb}: ${title}`;
}

/** Says that a question comes from another machine, when it does. */
export function originLines(host: string | undefined): readonly string[] {
  return host === undefined ? [] : [originLine(host)];
}

function originLine(host: string): string {
  return `The request comes from the remote host ${host}`;
}

/** What a tool call is about to do, as far as the agent has told. Unsanitised lines. */
function describeCall(entry: ToolEntry): readonly string[] {
  const input = describeInput(entry.rawInput);
  const content = entry.content.flatMap(describeContent);
  const files = entry.locations.map(({ path, line }) =>
    `file: ${path}${line === undefined ? "" : `:${line}`}`
  );
  const lines = [...input, ...files, ...content];
  return lines.length > 0 ? lines : [NO_DETAILS];
}

function describeInput(input: unknown): readonly string[] {
  if (input === undefined || input === null) return [];
  if (typeof input === "string") return bounded(input.split("\n"));
  if (!isObject(input)) return bounded(JSON.stringify(input, null, 2).split("\n"));
  return Object.entries(input).flatMap(([key, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const [first = "", ...rest] = (text ?? "").split("\n");
    return [`${key}: ${first}`, ...bounded(rest).map((line) => `  ${line}`)];
  });
}

function describeContent(content: ToolContent): readonly string[] {
  switch (content.type) {
    case "content":
      return content.content.type === "text" ? bounded(content.content.text.split("\n")) : [];
    case "diff": {
      const { path, oldText, newText } = content;
      return oldText === undefined
        ? [`new file: ${path}`, ...bounded(splitLines(newText).map((line) => `+ ${line}`))]
        : [`change: ${path}`, ...changedLines(splitLines(oldText), splitLines(newText))];
    }
    case "terminal":
    case "unknown":
      return [];
  }
}

/** The part between what both texts begin and end with. */
function changedLines(before: readonly string[], after: readonly string[]): readonly string[] {
  const least = Math.min(before.length, after.length);
  let start = 0;
  while (start < least && before[start] === after[start]) start++;
  let end = 0;
  while (end < least - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const part = (lines: readonly string[], sign: string) =>
    bounded(lines.slice(start, lines.length - end).map((line) => `${sign} ${line}`));
  return [`  from line ${start + 1}:`, ...part(before, "-"), ...part(after, "+")];
}

function splitLines(text: string): readonly string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

function bounded(lines: readonly string[]): readonly string[] {
  if (lines.length <= PART_LINES) return lines;
  return [...lines.slice(0, PART_LINES), `… ${lines.length - PART_LINES} more lines`];
}

const KIND_WORDS: ReadonlyMap<string, string> = new Map([
  ["allow_once", "allows this time"],
  ["allow_always", "allows always"],
  ["reject_once", "refuses this time"],
  ["reject_always", "refuses always"],
]);

function questionOption(option: PermissionOption): QuestionOption {
  const words = KIND_WORDS.get(option.kind);
  const base = { id: option.optionId, label: option.name === "" ? option.optionId : option.name };
  if (words === undefined) return { ...base, hint: `unknown kind: ${option.kind}` };
  return disagrees(option) ? { ...base, hint: words } : base;
}

/** Whether the name lets a person expect something else than the kind says. */
function disagrees({ kind, name }: PermissionOption): boolean {
  const refusing = /\b(no|not|never|reject|deny|refuse|cancel|disallow|don't|skip)\b/iu.test(name);
  const lasting = /\b(always|every|session|again|never|all|remember|permanent\w*)\b/iu.test(name);
  return refusing !== kind.startsWith("reject") || lasting !== kind.endsWith("always");
}
