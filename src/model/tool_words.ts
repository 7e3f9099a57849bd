/**
 * What tool calls do, in words for people.
 *
 * @module
 */

/** The words that mean what a kind of call does, first the one that is used here. */
const VERBS: ReadonlyMap<string, readonly [string, ...string[]]> = new Map([
  ["read", ["read", "view", "open", "show", "list"]],
  ["edit", ["edit", "write", "create", "update", "change", "modify", "replace", "insert", "patch"]],
  ["delete", ["delete", "remove"]],
  ["move", ["move", "rename"]],
  ["search", ["search", "find", "look"]],
  ["execute", ["run", "execute"]],
  ["fetch", ["fetch", "download"]],
  ["switch_mode", ["switch the mode"]],
]);

/** Said of a call that names neither arguments nor files. */
export const NO_DETAILS = "The agent gives no details of this call.";

/** What a call of a kind does: `run`, `read`, `edit`; `undefined` for a kind that says nothing. */
export function verbOf(toolKind: string): string | undefined {
  if (toolKind === "other") return undefined;
  return VERBS.get(toolKind)?.[0] ?? toolKind.replaceAll("_", " ");
}

/** That verb with a blank, to stand before a title; empty where the title says what is done. */
export function verbBefore(toolKind: string, title: string): string {
  const verb = verbOf(toolKind);
  return verb === undefined || saysWhatIsDone(toolKind, title) ? "" : `${verb} `;
}

/**
 * Whether a title says by its first word what a call of its kind does: `Write a.txt` of an edit. The
 * words of other kinds do not count. A title of a command may be the command: `find .` says nothing.
 */
export function saysWhatIsDone(toolKind: string, title: string): boolean {
  const [first = ""] = title.split(/\s/u, 1);
  if (toolKind === "execute" && !/^[A-Z]/.test(first)) return false;
  const word = first.toLowerCase();
  return VERBS.get(toolKind)?.includes(word) ?? word === toolKind;
}
