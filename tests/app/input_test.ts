import assert from "node:assert/strict";
import { parseInput } from "../../src/app/input.ts";

const OWN = ["help", "exit", "tools", "mode"];
const AGENT = ["plan", "exit", "mcp: list files", "接口"];
const read = (text: string) => parseInput(text, OWN, AGENT);

Deno.test("parseInput() takes text without a slash as it stands", () => {
  assert.deepEqual(read("hello /exit"), { type: "prompt", text: "hello /exit" });
  assert.deepEqual(read("  two\nlines "), { type: "prompt", text: "  two\nlines " });
});

Deno.test("parseInput() takes nothing but white space as empty", () => {
  assert.deepEqual(read(""), { type: "empty" });
  assert.deepEqual(read(" \n\t"), { type: "empty" });
});

Deno.test("parseInput() takes a first word with a second slash as text", () => {
  for (const text of ["/home/user/a.txt why?", "/home/user/x is broken", "//comment", "/tmp/"]) {
    assert.deepEqual(read(text), { type: "prompt", text });
  }
});

Deno.test("parseInput() runs our commands with their arguments", () => {
  assert.deepEqual(read("/exit"), { type: "command", name: "exit", args: "" });
  assert.deepEqual(read("/exit now"), { type: "command", name: "exit", args: "now" });
  assert.deepEqual(read("/mode\nask "), { type: "command", name: "mode", args: "ask" });
});

Deno.test("parseInput() sends the agent's commands whole, names with spaces too", () => {
  for (const text of ["/plan", "/plan a\nb", "/plan\nmore", "/mcp: list files /x", "/接口 1"]) {
    assert.deepEqual(read(text), { type: "prompt", text });
  }
  assert.equal(read("/mcp: list filesystem").type, "unknown");
});

Deno.test("parseInput() refuses other words after a slash and names the nearest command", () => {
  assert.deepEqual(read("/eixt"), { type: "unknown", name: "eixt", suggestion: "exit" });
  assert.deepEqual(read("/PLAN"), { type: "unknown", name: "PLAN", suggestion: "plan" });
  assert.deepEqual(read("/too"), { type: "unknown", name: "too", suggestion: "tools" });
  assert.deepEqual(read("/tmp"), { type: "unknown", name: "tmp" });
  assert.deepEqual(read("/"), { type: "unknown", name: "" });
});

Deno.test("parseInput() takes a command after a space as text", () => {
  assert.deepEqual(read(" /exit"), { type: "prompt", text: " /exit" });
});

Deno.test("parseInput() prefers our command and reaches the agent's with a second slash", () => {
  assert.equal(read("/exit").type, "command");
  assert.deepEqual(read("//exit 1"), { type: "prompt", text: "/exit 1" });
  assert.deepEqual(read("//help"), { type: "prompt", text: "//help" });
});
