/**
 * What libraries write to the console: it would land in the middle of a drawn screen, or of the
 * answer on stdout, so it goes to the trace instead.
 *
 * @module
 */

/** Longest text of one call that is passed on, in characters. */
const MAX_LENGTH = 2_000;

let take: ((text: string) => void) | undefined;

/** Takes the console of this process away from whoever writes to it, for good. */
export function silenceConsole(): void {
  const methods: Record<string, unknown> = { ...globalThis.console };
  for (const [name, method] of Object.entries(methods)) {
    if (typeof method === "function") methods[name] = (...words: unknown[]) => note(words);
  }
  Object.assign(globalThis.console, methods);
}

/** Sets who gets the text of each call; until then it is dropped. The listener must not throw. */
export function onConsoleText(listener: (text: string) => void): void {
  take = listener;
}

function note(words: readonly unknown[]): void {
  if (take === undefined) return;
  const text = words.map((word) => typeof word === "string" ? word : Deno.inspect(word)).join(" ");
  take(text.slice(0, MAX_LENGTH));
}
