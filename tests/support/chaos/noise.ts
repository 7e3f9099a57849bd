/**
 * What the hostile agent writes that is no message, or one too many, or one that is far too long.
 *
 * @module
 */

import { hostileText, junk, MARK, mutated, SEQUENCES } from "./hostile_values.ts";
import type { Scene } from "./requests.ts";
import { chunk, updateOf } from "./updates.ts";
import { lineOf, pause } from "./wire.ts";

/** Lines that are text, JSON that is no message, bytes that are no text. */
export function writeNoise({ random, wire }: Scene): void {
  for (let count = random.int(1, 10); count > 0; count--) {
    const line = random.pick([
      "[agent] adapter ready",
      `\x1b]0;${MARK}\x07`,
      "42",
      "null",
      "[1,2]",
      "{}",
      "{",
      '{"jsonrpc":"2.0"}',
      '{"jsonrpc":"2.0","method":5,"id":1}',
      '{"id":1,"level":"info","msg":"x"}',
      '[{"jsonrpc":"2.0","id":77,"method":"x"}]',
      `{"jsonrpc":"2.0","method":"session/update","params":${"[".repeat(50_000)}`,
      `{"jsonrpc":"2.0","method":"_x","params":${"[".repeat(50_000)}${"]".repeat(50_000)}}`,
      "",
      "\r",
      "\ufeff",
      hostileText(random).replaceAll("\n", " "),
    ]);
    wire.write(random.chance(0.8) ? `${line}\n` : `${line}\r\n`);
  }
  if (random.chance(0.3)) wire.write(Uint8Array.from([0xff, 0xfe, 0xc3, 0x28, 0x00, 0x0a]));
}

/** Updates with the wrong types everywhere. */
export function sendBrokenUpdates({ random, wire, sessionId }: Scene): void {
  for (let count = random.int(1, 15); count > 0; count--) {
    const update = updateOf(random, sessionId);
    wire.send({ ...update, params: mutated(random, update.params) });
  }
}

/** Updates of every kind, for this session, another one, or none. */
export function sendUpdates({ random, wire, sessionId }: Scene): void {
  for (let count = random.int(1, 20); count > 0; count--) {
    wire.send(updateOf(random, random.chance(0.9) ? sessionId : random.pick(["s9", ""])));
  }
}

/** Answers that nobody waits for. */
export function sendStrayAnswers({ random, wire }: Scene): void {
  for (let count = random.int(1, 6); count > 0; count--) {
    const id = random.pick([0, "0", 99_999, -1, null, {}, "x", 1.5, true]);
    wire.send(random.chance(0.5) ? { id, result: junk(random) } : { id, error: junk(random) });
  }
}

/** A sequence that is cut at a random place, the rest of it in the next update. */
export function cutSequences({ random, wire, sessionId }: Scene): void {
  for (let count = random.int(1, 8); count > 0; count--) {
    const text = `before${random.pick(SEQUENCES)}after \ud83d\ude00`;
    const at = random.int(0, text.length);
    wire.send(chunk(text.slice(0, at), sessionId));
    if (random.chance(0.3)) wire.send(updateOf(random, sessionId));
    wire.send(chunk(text.slice(at), sessionId));
  }
}

/** A line in many pieces, or several lines in one. */
export async function drip({ random, wire, sessionId }: Scene): Promise<void> {
  const text = lineOf(chunk(`drip 日本語🙂é ${hostileText(random)}`, sessionId)) +
    lineOf(updateOf(random, sessionId));
  const bytes = new TextEncoder().encode(text);
  const size = random.pick([1, 3, 7, 100]);
  for (let at = 0; at < bytes.length; at += size) {
    wire.write(bytes.subarray(at, at + size));
    if (at < 60) await pause(1);
  }
}

/** More than anybody can read. */
export function flood({ random, wire, sessionId }: Scene): void {
  switch (random.int(0, 3)) {
    case 0: {
      const line = lineOf(chunk(`flood ${hostileText(random)} `, sessionId));
      for (let count = 0; count < 20; count++) wire.write(line.repeat(50));
      break;
    }
    case 1: {
      const line = `${hostileText(random)} on stderr \x1b[2J\n`.padStart(1_000, "x");
      for (let count = 0; count < 100; count++) wire.stderr(line.repeat(20));
      break;
    }
    case 2:
      for (let count = 0; count < 300; count++) wire.send(updateOf(random, sessionId));
      break;
    default:
      wire.write("noise without end ".repeat(20_000) + "\n");
  }
}

/** A line of many megabytes. */
export function sendHugeLine({ random, wire, sessionId }: Scene): void {
  const size = random.pick([200_000, 200_000, 2_000_000, 20_000_000]);
  const text = random.pick(["x", "line\n", "🙂", "\x1b[2J"]);
  const whole = text.repeat(Math.ceil(size / text.length));
  const content = { type: "text", text: whole };
  const update = random.pick([
    {
      sessionUpdate: "tool_call_update",
      toolCallId: "huge",
      content: [{ type: "content", content }],
    },
    {
      sessionUpdate: "tool_call",
      toolCallId: "huge",
      title: random.pick(["huge", whole.slice(0, 200_000)]),
      rawOutput: { stdout: whole },
    },
    {
      sessionUpdate: "tool_call",
      toolCallId: "diff",
      content: [{ type: "diff", path: "/x", oldText: "", newText: whole.slice(0, 2_000_000) }],
    },
    // What is said is shown, so this is kept shorter.
    {
      sessionUpdate: "agent_message_chunk",
      content: { ...content, text: whole.slice(0, 200_000) },
    },
  ]);
  const line = lineOf({ method: "session/update", params: { sessionId, update } });
  for (let at = 0; at < line.length; at += 1_000_000) wire.write(line.slice(at, at + 1_000_000));
}
