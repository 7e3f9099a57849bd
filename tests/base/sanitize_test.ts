import assert from "node:assert/strict";
import fc from "fast-check";
import {
  sanitizeAnsi,
  sanitizeLine,
  sanitizeText,
  type Sequences,
  StreamSanitizer,
} from "../../src/base/sanitize.ts";

/** Everything that can be cut badly, in one alphabet. */
const hostile = fc.array(
  fc.oneof(
    fc.constantFrom(
      ..."\x1b \x9b \x9d \x90 \x9c \x07 \x00 \x08 \x7f \x18 \r \n \t [ ] 3 1 ; : m K J P X ( B c \\ ? 8 0"
        .split(" "),
      "\x1b[31m",
      "\x1b[2J",
      "\x1b]0;title\x07",
      "\x1b]8;;http://x\x1b\\",
      "\r\n",
      "\u200d",
      "\u200c",
      "\ufe0f",
      "\u202e",
      "\u{E0067}",
      "\u{1F3F4}",
      "\u{1F468}",
      "\ud83d",
      "\ude00",
      "क",
      "्",
      "م",
      "é",
      "漢",
    ),
    fc.string({ unit: "binary", maxLength: 3 }),
  ),
  { maxLength: 40, size: "max" },
).map((parts) => parts.join(""));

// deno-lint-ignore no-control-regex
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b\u2028\u2029]/;
const modes: Sequences[] = ["drop", "colours", "reveal"];

function whole(text: string, mode: Sequences): string {
  const stream = new StreamSanitizer(mode);
  return stream.push(text) + stream.flush();
}

Deno.test("StreamSanitizer gives the same output for every split", () => {
  fc.assert(fc.property(
    hostile,
    fc.array(fc.nat(80)),
    fc.constantFrom(...modes),
    (text, cuts, mode) => {
      const stream = new StreamSanitizer(mode);
      const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)), text.length]
        .sort((a, b) => a - b);
      let out = "";
      places.forEach((place, index) => {
        out += stream.push(text.slice(place, places[index + 1] ?? text.length));
      });
      assert.equal(out + stream.flush(), whole(text, mode));
    },
  ));
});

Deno.test("StreamSanitizer gives the same output one unit at a time", () => {
  fc.assert(fc.property(hostile, fc.constantFrom(...modes), (text, mode) => {
    const stream = new StreamSanitizer(mode);
    const out = text.split("").map((unit) => stream.push(unit)).join("");
    assert.equal(out + stream.flush(), whole(text, mode));
  }));
});

Deno.test("sanitizeText() leaves no control, no bidi override and no lone surrogate", () => {
  fc.assert(fc.property(hostile, fc.constantFrom("drop", "reveal"), (text, mode) => {
    const clean = sanitizeText(text, mode);
    assert.doesNotMatch(clean, CONTROL);
    assert.ok(clean.isWellFormed());
    assert.doesNotMatch(sanitizeLine(text, mode), /[\n\t]/);
  }));
});

Deno.test("sanitizeText(), sanitizeLine() and sanitizeAnsi() are idempotent", () => {
  fc.assert(fc.property(hostile, (text) => {
    for (const sanitize of [sanitizeText, sanitizeLine, sanitizeAnsi]) {
      assert.equal(sanitize(sanitize(text)), sanitize(text));
    }
    assert.equal(sanitizeText(sanitizeText(text, "reveal")), sanitizeText(text, "reveal"));
  }));
});

Deno.test("sanitizeText() keeps printable text as it is", () => {
  const printable = fc.array(
    fc.constantFrom(..."aZ09 ~<>\"'\\|éßжあ漢字한글م😀€\u00a0\n\t\u0301", "👩‍💻", "❤️", "1️⃣"),
  ).map((parts) => parts.join("")).filter((text) => !/^\u0301/.test(text));
  fc.assert(fc.property(printable, (text) => assert.equal(sanitizeText(text), text)));
});

