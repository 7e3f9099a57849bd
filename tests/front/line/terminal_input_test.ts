import assert from "node:assert/strict";
import { TerminalInput } from "../../../src/front/line/terminal_input.ts";

Deno.test("TerminalInput hides a line that comes again, and what is secret after it", () => {
  const calls: boolean[] = [];
  const input = new TerminalInput((hide) => {
    calls.push(hide);
    return hide;
  });
  assert.match(input.askAgain().join(), /was not sent.*Ctrl-C gives it up/);
  input.secret = true;
  assert.equal(input.takeAgain(), true);
  assert.equal(input.hidden, true);
  assert.equal(input.takeAgain(), false);
  input.secret = false;
  assert.equal(input.hidden, false);
  input.askAgain();
  input.restore();
  assert.equal(input.takeAgain(), false);
  assert.deepEqual(calls, [true, false, true, false]);
});
