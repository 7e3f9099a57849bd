import assert from "node:assert/strict";
import { MmError } from "../../src/base/errors.ts";
import { explainRemote } from "../../src/transport/remote_errors.ts";
import { SocketClosed } from "../../src/transport/remote_stream.ts";
import { SecretMask } from "../../src/transport/secret_mask.ts";

/** An error as `fetch` throws it. */
function fetchError(text: string): TypeError {
  const cause = new Error(
    `error sending request for url (https://h/?key=s3cret): client error (Connect): ${text}`,
  );
  return new TypeError("fetch failed", { cause });
}

Deno.test("explainRemote() explains the network without showing the whole address", () => {
  const cases: [string, string][] = [
    ["proxy authentication required", "the proxy wants credentials"],
    ["unsuccessful tunnel", "the proxy does not let the connection through"],
    ["invalid peer certificate: UnknownIssuer", "its TLS certificate is not accepted"],
    ["received corrupt message of type InvalidContentType", "it does not speak TLS as it should"],
    ["Requests to port 9 are blocked", "nothing may connect to this port over HTTP"],
    ["dns error: failed to lookup address information", "the host is not known"],
    [
      "tcp connect error: Connection refused (os error 111)",
      "the server does not take connections",
    ],
  ];
  for (const [text, why] of cases) {
    const { reason, error } = explainRemote(fetchError(text), {
      name: "https://h/",
      established: false,
    });
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
  const { reason } = explainRemote(error, { name: "https://h/", established: true });
  assert.match(reason, /^the server is not available \(HTTP 503\): down x+…$/);
  assert.ok(reason.length < 400);
});

Deno.test("explainRemote() hides known secrets, in the cause as well", () => {
  const mask = new SecretMask();
  mask.add(["q-s3cret"]);
  for (
    const text of [
      "error sending request from 127.0.0.1:9 for http://h/acp?key=q-s3cret (127.0.0.1:1): client error (SendRequest): connection closed before message completed",
      "error sending request for url (http://h/acp?key=q-s3cret): tcp connect error",
      "a sentence of tomorrow about http://h/acp?key=q-s3cret",
    ]
  ) {
    const thrown = new TypeError(text, { cause: new Error(text) });
    const { reason, error } = explainRemote(thrown, { name: "http://h/", established: true, mask });
    assert.doesNotMatch([reason, error.message, error.hint].join(), /s3cret|sending request/);
    assert.doesNotMatch(Deno.inspect(error), /s3cret/);
  }
});

Deno.test("explainRemote() says for how long a server that refuses asks to be left alone", () => {
  const refused = Object.assign(new Error("ACP initialize failed"), { status: 503, body: "" });
  const context = { name: "http://h/", established: false, retryAfterMs: 5_000 };
  assert.equal(explainRemote(refused, context).error.retryAfterMs, 5_000);
  assert.equal(explainRemote(new Error("reset"), context).error.retryAfterMs, undefined);
});

Deno.test("explainRemote() has words for connections that break off", () => {
  for (
    const text of [
      "error reading a body from connection: unexpected EOF during chunk size line",
      "client error (SendRequest): connection closed before message completed",
      "Connection reset by peer (os error 104)",
    ]
  ) {
    const { reason, error } = explainRemote(new TypeError(text), { name: "x", established: true });
    assert.match(reason, /^the connection broke off \(/);
    assert.match(error.hint ?? "", /connect again/);
  }
});

Deno.test("explainRemote() tells the codes apart that servers close WebSockets with", () => {
  const of = (code: number) =>
    explainRemote(new SocketClosed(code, "why"), { name: "x", established: true });
  assert.equal(of(1000).reason, "the server closed the connection (why)");
  assert.equal(of(1012).reason, "the server closed the connection (1012: why)");
  assert.match(of(1012).error.hint ?? "", /connect again/);
  assert.match(of(1009).error.hint ?? "", /Send less/);
  // Another try would not mend it.
  for (const code of [3000, 3003, 4401, 4403]) assert.equal(of(code).error.code, "auth");
  assert.equal(of(4000).error.code, "agent_died");
});

Deno.test("explainRemote() keeps an error that is explained already", () => {
  const known = new MmError("handshake", "Cannot connect to x: it moved");
  assert.deepEqual(explainRemote(known, { name: "x", established: true }), {
    reason: "it moved",
    error: known,
  });
});

Deno.test("explainRemote() thinks of the proxy where nobody is reached", () => {
  const hint = (text: string) => {
    const context = { name: "http://h/", established: false, proxy: "HTTP_PROXY" };
    return explainRemote(new Error(text), context).error.hint;
  };
  assert.match(hint("tcp connect error") ?? "", /Check the URL.* the proxy of HTTP_PROXY: check/);
  assert.match(hint("dns error: no such host") ?? "", /the proxy of HTTP_PROXY/);
  assert.doesNotMatch(hint("invalid peer certificate") ?? "", /HTTP_PROXY/);
});
