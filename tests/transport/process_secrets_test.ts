import assert from "node:assert/strict";
import {
  secretsOfCommand,
  secretsOfProcess,
  secretsOfServers,
} from "../../src/transport/process_secrets.ts";

Deno.test("secretsOfProcess() gives the values behind secret names, its own environment first", () => {
  const env = { OPENAI_API_KEY: "own-key-1", PATH: "/usr/bin" };
  const inherited = { OPENAI_API_KEY: "inherited-1", DB_PASSWORD: "hunter22", HOME: "/home/a" };
  const secrets = secretsOfProcess({ args: ["--token", "arg-123"], env }, inherited);
  assert.deepEqual(secrets, ["arg-123", "own-key-1", "hunter22"]);
});

Deno.test("secretsOfProcess() takes no words, small numbers and paths for secrets", () => {
  const inherited = {
    USES_TOKEN: "1",
    TOKEN_KIND: "bearer",
    SECRET_STORE: "keyring",
    MAX_TOKEN_COUNT: "128000",
    CREDENTIAL_PLACE: "/run/user/1000/keys",
    PASSWORD_FILE: "pass-1234.txt",
  };
  assert.deepEqual(secretsOfProcess({ args: [] }, inherited), []);
});

Deno.test("secretsOfServers() gives what servers are reached with, and lives with nonsense", () => {
  const secrets = secretsOfServers([
    {
      command: "db",
      args: ["--password=p4ssword", 5],
      env: [{ name: "TOKEN", value: "tok-1234" }],
    },
    { url: "https://h/?key=k3y-12345", headers: [{ name: "X", value: "Bearer abcdefgh1" }] },
    null,
    { env: [null, {}], url: 3 },
  ]);
  assert.deepEqual([...new Set(secrets)].toSorted(), [
    "Bearer abcdefgh1",
    "abcdefgh1",
    "k3y-12345",
    "p4ssword",
    "tok-1234",
  ]);
  assert.deepEqual(secretsOfServers("none"), []);
});

Deno.test("secretsOfServers() gives all of an environment, whatever its names say", () => {
  const env = [{ name: "SEED", value: "alpha-beta-1" }, { name: "MODE", value: "production" }];
  assert.deepEqual(secretsOfServers([{ command: "db", env }]), ["alpha-beta-1"]);
});

Deno.test("passwords in addresses are secrets by themselves", () => {
  const address = "postgres://app:p%40ss-word@db.example/x";
  const both = ["p%40ss-word", "p@ss-word"];
  assert.deepEqual(secretsOfProcess({ args: ["--db", address] }, {}), both);
  assert.deepEqual(secretsOfProcess({ args: [] }, { DATABASE_URL: address, HOME: "/h" }), both);
  assert.deepEqual(secretsOfCommand({ args: [address, "https://h:8080/a@b"] }), both);
  assert.deepEqual(secretsOfCommand({ env: [{ name: "DB_PASS", value: "p4ss-1234" }] }), [
    "p4ss-1234",
  ]);
  assert.deepEqual(secretsOfProcess({ args: [] }, { PWD: "/project", OLDPWD: "/project" }), []);
});
