import assert from "node:assert/strict";
import { SecretMask, secretsOf } from "../../src/transport/secret_mask.ts";

function maskOf(url: string, headers: Record<string, string> = {}): SecretMask {
  const mask = new SecretMask();
  mask.add(secretsOf(new URL(url), headers));
  return mask;
}

Deno.test("SecretMask hides what it knows, in whatever form and wherever it stands", () => {
  const mask = maskOf("https://us3r:pass%2Fword@h/acp?key=a%20b%2Fc&lone-secret", {
    Authorization: "Bearer abc.def-ghi",
    Cookie: "sid=12345678; theme=dark",
  });
  for (
    const secret of [
      "pass/word",
      "pass%2Fword",
      btoa("us3r:pass/word"),
      "a b/c",
      "a%20b%2Fc",
      "lone-secret",
      "Bearer abc.def-ghi",
      "abc.def-ghi",
      "sid=12345678",
    ]
  ) {
    assert.equal(mask.text(`<${secret}>`), "<***>", secret);
  }
  assert.equal(mask.text("https://h/acp says dark things"), "https://h/acp says dark things");
});

Deno.test("SecretMask hides both halves of basic credentials, and a user name that is a token", () => {
  const basic = maskOf("https://h/", { Authorization: `Basic ${btoa("me:my:pass")}` });
  assert.equal(basic.text("me:my:pass, my:pass"), "***, ***");
  assert.equal(maskOf("https://ghp_token@h/").text("ghp_token"), "***");
});

Deno.test("SecretMask copies JSON only where something is hidden", () => {
  const mask = maskOf("https://h/?key=s3cret");
  const clean = { a: ["b", { c: 1 }], d: null };
  assert.equal(mask.json(clean), clean);
  const value = { keep: clean, list: ["x", "my s3cret"], s3cret: 1 };
  const masked = mask.json(value);
  assert.deepEqual(masked, { keep: clean, list: ["x", "my ***"], "***": 1 });
  assert.equal(masked.keep, clean);
  assert.deepEqual(value.list, ["x", "my s3cret"]);
});

Deno.test("SecretMask leaves text alone for the sake of a short value", () => {
  assert.equal(maskOf("https://h/?v=1&x=on", { "X-Id": "7" }).text("1 on 7"), "1 on 7");
});

Deno.test("SecretMask forgets passing secrets when there are many newer ones, and no other", () => {
  const mask = maskOf("https://h/?key=s3cret-for-good");
  const passing = (count: number) =>
    Array.from({ length: count }, (_, i) => `t0ken-${count}-${i}.`);
  mask.addPassing(passing(2));
  assert.equal(mask.text("t0ken-2-1."), "***");
  mask.addPassing(passing(300_000));
  for (let count = 10; count < 700; count++) mask.addPassing(passing(count).slice(-1));
  assert.equal(mask.text("t0ken-2-1."), "t0ken-2-1.");
  assert.equal(mask.text("t0ken-699-698. s3cret-for-good"), "*** ***");
});
