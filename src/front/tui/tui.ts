/**
 * The terminal front end: draws what the program is, and passes on what a person types.
 *
 * @module
 */

import type { AppChange } from "../../app/view.ts";
import { sanitizeLine } from "../../base/sanitize.ts";
import { Keyboard } from "./keyboard.ts";
import { wrapBehind } from "./layout.ts";
import { Painter, type TuiParts } from "./painter.ts";
import { TerminalDevice } from "./terminal.ts";
import { LONG_TURN_MS } from "./window_signals.ts";

/** Asks the terminal what it is. */
const ATTRIBUTES_REQUEST = "\x1b[c";
/** Longer texts are more than terminals take for their clipboard. */
const CLIPBOARD_BYTES = 74_000;
/** The keyboard is gone with its window. */
const HANGUP_STATUS = 129;

/** Draws until the program has ended; settles with its exit status, the terminal restored. */
export async function drawApp(parts: TuiParts): Promise<number> {
  const { app, background, theme } = parts;
  const terminal = new TerminalDevice({
    input: (bytes) => keyboard.read(bytes),
    inputEnded: () => void app.leave(HANGUP_STATUS),
    resized: () => painter.resized(),
    continued: () => painter.begin(),
  }, { colours: theme.name !== "plain", tmux: Boolean(parts.env("TMUX")) });
  const painter = new Painter(parts, terminal);
  const keyboard = new Keyboard(parts, painter, terminal);
  const watch = watchTurns(parts, painter, terminal);
  app.lendTerminal = (work) => painter.lend(() => terminal.lend(work));
  app.copyText = (text) => copyText(terminal, text);
  app.colourless = theme.name === "plain";
  const chooseBackground = () => terminal.ask(background.choose(app.state.theme ?? "auto"));
  const unsubscribe = app.subscribe((change) => {
    if (change.type === "session") {
      const { type } = change.change.event;
      if (type === "prompt_sent") keyboard.takeCommand();
      if (type === "notice_added" && change.store === app.state.active) {
        const command = keyboard.takeCommand();
        if (command !== undefined) painter.sayCommand(command);
      }
      painter.note(change.store, change.change);
    } else if (change.type === "output") {
      void painter.sayMarkdown(change.text, keyboard.takeCommand());
    }
    if (change.type === "state") chooseBackground();
    watch(change);
    painter.schedule();
  });
  terminal.start();
  terminal.ask(ATTRIBUTES_REQUEST);
  chooseBackground();
  painter.say(greeting(parts, terminal.size.columns));
  const started = painter.start();
  void keyboard.loadHistory();
  try {
    return await app.done;
  } finally {
    unsubscribe();
    app.lendTerminal = undefined;
    app.copyText = undefined;
    keyboard.end();
    await started;
    await painter.end();
    await terminal.stop();
  }
}

/** Asks the terminal to fill the clipboard; it does not say whether it did. */
function copyText(terminal: TerminalDevice, text: string): boolean {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > CLIPBOARD_BYTES) return false;
  terminal.write(`\x1b]52;c;${bytes.toBase64()}\x07`);
  return true;
}

function greeting({ app, keys, theme }: TuiParts, width: number): string[] {
  const name = app.state.demo ? "the demo agent" : sanitizeLine(app.state.agent);
  const text = `mm-repl with ${name} · ${keys.label("help")} shows the keys, /help the commands`;
  return wrapBehind("", text, width).map((line) => theme.style("dim", line));
}

/** Calls the person when a long turn has ended and the window has no focus. */
function watchTurns(
  { app }: TuiParts,
  painter: Painter,
  terminal: TerminalDevice,
): (change: AppChange) => void {
  let startedAt = 0;
  return (change) => {
    if (change.type !== "session" || change.store !== app.state.active) return;
    const { event } = change.change;
    if (event.type === "prompt_sent") startedAt = event.at;
    const long = event.type === "turn_ended" && event.at - startedAt > LONG_TURN_MS;
    if (long && !painter.focused) terminal.write(painter.window.notify("The agent has finished"));
  };
}
