/**
 * What may stand around a command without a change of what it does.
 *
 * @module
 */

/** Variables by which programs are told how to speak, and their values; never where anything is. */
const SPEECH =
  /^(?:CI|COLUMNS|DEBUG|FORCE_COLOR|LANG|LC_ALL|NODE_ENV|NO_COLOR|PYTHONUNBUFFERED|RUST_BACKTRACE|RUST_LOG|TERM)=[\w.,:*-]*$/;

/**
 * The words of a command without its trimmings: variables that say how it is to speak, `timeout 60`,
 * and `--no-pager` of git. `undefined` where it has none, or others.
 */
export function withoutTrimmings(
  assignments: readonly string[],
  words: readonly string[],
): readonly string[] | undefined {
  if (!assignments.every((assignment) => SPEECH.test(assignment))) return undefined;
  const timed = words[0] === "timeout" && /^\d+[smh]?$/.test(words[1] ?? "") && words.length > 2;
  const own = timed ? words.slice(2) : words;
  const quiet = own[0] === "git" && own[1] === "--no-pager";
  const rest = quiet ? ["git", ...own.slice(2)] : own;
  return rest.length < assignments.length + words.length ? rest : undefined;
}
