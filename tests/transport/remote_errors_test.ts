import assert from "node:assert/strict";
import { MmError } from "../../src/base/errors.ts";
import { explainRemote } from "../../src/transport/remote_errors.ts";

/** An error as `fetch` throws it. */
function fetchError(text: string): TypeError {
  const cause = new Error(
    `error sending request for url (https://h/?key=s3cret): client error (Connect): ${text}`,
  );
  return new TypeError("fetch failed", { cause });
}

Deno.test("explainRemote() explains the network without showing the whole address", () => {
  const cases: [string, string][] = [
    ["invalid peer certificate: UnknownIssuer", "its TLS certificate is not accepted"],
    ["received corrupt message of type InvalidContentType", "it does not speak TLS as it should"],
    ["dns error: failed to lookup address information", "the host is not known"],
    [
      "tcp connect error: Connection refused (os error 111)",
      "the server does not take connections",
    ],
  ];
  for (const [text, why] of cases) {
    const { reason, error } = explainRemote("https://h/", fetchError(text), false);
    assert.equal(reason, `${why} (${text})`);
    assert.equal(error.message, `Cannot connect to https://h/: ${reason}`);
    assert.equal(error.code, "handshake");
    assert.ok(error.hint);
  }
});

Deno.test("explainRemote() shows little of a server's answer, and that escaped", () => {
  const error = Object.assign(new Error("ACP POST failed"), {
    status: 503,
    body: `down\x1b[2J ${"x".repeat(10_000)}`,
  });
  const { reason } = explainRemote("https://h/", error, true);
  assert.match(reason, /^the server is not available \(HTTP 503\): down x+…$/);
  assert.ok(reason.length < 300);
  const page = Object.assign(new Error("ACP POST failed"), { status: 503, body: "<html>" });
  assert.equal(
    explainRemote("https://h/", page, true).reason,
    "the server is not available (HTTP 503)",
  );
});

Deno.test("explainRemote() keeps an error that is explained already", () => {
  const known = new MmError("handshake", "Cannot connect to x: it moved");
  assert.deepEqual(explainRemote("x", known, true), { reason: "it moved", error: known });
});
