/** @module */

import { MmError } from "../../base/errors.ts";
import { resolve } from "node:path";
import { codeBlock } from "../markdown.ts";
import type { Command, CommandHost } from "./command.ts";

/** Frames that are shown without a number. */
const SHOWN = 20;

const ARROWS = { in: "<-", out: "->", note: "--" } as const;

/** `/trace [N|FILE|off]`: what went over the wire. */
export const traceCommand: Command = {
  name: "trace",
  args: "[N|FILE|off]",
  help: "Show the last messages to and from the agent, or write all further ones to a file",
  atOnce: true,
  complete: () => [
    { insert: "off", label: "off", description: "Stop writing the file" },
  ],
  async run(args, host) {
    if (args === "" || /^\d+$/u.test(args)) return host.output(show(host, Number(args || SHOWN)));
    if (args === "off") {
      const stopped = host.trace.stop();
      return host.notice("info", stopped ? "The trace file is closed" : "No file is written");
    }
    if (/^-/u.test(args)) throw new MmError("usage", `Cannot trace to ${args}: it is no file name`);
    const path = resolve(host.active.store.state.cwd, args);
    await host.trace.start(path);
    host.notice("info", `Every message from now on is written to ${path}; /trace off stops that`);
  },
};

function show({ trace }: CommandHost, count: number): string {
  const frames = trace.ring.last(count);
  if (frames.length === 0) return "Nothing has been sent or received yet.";
  const lines = frames.map(({ at, direction, text }) =>
    `${new Date(at).toISOString().slice(11, 23)} ${ARROWS[direction]} ${text}`
  );
  return [
    codeBlock(lines.join("\n")),
    ...(trace.path === undefined ? [] : [`Written to \`${trace.path}\` as well.`]),
  ].join("\n\n");
}
