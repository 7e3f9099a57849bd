import assert from "node:assert/strict";
import { FrameConfirmations } from "../../../src/front/tui/frame_confirmations.ts";

const ASKS = "\x1b[5n";
const ANSWER = "\x1b[0n";

/** A terminal that is written to, and a clock. */
class Written {
  out = "";
  time = 10_000;
  readonly confirmations = new FrameConfirmations((text) => this.out += text, () => this.time);

  get asked(): number {
    return this.out.split(ASKS).length - 1;
  }

  frames(count: number): this {
    for (let i = 0; i < count; i++) this.confirmations.frame("frame");
    return this;
  }

  answer(after = 0): this {
    this.time += after;
    assert.ok(this.confirmations.take(ANSWER));
    return this;
  }
}

function isLate({ confirmations }: Written): boolean {
  confirmations.sizeChanged();
  return confirmations.takeLate();
}

Deno.test("one question for frames is on its way at a time, and the last frame is asked for", () => {
  const written = new Written().frames(5);
  assert.equal(written.asked, 1);
  written.answer(400);
  assert.equal(written.asked, 2, "for the four that came meanwhile");
  assert.ok(isLate(written));
  written.answer(400);
  assert.equal(written.asked, 2);
  assert.ok(!written.confirmations.pending);
  assert.ok(!isLate(written));
});

Deno.test("a frame is late when the size changes before it is confirmed, and once", () => {
  const written = new Written().frames(1).answer(1).frames(1);
  assert.ok(isLate(written));
  assert.ok(!written.confirmations.takeLate());
  written.answer(1);
  assert.ok(!isLate(written));
});

Deno.test("a terminal that never answers is asked once, and taken to draw at once", () => {
  const written = new Written().frames(3);
  written.time += 1_001;
  written.frames(100);
  assert.equal(written.asked, 1);
  assert.equal(written.confirmations.patienceMs, 0);
  assert.ok(isLate(written));
  written.time += 20;
  assert.ok(!isLate(written));
});

Deno.test("a terminal that answers late after all is asked again", () => {
  const written = new Written().frames(1);
  written.time += 1_500;
  written.frames(1).answer(500);
  assert.equal(written.asked, 2);
  written.answer(2_000);
  assert.ok(!isLate(written));
});

Deno.test("an answer that is lost is not waited for for ever", () => {
  const written = new Written().frames(1).answer(1).frames(2);
  written.time += 5_001;
  written.frames(1);
  assert.equal(written.asked, 3);
  written.answer(1);
  assert.ok(!isLate(written));
});

Deno.test("answers are waited for as long as they take, and no others are asked for then", async () => {
  const slow = new Written().frames(1).answer(400).frames(2);
  assert.equal(slow.confirmations.patienceMs, 1_200);
  const arrived = slow.confirmations.arrived();
  slow.answer(400);
  await arrived;
  assert.equal(slow.asked, 2);
  assert.equal(new Written().frames(1).confirmations.patienceMs, 1_000, "nothing is known of it");
  assert.equal(new Written().frames(1).answer(1).frames(1).confirmations.patienceMs, 300);
  assert.equal(new Written().frames(1).answer(4_000).frames(1).confirmations.patienceMs, 5_000);
});

Deno.test("what else the terminal is asked counts as well", () => {
  const written = new Written();
  written.confirmations.ask("\x1b[c");
  written.confirmations.ask("\x1b[6n");
  assert.equal(written.out, `\x1b[c${ASKS}\x1b[6n${ASKS}`);
  written.answer();
  assert.ok(written.confirmations.pending);
  written.answer();
  assert.ok(!written.confirmations.pending);
  assert.ok(!written.confirmations.take("\x1b[?62;c"));
});
