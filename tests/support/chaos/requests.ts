/**
 * What the hostile agent asks of the program: files, commands, permissions, forms, nonsense.
 *
 * @module
 */

import { hostileText, junk, mutated } from "./hostile_values.ts";
import type { Random } from "./random.ts";
import { pause, type Wire } from "./wire.ts";

/** Where an action takes place. */
export interface Scene {
  readonly random: Random;
  readonly wire: Wire;
  readonly sessionId: string;
  /** The session's directory. */
  readonly cwd: string;
}

/** Several permission questions at once, some of them taken back or asked in a turn that ends. */
export async function askPermissions({ random, wire, sessionId }: Scene): Promise<void> {
  const ids = random.list(random.int(1, 5), () => {
    const options = random.list(random.pick([0, 1, 2, 4, 15]), (index) => ({
      optionId: random.pick([`o${index}`, "same"]),
      name: hostileText(random),
      kind: random.pick(["allow_once", "allow_always", "reject_once", "reject_always", "defer"]),
    }));
    const toolCall = random.pick([
      { toolCallId: random.pick(["c1", "c9"]) },
      { toolCallId: "c2", title: hostileText(random), kind: "edit", rawInput: junk(random) },
    ]);
    return wire.ask("session/request_permission", { sessionId, toolCall, options });
  });
  if (random.chance(0.5)) await pause(random.int(0, 50));
  for (const requestId of ids) {
    if (random.chance(0.4)) wire.send({ method: "$/cancel_request", params: { requestId } });
  }
}

/** Forms and pages. */
export function askForms({ random, wire, sessionId }: Scene): void {
  for (let count = random.int(1, 3); count > 0; count--) {
    const form = {
      sessionId,
      mode: "form",
      message: hostileText(random),
      requestedSchema: {
        type: "object",
        properties: Object.fromEntries(random.list(random.int(0, 3), (index) => [
          random.pick([`f${index}`, "__proto__"]),
          random.pick([
            { type: "string", title: hostileText(random) },
            { type: "boolean", default: true },
            { type: "number", minimum: 3, maximum: 1 },
            { type: "string", enum: ["a", hostileText(random)], enumNames: ["A"] },
            { type: "array", items: { type: "string", enum: ["x", "y"] } },
          ]),
        ])),
        required: random.pick([[], ["f0"], ["missing"]]),
      },
    };
    const url = random.pick(["https://x.example/\x1b[2J", "javascript:1", "file:///etc/passwd"]);
    const page = { sessionId, mode: "url", message: "visit", url, elicitationId: "e1" };
    const id = wire.ask(
      "elicitation/create",
      mutated(random, random.pick([form, form, page]), 0.05),
    );
    if (random.chance(0.6)) wire.send({ method: "$/cancel_request", params: { requestId: id } });
  }
  wire.send({ method: "elicitation/complete", params: { elicitationId: "e1" } });
}

/** Files at and beyond every bound. */
export function askFiles({ random, wire, sessionId, cwd }: Scene): void {
  // Whoever runs this may be root, and may allow everything: nothing outside is ever written to.
  const writable = [
    `${cwd}/good.txt`,
    `${cwd}/missing/../good.txt`,
    `${cwd}/link_out`,
    `${cwd}/loop`,
    `${cwd}/folder`,
    `${cwd}/pipe`,
    `${cwd}/binary`,
    `${cwd}/new/${random.int(0, 9)}/file.txt`,
    `${cwd}/${"long".repeat(100)}`,
    `${cwd}/nul\0byte`,
    `${cwd}/\x1b[2J`,
    "relative.txt",
    "",
  ];
  const paths = [...writable, "/dev/zero", "/proc/self/mem", "/etc/passwd", "/"];
  for (let count = random.int(1, 6); count > 0; count--) {
    const where = { sessionId: random.chance(0.9) ? sessionId : "nobody's" };
    if (random.chance(0.6)) {
      const path = random.pick(paths);
      const line = random.pick([undefined, null, 1, 3, 10_000_000, 0, -1, 1.5, "1", 2 ** 60]);
      const limit = random.pick([undefined, null, 0, 1, -1, 2 ** 53, {}]);
      wire.ask("fs/read_text_file", { ...where, path, line, limit });
    } else {
      const path = random.pick(writable);
      const content = random.pick([hostileText(random), "", "x".repeat(100_000), null, 5]);
      wire.ask("fs/write_text_file", { ...where, path, content });
    }
  }
}

