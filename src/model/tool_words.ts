/**
 * What tool calls do, in words for people.
 *
 * @module
 */

/** Kinds whose name is not what a person would say. */
const VERBS: ReadonlyMap<string, string> = new Map([
  ["execute", "run"],
  ["switch_mode", "switch the mode"],
]);

/** Said of a call that names neither arguments nor files. */
export const NO_DETAILS = "The agent gives no details of this call.";

/** What a call of a kind does: `run`, `read`, `edit`; `undefined` for a kind that says nothing. */
export function verbOf(toolKind: string): string | undefined {
  if (toolKind === "other") return undefined;
  return VERBS.get(toolKind) ?? toolKind.replaceAll("_", " ");
}

/** Whether a title begins with what is done: `Run the tests`, `Edit a.txt`. */
export function startsWithVerb(title: string, verb: string): boolean {
  return title.toLowerCase().startsWith(verb);
}
