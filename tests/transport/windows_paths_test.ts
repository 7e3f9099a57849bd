import assert from "node:assert/strict";
import { memoryTransportPair } from "../../src/transport/memory.ts";
import { windowsAgent } from "../../src/transport/windows_agent.ts";
import {
  fromWindowsPath,
  toWindowsPath,
  windowsEnv,
  withWindowsPaths,
} from "../../src/transport/windows_paths.ts";

const PAIRS: readonly (readonly [ours: string, windows: string])[] = [
  ["/mnt/c/Users/a b", "C:\\Users\\a b"],
  ["/mnt/d", "D:\\"],
  ["/home/u/é", "\\\\wsl.localhost\\Debian\\home\\u\\é"],
  ["/mnt/data/x", "\\\\wsl.localhost\\Debian\\mnt\\data\\x"],
];

Deno.test("toWindowsPath() and fromWindowsPath() are each other's inverse", () => {
  for (const [ours, windows] of PAIRS) {
    assert.equal(toWindowsPath(ours, "Debian"), windows);
    assert.equal(fromWindowsPath(windows, "Debian"), ours);
  }
});

Deno.test("fromWindowsPath() takes other spellings, and leaves what is not ours", () => {
  assert.equal(fromWindowsPath("c:/Users/x", "Debian"), "/mnt/c/Users/x");
  assert.equal(fromWindowsPath("//wsl$/debian/home/u", "Debian"), "/home/u");
  assert.equal(fromWindowsPath("\\\\wsl$\\Other\\home", "Debian"), "\\\\wsl$\\Other\\home");
  assert.equal(fromWindowsPath("/home/u", "Debian"), "/home/u");
  assert.equal(fromWindowsPath("\\\\server\\share", "Debian"), "\\\\server\\share");
});

Deno.test("windowsAgent() is for Windows programs under WSL alone", () => {
  const wsl = (name: string) => name === "WSL_DISTRO_NAME" ? "Debian" : undefined;
  assert.equal(windowsAgent("/mnt/c/agent.EXE", wsl), "Debian");
  assert.equal(windowsAgent("agent", wsl), undefined);
  assert.equal(windowsAgent("agent.exe", () => undefined), undefined);
});

Deno.test("windowsEnv() names the variables that are to reach the program", () => {
  assert.deepEqual(windowsEnv({ A: "x\ny", B: "" }, "C/p"), {
    A: "x\ny",
    B: "",
    WSLENV: "C/p:A:B",
  });
  assert.deepEqual(windowsEnv({}, undefined), {});
});

Deno.test("withWindowsPaths() maps the paths of messages in both directions, and nothing else", async () => {
  const { transport, peer } = memoryTransportPair();
  const mapped = withWindowsPaths(transport, "Debian");
  const toAgent = peer.readable.getReader();
  const writer = mapped.writable.getWriter();
  const params = {
    cwd: "/home/u",
    additionalDirectories: ["/mnt/c/x"],
    text: "/home/u",
    env: null,
  };
  void writer.write({ jsonrpc: "2.0", id: 1, method: "session/new", params });
  assert.deepEqual((await toAgent.read()).value, {
    jsonrpc: "2.0",
    id: 1,
    method: "session/new",
    params: {
      ...params,
      cwd: "\\\\wsl.localhost\\Debian\\home\\u",
      additionalDirectories: ["C:\\x"],
    },
  });
  const fromAgent = peer.writable.getWriter();
  const locations = [{ path: "C:\\x\\a.txt", line: 1 }, { path: "relative.txt" }];
  void fromAgent.write({
    jsonrpc: "2.0",
    method: "session/update",
    params: { update: { locations } },
  });
  const reader = mapped.readable.getReader();
  assert.deepEqual((await reader.read()).value, {
    jsonrpc: "2.0",
    method: "session/update",
    params: { update: { locations: [{ path: "/mnt/c/x/a.txt", line: 1 }, locations[1]] } },
  });
  await reader.cancel();
  await toAgent.cancel();
  await mapped.close();
});
