import assert from "node:assert/strict";
import { chooseTheme, parseBackground, themeNamed } from "../../../src/front/tui/theme.ts";

const env = (values: Record<string, string>) => (name: string) => values[name];

Deno.test("chooseTheme() obeys the setting, NO_COLOR, FORCE_COLOR and TERM in this order", () => {
  assert.equal(chooseTheme({ env: env({ TERM: "xterm" }) }), "dark");
  assert.equal(chooseTheme({ env: env({ NO_COLOR: "1" }) }), "plain");
  assert.equal(chooseTheme({ env: env({ TERM: "xterm", NO_COLOR: "" }) }), "dark");
  assert.equal(chooseTheme({ color: "always", env: env({ NO_COLOR: "1" }) }), "dark");
  assert.equal(chooseTheme({ color: "never", env: env({ FORCE_COLOR: "1" }) }), "plain");
  assert.equal(chooseTheme({ env: env({ TERM: "dumb" }) }), "plain");
  assert.equal(chooseTheme({ env: env({ TERM: "dumb", FORCE_COLOR: "3" }) }), "dark");
  assert.equal(chooseTheme({ env: env({ TERM: "dumb", COLORTERM: "truecolor" }) }), "plain");
  assert.equal(chooseTheme({ env: env({ COLORTERM: "truecolor" }) }), "plain");
  assert.equal(chooseTheme({ env: env({ TERM: "vt100" }) }), "plain");
  assert.equal(chooseTheme({ env: env({ TERM: "vt100", COLORTERM: "1" }) }), "dark");
  assert.equal(chooseTheme({ theme: "light", env: env({ TERM: "xterm" }) }), "light");
  assert.equal(chooseTheme({ env: env({ TERM: "xterm", COLORFGBG: "0;15" }) }), "light");
});

Deno.test("the plain theme writes no attribute", () => {
  assert.equal(themeNamed("plain").style("error", "x"), "x");
  assert.equal(themeNamed("dark").style("error", "x"), "\x1b[31mx\x1b[39m");
  assert.equal(themeNamed("dark").style("user", "x"), "\x1b[1;36mx\x1b[22;39m");
});

Deno.test("parseBackground() tells dark from light", () => {
  assert.equal(parseBackground("\x1b]11;rgb:ffff/ffff/ffff\x07"), "light");
  assert.equal(parseBackground("\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\"), "dark");
  assert.equal(parseBackground("\x1b]11;rgb:f/f/f\x07"), "light");
  assert.equal(parseBackground("\x1b]11;?\x07"), undefined);
});
