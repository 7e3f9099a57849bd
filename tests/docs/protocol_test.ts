/**
 * docs/protocol.md against the protocol library and the tests that it names.
 *
 * @module
 */

import assert from "node:assert/strict";
import { AGENT_METHODS, CLIENT_METHODS, PROTOCOL_METHODS } from "@agentclientprotocol/sdk";
import schema from "@agentclientprotocol/sdk/schema/v1/schema.json" with { type: "json" };
import { asArray, asObject } from "../../src/base/guards.ts";
import { ROOT, sourceFiles } from "../support/project.ts";

interface Row {
  readonly name: string;
  readonly since: string;
  readonly use: string;
  readonly test: string;
}

/** The rows of the tables, by the heading of their first column. */
async function rowsOf(kind: "Method" | "Update"): Promise<Row[]> {
  const text = await Deno.readTextFile(`${ROOT}/docs/protocol.md`);
  let heading = "";
  return text.split("\n").filter((line) => line.startsWith("|")).flatMap((line): Row[] => {
    const [first = "", since = "", use = "", test = ""] = line.slice(1, -1).split(" | ")
      .map((cell) => cell.replaceAll("|", "").trim());
    if (!first.startsWith("`")) {
      if (/^[A-Z]/.test(first)) heading = first;
      return [];
    }
    return heading === kind ? [{ name: first.slice(1, -1), since, use, test }] : [];
  });
}

/** Every kind of `session/update` in the library's stable schema. */
function updateKinds(): string[] {
  const { SessionUpdate } = asObject(schema.$defs);
  return asArray(asObject(SessionUpdate).oneOf).flatMap((variant) => {
    const { sessionUpdate } = asObject(asObject(variant).properties);
    const kind = asObject(sessionUpdate).const;
    return typeof kind === "string" ? [kind] : [];
  });
}

Deno.test("docs/protocol.md has a row for every stable method of the protocol, and no other", async () => {
  const rows = await rowsOf("Method");
  const stable = rows.filter(({ since }) => since !== "unstable").map(({ name }) => name);
  const known = [AGENT_METHODS, CLIENT_METHODS, PROTOCOL_METHODS].flatMap((group) =>
    Object.values<string>(group)
  );
  assert.deepEqual(stable.toSorted(), known.toSorted());
});

Deno.test("docs/protocol.md has a row for every kind of update, and no other", async () => {
  const kinds = updateKinds();
  assert.equal(kinds.length > 10, true);
  assert.deepEqual((await rowsOf("Update")).map(({ name }) => name).toSorted(), kinds.toSorted());
});

Deno.test("docs/protocol.md says of every row since when, what for and which test holds it", async () => {
  const sources = await Promise.all(
    (await sourceFiles("tests")).map((file) => Deno.readTextFile(`${ROOT}/${file}`)),
  );
  const all = sources.join("\n");
  for (const { name, since, use, test } of [...await rowsOf("Method"), ...await rowsOf("Update")]) {
    assert.match(since, /^(20\d\d-\d\d|library \d+\.\d+|unstable)$/, name);
    assert.match(use, /^[A-Z`\-/].*\.$/, name);
    assert.equal(test !== "" && all.includes(`Deno.test("${test}"`), true, `${name}: ${test}`);
  }
});