Deno.test("sanitizeAnsi() gives nothing but text and closed colours", () => {
  fc.assert(fc.property(hostile, (text) => {
    const clean = sanitizeAnsi(text);
    // deno-lint-ignore no-control-regex
    assert.doesNotMatch(clean.replace(/\x1b\[[\d;:]*m/g, ""), CONTROL);
    const last = clean.lastIndexOf("\x1b[");
    if (last >= 0) assert.match(clean.slice(last), /^.\[[0;]*m/);
  }));
});

Deno.test("sanitizeText() drops whole sequences and shows single controls", () => {
  const cases: [string, string][] = [
    ["a\x1b[31;1mred\x1b[0m b", "ared b"],
    ["a\x1b[?25l\x1b[2J\x1b[Hb", "ab"],
    ["\x1b]0;title\x07text", "text"],
    ["\x1b]8;;https://x.example\x1b\\link\x1b]8;;\x1b\\", "link"],
    ["\x1bP1$q\x1b\\\x1b_Gpayload\x1b\\\x1b^p\x1b\\\x1bXs\x1b\\t", "t"],
    ["\x9b31mred \x9d0;t\x9c!", "red !"],
    ["\x1b(Bplain\x1b7\x1bc", "plain"],
    ["end\x1b", "end␛"],
    ["\x1bé", "␛é"],
    ["\x1b[31é", "é"],
    ["\x00\x07\x08\x7f", "␀␇␈␡"],
    ["\x85\x9c", "<U+0085><U+009C>"],
    ["cut\x1b]0;no end\nnext", "cut\nnext"],
  ];
  for (const [text, clean] of cases) assert.equal(sanitizeText(text), clean);
});

Deno.test("sanitizeText() turns carriage returns into line ends, never into empty lines", () => {
  const cases: [string, string][] = [
    ["a\r\nb\r\n", "a\nb\n"],
    ["a\r\r\nb", "a\nb"],
    ["10%\r20%\r\x1b[K30%\r\n", "10%\n20%\n30%\n"],
    ["\rfirst", "first"],
    ["a\r\n\r\nb", "a\n\nb"],
    ["a\r\x1b[K\nb", "a\nb"],
  ];
  for (const [text, clean] of cases) assert.equal(sanitizeText(text), clean);
});

Deno.test("sanitizeText() shows invisible characters", () => {
  assert.equal(sanitizeText("a\u202eb\u2066\u200b\u00ad"), "a<U+202E>b<U+2066><U+200B><U+00AD>");
  assert.equal(sanitizeText("a\u{E0041}\u3164\u2028"), "a<U+E0041><U+3164><U+2028>");
  assert.equal(sanitizeText("a\u200db a\ufe0f"), "a<U+200D>b a<U+FE0F>");
  assert.equal(sanitizeText("😀\ufe0f\ufe0f\u{E0101}"), "😀\ufe0f<U+FE0F><U+E0101>");
  assert.equal(sanitizeText("\ud83d x \ude00"), "\ufffd x \ufffd");
});

Deno.test("sanitizeText() keeps joiners and selectors that text needs", () => {
  const texts = [
    "👨‍👩‍👧 🧑🏽‍🚀 🏳️‍🌈 👁️‍🗨️ ❤️‍🔥",
    "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "می‌خواهم",
    "क्‍ष ക്‍ ",
    "葛󠄀",
  ];
  for (const text of texts) assert.equal(sanitizeText(text), text);
  assert.equal(sanitizeText("👨\u200d"), "👨<U+200D>");
  assert.equal(sanitizeText("🏴\u{E0067}\u{E0062}x"), "🏴<U+E0067><U+E0062>x");
});

Deno.test("sanitizeText() hides nothing of what it reveals", () => {
  assert.equal(
    sanitizeText("ls \x1b]0;; rm -rf x; \x07\x1b[8m", "reveal"),
    "ls ␛]0;; rm -rf x; ␇␛[8m",
  );
});

Deno.test("sanitizeLine() gives one line", () => {
  assert.equal(sanitizeLine("\na\tb\r\nc\n"), "a b⏎c");
});

Deno.test("sanitizeAnsi() keeps colours and neither concealment nor anything else", () => {
  assert.equal(sanitizeAnsi("\x1b[1;31mred"), "\x1b[1;31mred\x1b[0m");
  assert.equal(sanitizeAnsi("\x1b[31mred\x1b[m"), "\x1b[31mred\x1b[m");
  assert.equal(sanitizeAnsi("\x9b38;5;8mgrey\x1b[0m"), "\x1b[38;5;8mgrey\x1b[0m");
  assert.equal(sanitizeAnsi("\x1b[8mhidden\x1b[1;8m!\x1b[0m"), "hidden\x1b[1m!\x1b[0m");
  assert.equal(sanitizeAnsi("\x1b[>4;1mx\x1b[2Jy\x1b[?1049h"), "xy");
});

Deno.test("StreamSanitizer holds back next to nothing of an endless sequence", () => {
  const stream = new StreamSanitizer();
  assert.equal(stream.push("\x1b]0;" + "x".repeat(1_000_000)), "");
  assert.equal(stream.push("\x07\x1b[" + "1".repeat(100_000)), "");
  assert.equal(stream.push("mseen"), "seen");
  assert.equal(stream.flush(), "");
});
