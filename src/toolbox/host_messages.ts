/**
 * Reading what a tool process says. The tool runs beside the code that says it, so nothing of it is
 * taken for granted.
 *
 * @module
 */

import { asArray, asNumber, asObject, asString, isObject } from "../base/guards.ts";
import type { ToolResult } from "../model/tool_manifest.ts";
import { isBlock } from "./host/answers.ts";
import type { FromHost, Place, RawTool } from "./host/protocol.ts";

/** The message, or `undefined` when it is none. */
export function parseFromHost(value: unknown): FromHost | undefined {
  const message = asObject(value);
  const id = asNumber(message.id);
  const reason = asString(message.reason);
  switch (message.type) {
    case "ready":
      return { type: "ready" };
    case "described": {
      const tools = parseRawTools(message.tools);
      return tools && { type: "described", tools };
    }
    case "checked": {
      const problems = Object.entries(asObject(message.problems));
      return {
        type: "checked",
        problems: Object.fromEntries(problems.map(([key, list]) => [key, texts(list)])),
      };
    }
    case "broken":
      if (reason === undefined) return undefined;
      return { type: "broken", reason, place: parsePlace(message.place) };
    case "note": {
      const text = asString(message.text);
      const kind = message.kind === "progress" ? "progress" : "log";
      return id === undefined || text === undefined ? undefined : { type: "note", id, kind, text };
    }
    case "result": {
      const result = parseResult(message.result);
      return id === undefined || result === undefined ? undefined : { type: "result", id, result };
    }
    case "lost":
      return reason === undefined ? undefined : { type: "lost", reason };
    default:
      return undefined;
  }
}

/** The raw tools of a file; `undefined` when it is no list of objects. */
export function parseRawTools(value: unknown): RawTool[] | undefined {
  if (!Array.isArray(value) || !value.every(isObject)) return undefined;
  return value.map((tool) => {
    const { name, description, inputSchema, permissions, timeout, handler } = tool;
    const [unknown, problems] = [texts(tool.unknown), texts(tool.problems)];
    return {
      name,
      description,
      inputSchema,
      permissions,
      timeout,
      handler: handler === true,
      ...(unknown.length === 0 ? {} : { unknown }),
      ...(problems.length === 0 ? {} : { problems }),
      ...(tool.unreadable === true ? { unreadable: true } : {}),
    };
  });
}

function texts(value: unknown): string[] {
  return asArray(value).filter((one) => typeof one === "string");
}

function parseResult(value: unknown): ToolResult | undefined {
  const { content, isError } = asObject(value);
  if (!Array.isArray(content) || !content.every(isBlock)) return undefined;
  return { content, ...(isError === undefined ? {} : { isError: isError === true }) };
}

function parsePlace(value: unknown): Place {
  const place = asObject(value);
  const [file, line, column] = [
    asString(place.file),
    asNumber(place.line),
    asNumber(place.column),
  ];
  return {
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
}
