import assert from "node:assert/strict";
import { isOwnLaunch, parseLaunchSigns } from "../../src/process/desktop_launch.ts";

const NONE = parseLaunchSigns("HOME=/home/you\0", "0::/user.slice/session-1.scope\n");

Deno.test("parseLaunchSigns() finds the file of an application and its unit", () => {
  assert.deepEqual(NONE, { file: undefined, unit: undefined });
  assert.deepEqual(
    parseLaunchSigns(
      "A=GIO_LAUNCHED_DESKTOP_FILE=/no\0GIO_LAUNCHED_DESKTOP_FILE=/b.desktop\0B=1\0",
      "12:devices:/user.slice\n0::/user.slice/app.slice/app-b\\x2dc@1.service\n",
    ),
    { file: "/b.desktop", unit: "app-b\\x2dc@1.service" },
  );
  assert.equal(parseLaunchSigns("", "0::/app.slice/app-x.scope/inner\n").unit, undefined);
  assert.equal(parseLaunchSigns("", "0::/app.slice/run-u7.scope\n").unit, undefined);
});

Deno.test("isOwnLaunch() counts only signs that differ from ours", () => {
  const terminal = { file: "/terminal.desktop", unit: "app-terminal-1.scope" };
  assert.equal(isOwnLaunch(NONE, NONE), false);
  assert.equal(isOwnLaunch(NONE, terminal), false);
  assert.equal(isOwnLaunch(terminal, terminal), false);
  assert.equal(isOwnLaunch(terminal, NONE), true);
  assert.equal(isOwnLaunch({ ...terminal, file: "/browser.desktop" }, terminal), true);
  assert.equal(isOwnLaunch({ ...terminal, unit: "app-browser-2.scope" }, terminal), true);
});
