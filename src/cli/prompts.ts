/**
 * The prompts of a run with `-p`: from the arguments and from stdin.
 *
 * @module
 */

import { withoutMentions } from "../app/mentions.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import { MmError } from "../base/errors.ts";
import { NOT_TEXT, watchText } from "../base/watch_text.ts";
import { printErr } from "./output.ts";

/** How long piped stdin may stay silent before something is said about it, in milliseconds. */
const SILENCE_MS = 2_000;

/** Where stdin is read from. */
export interface Input {
  readonly readable: ReadableStream<Uint8Array>;
  readonly terminal: boolean;
}

/** What tests replace. */
export interface PromptOptions {
  readonly say?: (line: string) => void;
  readonly clock?: Clock;
}

/**
 * Checks what `-p` was given.
 *
 * @throws {MmError} `usage` for an empty prompt, or stdin named twice.
 */
export function checkPrompts(prompts: readonly string[]): void {
  if (prompts.some((prompt) => prompt.trim() === "")) {
    throw new MmError("usage", "Cannot send an empty prompt", {
      hint: "Give the text after -p, or - to read it from stdin.",
    });
  }
  if (prompts.filter((prompt) => prompt === "-").length > 1) {
    throw new MmError("usage", "Cannot read more than one prompt from stdin");
  }
}

/**
 * Completes the prompts from stdin. A prompt `-` is all of stdin. Without one, what is piped in is
 * added to the first prompt as context: a stdin that stays silent for two seconds is given up with a
 * line on stderr; once something has come, its end is waited for. What comes from stdin mentions no
 * files: others may have written it, and a diff is full of at signs.
 *
 * @throws {MmError} `usage` when `-` finds nothing to read.
 */
export async function completePrompts(
  prompts: readonly string[],
  input: Input,
  { say = printErr, clock = systemClock }: PromptOptions = {},
): Promise<readonly string[]> {
  checkPrompts(prompts);
  if (prompts.includes("-")) {
    const text = await readAll(input.readable, {
      clock,
      say,
      onSilence: () => void say("mm-repl: reading the prompt from stdin until its end …"),
    });
    if (text.trim() === "") {
      throw new MmError("usage", "Cannot send an empty prompt: stdin had no text", {
        hint: 'Pipe the prompt in: echo "PROMPT" | mm-repl -p -',
      });
    }
    return prompts.map((prompt) => prompt === "-" ? withoutMentions(text) : prompt);
  }
  if (input.terminal) return prompts;
  const context = await readAll(input.readable, {
    clock,
    say,
    onSilence(begun) {
      say(
        begun
          ? "mm-repl: waiting for the end of stdin …"
          : "mm-repl: nothing came from stdin for 2 s; going on without it (-p - waits for it)",
      );
      return begun ? "wait" : "stop";
    },
  });
  if (context.trim() === "") return prompts;
  const [first = "", ...rest] = prompts;
  return [`${first}\n\n${withoutMentions(context)}`, ...rest];
}

/**
 * Reads to the end, and says so when that was no text. `onSilence` is asked once before and once after
 * the first bytes.
 */
async function readAll(
  readable: ReadableStream<Uint8Array>,
  options: {
    readonly clock: Clock;
    readonly say: (line: string) => void;
    readonly onSilence: (begun: boolean) => "wait" | "stop" | void;
  },
): Promise<string> {
  const reader = readable.getReader();
  const decoder = new TextDecoder();
  const isText = watchText();
  let text = "";
  let stopped = false;
  const watch = (begun: boolean) =>
    options.clock.after(SILENCE_MS, () => {
      if (options.onSilence(begun) !== "stop") return;
      stopped = true;
      reader.cancel().catch(() => {});
    });
  let stopWatching = watch(false);
  try {
    for (let begun = false;; begun = true) {
      const { done, value } = await reader.read();
      if (done || stopped) break;
      text += decoder.decode(value, { stream: true });
      isText(value);
      if (begun) continue;
      stopWatching();
      stopWatching = watch(true);
    }
    if (!isText()) {
      options.say(`mm-repl: ${NOT_TEXT}`);
    }
    return text + decoder.decode();
  } finally {
    stopWatching();
  }
}
