import assert from "node:assert/strict";
import fc from "fast-check";
import { InputDecoder, type InputEvent } from "../../../src/front/tui/input_decoder.ts";

const encoder = new TextEncoder();

class Reader {
  time = 0;
  readonly decoder = new InputDecoder(() => this.time);
  readonly events: InputEvent[] = [];

  push(text: string | Uint8Array): this {
    const bytes = typeof text === "string" ? encoder.encode(text) : text;
    this.events.push(...this.decoder.push(bytes));
    return this;
  }

  /** Lets the time pass that the decoder wants to wait. */
  wait(): this {
    this.time += this.decoder.waitMs ?? 0;
    this.events.push(...this.decoder.flush());
    return this;
  }
}

Deno.test("text, keys and sequences are told apart", () => {
  const { events } = new Reader().push("ab\r\x1b[A\x1bOP\x1bb\x7fé");
  assert.deepEqual(events, [
    { type: "text", text: "ab" },
    { type: "key", data: "\r" },
    { type: "key", data: "\x1b[A" },
    { type: "key", data: "\x1bOP" },
    { type: "key", data: "\x1bb" },
    { type: "key", data: "\x7f" },
    { type: "text", text: "é" },
  ]);
});

Deno.test("a character and a sequence may come in pieces of any size", () => {
  fc.assert(fc.property(fc.array(fc.nat(12), { maxLength: 12 }), (cuts) => {
    const bytes = encoder.encode("日🙂\x1b[1;5C\x1b[200~a\nb\x1b[201~z");
    const reader = new Reader();
    let at = 0;
    for (const cut of cuts) reader.push(bytes.subarray(at, at += cut));
    reader.push(bytes.subarray(Math.min(at, bytes.length))).wait();
    const text = reader.events.map((event) => event.type === "text" ? event.text : "").join("");
    assert.equal(text, "日🙂z");
    assert.deepEqual(
      reader.events.filter((event) => event.type !== "text"),
      [{ type: "key", data: "\x1b[1;5C" }, { type: "paste", text: "a\nb" }],
    );
  }));
});

Deno.test("a lone ESC is the key after a moment", () => {
  const reader = new Reader().push("\x1b");
  assert.deepEqual(reader.events, []);
  assert.deepEqual(reader.wait().events, [{ type: "key", data: "\x1b" }]);
});

Deno.test("an end marker inside a paste does not end it", () => {
  const reader = new Reader().push("\x1b[200~a \x1b[201~ rm -rf x\r").push("\x1b[201~").wait();
  assert.deepEqual(reader.events, [{ type: "paste", text: "a  rm -rf x\r" }]);
});

Deno.test("keys after a paste come after it, once it is sure that it has ended", () => {
  const reader = new Reader().push("\x1b[200~a\x1b[201~\r");
  assert.deepEqual(reader.events, []);
  assert.deepEqual(reader.wait().events, [
    { type: "paste", text: "a" },
    { type: "key", data: "\r" },
  ]);
});

Deno.test("two pastes in a row are two pastes", () => {
  const reader = new Reader().push("\x1b[200~a\x1b[201~\x1b[200~b\x1b[201~").wait();
  assert.deepEqual(reader.events, [{ type: "paste", text: "a" }, { type: "paste", text: "b" }]);
});

Deno.test("a paste without an end is left by Ctrl-C, or after a while", () => {
  const left = new Reader().push("\x1b[200~abc");
  left.time += 2_000;
  left.push("\x03");
  assert.deepEqual(left.events, [{ type: "paste", text: "abc" }, { type: "key", data: "\x03" }]);
  const timedOut = new Reader().push("\x1b[200~abc").wait().push("x");
  assert.deepEqual(timedOut.events, [
    { type: "paste", text: "abc" },
    { type: "text", text: "x" },
  ]);
});

Deno.test("a Ctrl-C in the middle of pasted text is text", () => {
  const reader = new Reader().push("\x1b[200~a").push("\x03").push("b\x1b[201~").wait();
  assert.deepEqual(reader.events, [{ type: "paste", text: "a\x03b" }]);
});

Deno.test("answers of the terminal and focus reports are no keys", () => {
  const { events } = new Reader().push("\x1b[I\x1b]11;rgb:ffff/ffff/ffff\x07\x1b[?62;c\x1b[0n");
  assert.deepEqual(events.map((event) => event.type), ["focus", "reply", "reply", "reply"]);
});

Deno.test("an answer of the terminal in the middle of a paste does not become text", () => {
  const decoder = new InputDecoder();
  const bytes = (text: string) => new TextEncoder().encode(text);
  const events = [
    ...decoder.push(bytes("\x1b[200~one \x1b[0")),
    ...decoder.push(bytes("ntwo\x1b[201~")),
    ...decoder.flush(),
  ];
  assert.deepEqual(events, [{ type: "paste", text: "one two" }]);
});

Deno.test("answers of the terminal cut neither a paste, nor its marker, nor a character", () => {
  const whole = encoder.encode("\x1b[200~añ日\x1b[201~");
  for (let at = 1; at < whole.length; at++) {
    const answer = encoder.encode("\x1b[0n");
    const reader = new Reader().push(whole.subarray(0, at));
    reader.push(answer).push(whole.subarray(at)).wait();
    assert.deepEqual(reader.events, [
      { type: "reply", data: "\x1b[0n" },
      { type: "paste", text: "añ日" },
    ], `after ${at} bytes`);
  }
});

Deno.test("what is open is taken as it is in time, however many answers come meanwhile", () => {
  for (const [typed, taken] of [["\x1b", "key"], ["\x1b[200~text\x1b[201~", "paste"]] as const) {
    const reader = new Reader().push(typed);
    const most = reader.decoder.waitMs ?? 0;
    reader.time += most - 1;
    reader.push("\x1b[0n");
    assert.equal(reader.decoder.waitMs, 1);
    reader.wait();
    assert.deepEqual(reader.events.map(({ type }) => type), ["reply", taken]);
  }
});
