/**
 * Pictures: shown where the terminal can, else named with type and size.
 *
 * @module
 */

import assert from "node:assert/strict";
import { bytes, withTui } from "./harness.ts";

/** Variables by which terminals are told from each other. */
const NONE = { TERM_PROGRAM: undefined, KITTY_WINDOW_ID: undefined, ITERM_SESSION_ID: undefined };

for (
  const [terminal, env, sequence] of [
    ["kitty", { ...NONE, KITTY_WINDOW_ID: "1" }, "\x1b_G"],
    ["iTerm2", { ...NONE, TERM_PROGRAM: "iTerm.app" }, "\x1b]1337;File="],
  ] as const
) {
  Deno.test(`in ${terminal} a picture is shown between the texts around it, once`, async () => {
    await withTui(async ({ pty, screen, enter }) => {
      await enter("picture");
      await screen.waitFor((s) => s.text().includes("after") && s.text().includes("idle"));
      await pty.write("\x04");
      await pty.exited;
      const output = bytes(pty);
      const at = output.indexOf(sequence);
      assert.ok(at > output.indexOf("before") && at < output.lastIndexOf("after"));
      assert.equal(output.indexOf(sequence, at + 1), -1);
    }, { env });
  });
}

for (const env of [NONE, { ...NONE, KITTY_WINDOW_ID: "1", NO_COLOR: "1" }]) {
  Deno.test(`with ${JSON.stringify(env)} a picture is a line with its type and size`, async () => {
    await withTui(async ({ pty, screen, enter }) => {
      await enter("picture");
      await screen.waitFor(/before\n\n\[image image\/png, 70 bytes\]\n\nafter/);
      assert.ok(!bytes(pty).includes("\x1b_G"));
    }, { env });
  });
}