/** Commands: odd ones, endless ones, ones that leave children behind. */
export function askTerminals({ random, wire, sessionId, cwd }: Scene): void {
  for (let count = random.int(1, 3); count > 0; count--) {
    const command = random.pick([
      { command: "printf '\\033[2J\\033]0;PWNED\\007done\\n'" },
      { command: "sleep 300 & echo started" },
      { command: "trap '' TERM HUP INT; sleep 300" },
      { command: "sh", args: ["-c", "sh -c 'sleep 300 & wait'"] },
      { command: "yes | head -c 3000000" },
      { command: "cat" },
      { command: "no-such-command-at-all" },
      { command: "sh", args: ["-c", "kill -9 $$"] },
      { command: "" },
      { command: "nul\0", args: ["\0"] },
      { command: 5, args: {} },
    ]);
    const where = random.pick([{ cwd }, {}, { cwd: "/nowhere" }, { cwd: "relative" }, { cwd: 3 }]);
    const more = random.pick([
      {},
      { outputByteLimit: random.pick([0, 1, 7, -1, 1e15, "x"]) },
      { env: random.pick([[{ name: "K", value: "v" }], [{ name: "" }], { K: "v" }, [null]]) },
    ]);
    wire.ask("terminal/create", { sessionId, ...command, ...where, ...more });
  }
  for (let count = random.int(0, 4); count > 0; count--) {
    const method = random.pick(["output", "wait_for_exit", "kill", "release"]);
    const terminalId = random.pick([...wire.terminals, "gone", null, hostileText(random)]);
    wire.ask(`terminal/${method}`, { sessionId, terminalId });
  }
}

/** Requests that nobody knows, known ones with wrong params, ids of every kind. */
export function askNonsense({ random, wire, sessionId }: Scene): void {
  const methods = [
    "_vendor.dev/ping",
    "no/such",
    "",
    "toString",
    "__proto__",
    "session/update",
    "session/request_permission",
    "fs/read_text_file",
    "fs/write_text_file",
    "terminal/create",
    "terminal/output",
    "elicitation/create",
    "initialize",
    "session/prompt",
    "_org.mini-me/tools/list",
    "_org.mini-me.repl/tools/add",
    "$/cancel_request",
  ];
  for (let count = random.int(1, 8); count > 0; count--) {
    const method = random.pick(methods);
    const params = random.pick([undefined, null, [], "x", { sessionId }, junk(random)]);
    if (random.chance(0.8)) wire.ask(method, params);
    else wire.ask(method, params, random.pick([null, true, {}, [1], 1.5]));
  }
  wire.send({ method: random.pick(methods), params: junk(random) });
  wire.send({ id: 1, method: random.pick([5, null, {}]) });
}

/** Calls of the program's own tools, with arguments of all kinds. */
export function callTools({ random, wire, sessionId }: Scene): void {
  for (let count = random.int(1, 4); count > 0; count--) {
    const tool = random.pick(["add", "add", "throws", "spins", "missing"]);
    const _meta = { "org.mini-me/sessionId": random.chance(0.9) ? sessionId : "else" };
    const args = random.pick([{ a: 1, b: 2 }, { a: "1" }, {}, { a: junk(random) }]);
    const id = wire.ask(`_org.mini-me.repl/tools/${tool}`, { ...args, _meta });
    if (tool === "spins" || random.chance(0.2)) {
      wire.send({ method: "$/cancel_request", params: { requestId: id } });
    }
  }
}
