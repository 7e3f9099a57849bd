import assert from "node:assert/strict";
import { HANDSHAKE } from "../support/scripted_agent.ts";
import { openProgram } from "./program_support.ts";

Deno.test("/theme says what colours are made for, and changes that", async () => {
  await using program = await openProgram(HANDSHAKE, { settings: { theme: "dark" } });
  const { app } = program;
  assert.equal(app.state.theme, "dark");
  await app.submit("/theme");
  await app.submit("/theme light");
  assert.equal(app.state.theme, "light");
  await app.submit("/theme pink");
  assert.equal(app.state.theme, "light");
  assert.deepEqual(program.notices(), [
    "Now colours are made for a dark background",
    "From now on colours are made for a light background",
    "Cannot use the theme pink: it is auto, dark or light",
  ]);
});

Deno.test("/theme says so where there are no colours that it could change", async () => {
  await using program = await openProgram(HANDSHAKE, { settings: { theme: "dark" } });
  const { app } = program;
  app.colourless = true;
  await app.submit("/theme light");
  await app.submit("/theme");
  assert.equal(app.state.theme, "dark");
  for (const notice of program.notices()) {
    assert.match(notice, /^There are no colours here that a theme could change/);
  }
  assert.equal(program.notices().length, 2);
});

Deno.test("/doctor shows what was found, and how to mend it", async () => {
  const examine = () =>
    Promise.resolve(
      [
        { state: "ok", what: "Deno", found: "2.9" },
        { state: "fail", what: "agent", found: "not there", mend: "Install it." },
      ] as const,
    );
  await using program = await openProgram(HANDSHAKE, { examine });
  await program.app.submit("/doctor");
  assert.deepEqual(program.outputs, ["- ok: Deno: 2.9\n- FAIL: agent: not there\n  - Install it."]);
});
