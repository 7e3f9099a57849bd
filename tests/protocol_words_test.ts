/**
 * Every word that the protocol library's stable schema has for kinds, statuses, reasons and blocks is
 * one that we know: a new version of the library shows here what is missing.
 *
 * @module
 */

import assert from "node:assert/strict";
import schema from "@agentclientprotocol/sdk/schema/v1/schema.json" with { type: "json" };
import { AGENT_METHODS, CLIENT_METHODS, PROTOCOL_METHODS } from "@agentclientprotocol/sdk";
import { outcomeCode } from "../src/app/outcome.ts";
import { asArray, asObject } from "../src/base/guards.ts";
import { parseForm } from "../src/model/form.ts";
import { chooseOption } from "../src/model/permission_rules.ts";
import { call, play, update } from "./model/session_script.ts";

const DEFINITIONS = asObject(schema.$defs);

/** The words of an enumeration, or the values of the property that tells variants apart. */
function wordsOf(name: string, property?: string): string[] {
  const { oneOf, anyOf } = asObject(DEFINITIONS[name]);
  const words = [...asArray(oneOf), ...asArray(anyOf)].flatMap((variant) => {
    const at = property === undefined
      ? asObject(variant)
      : asObject(asObject(asObject(variant).properties)[property]);
    return typeof at.const === "string" ? [at.const] : [];
  });
  assert.ok(words.length > 0, `${name} has no words`);
  return words;
}

Deno.test("the library's lists of methods are those of its schema", () => {
  const inSchema = Object.values(DEFINITIONS).flatMap((definition) => {
    const method = asObject(definition)["x-method"];
    return typeof method === "string" ? [method] : [];
  });
  const listed = [AGENT_METHODS, CLIENT_METHODS, PROTOCOL_METHODS].flatMap((group) =>
    Object.values<string>(group)
  );
  assert.deepEqual([...new Set(listed)].toSorted(), [...new Set(inSchema)].toSorted());
});

Deno.test("every kind and status of a tool call is known", () => {
  for (const kind of wordsOf("ToolKind")) {
    const [entry] = play([call("c", { kind })]).entries;
    assert.equal(entry?.kind === "tool" && entry.toolKind, kind);
  }
  for (const status of wordsOf("ToolCallStatus")) {
    const [entry] = play([call("c", { status })]).entries;
    assert.equal(entry?.kind === "tool" && entry.status, status);
  }
});

Deno.test("every kind of content is known, in messages and in tool calls", () => {
  const text = { uri: "file:///a", text: "t" };
  const fields = { text: "t", data: "AA==", mimeType: "a/b", uri: "file:///a", name: "a" };
  for (const type of wordsOf("ContentBlock", "type")) {
    const content = { ...fields, type, resource: text };
    const [message] = play([update({ sessionUpdate: "agent_message_chunk", content })]).entries;
    assert.ok(message?.kind === "agent");
    assert.deepEqual(message.parts.map((part) => part.type), [type]);
  }
  for (const type of wordsOf("ToolCallContent", "type")) {
    const item = { type, content: { type: "text", text: "t" }, path: "/a", newText: "t" };
    const [entry] = play([call("c", { content: [{ ...item, terminalId: "t" }] })]).entries;
    assert.ok(entry?.kind === "tool");
    assert.deepEqual(entry.content.map((part) => part.type), [type]);
  }
});

Deno.test("every reason for which a turn stops has a status of its own", () => {
  for (const stopReason of wordsOf("StopReason")) {
    assert.notEqual(outcomeCode({ ok: true, stopReason }), "unknown_stop_reason", stopReason);
  }
});

Deno.test("every kind of permission option answers with yes or with no", () => {
  for (const kind of wordsOf("PermissionOptionKind")) {
    const options = [{ optionId: "o", name: "O", kind }];
    const chosen = (["allow", "deny"] as const).filter((answer) => chooseOption(options, answer));
    assert.equal(chosen.length, 1, kind);
  }
});

Deno.test("every type of a configuration option and of a form's field is known", () => {
  for (const type of wordsOf("SessionConfigOption", "type")) {
    const option = { id: "o", name: "O", type, currentValue: type === "boolean" ? true : "a" };
    const configOptions = [{ ...option, options: [{ value: "a", name: "A" }] }];
    const state = play([update({ sessionUpdate: "config_option_update", configOptions })]);
    assert.deepEqual(state.configOptions.map((one) => one.type), [type]);
  }
  for (const type of wordsOf("ElicitationPropertySchema", "type")) {
    const field = { type, items: { type: "string", enum: ["a"] } };
    const { fields } = parseForm({ type: "object", properties: { field } });
    assert.deepEqual(fields.map((one) => one.type === "unknown"), [false], type);
  }
});

Deno.test("every word of a plan is kept as it is", () => {
  for (const status of wordsOf("PlanEntryStatus")) {
    for (const priority of wordsOf("PlanEntryPriority")) {
      const entries = [{ content: "a step", status, priority }];
      const [plan] = play([update({ sessionUpdate: "plan", entries })]).entries;
      assert.ok(plan?.kind === "plan");
      assert.deepEqual(plan.steps, entries);
    }
  }
});
