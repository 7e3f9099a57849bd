import assert from "node:assert/strict";
import { describeAgent } from "../../src/model/agent_spec.ts";

Deno.test("describeAgent() names an agent by how it is reached", () => {
  assert.equal(describeAgent({ kind: "process", command: "mm", args: ["-acp"] }), "mm -acp");
  assert.equal(describeAgent({ kind: "demo" }), "demo");
  assert.equal(describeAgent({ kind: "remote", url: "wss://h/acp" }), "wss://h/acp");
});

Deno.test("describeAgent() leaves out of an address what may be secret", () => {
  const url = "https://me:pw@h:8080/acp?key=s3cret#x";
  assert.equal(describeAgent({ kind: "remote", url }), "https://h:8080/acp");
  const odd: [string, string][] = [
    ["nonsense", "nonsense"],
    ["http://me:pw@h:99999/acp?key=s3cret", "http://h:99999/acp"],
    ["ftp:me:pw@h/acp", "ftp://h/acp"],
    ["https://me:p/w@h:x/acp", "https://h:x/acp"],
    ["me:pw@h/acp?key=s3cret\nmore", "h/acp"],
  ];
  for (const [url, name] of odd) assert.equal(describeAgent({ kind: "remote", url }), name);
});
