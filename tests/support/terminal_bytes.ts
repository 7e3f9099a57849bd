/**
 * Looks at what was written to a terminal: is every control sequence one that the program means?
 *
 * @module
 */

/** Which front end wrote it. */
export type Writer = "tui" | "lines";

/** Sequences of the front end with a cursor, without their `ESC [`. */
const TUI_CSI =
  /^(?:\?(?:2026|2004|1004|25|7)[hl]|>5u|<u|>4;1m|>4m|22;0t|23;0t|\d*[ABC]|J|2K|[\d;:]*m|[56]n|9999;9999H|c)$/;
// deno-lint-ignore no-control-regex
const TUI_OSC = /^(?:0;[^\x00-\x1f\x7f-\x9f]*|11;\?|9;4;[03]|8;;\S*)$/;

/** Deno takes away a progress bar that it never showed, before the program begins. */
// deno-lint-ignore no-control-regex
const RUNTIME_START = /^(?:\x1b\[0G\x1b\[2K\x1b\[J)*/;

/** Modes that must be as they were when the program has ended: on, off. */
const MODES: readonly (readonly [string, string])[] = [
  ["?2026h", "?2026l"],
  ["?2004h", "?2004l"],
  ["?1004h", "?1004l"],
  ["?25l", "?25h"],
  ["?7l", "?7h"],
  [">5u", "<u"],
  [">4;1m", ">4m"],
  ["22;0t", "23;0t"],
];

interface Token {
  readonly kind: "text" | "control" | "csi" | "osc" | "escape";
  /** What stands in the sequence. */
  readonly body: string;
}

/** Everything in `output` that the program would not write by itself; one line each. */
export function foreignBytes(output: Uint8Array, writer: Writer): string[] {
  const text = new TextDecoder().decode(output).replace(RUNTIME_START, "");
  const faults: string[] = [];
  const tokens = tokenize(text);
  tokens.forEach((token, index) => {
    if (!isOurs(token, writer)) {
      faults.push(`${token.kind} ${JSON.stringify(token.body.slice(0, 80))}`);
    }
    if (token.kind === "osc" && /^8;;./.test(token.body)) {
      const shown = tokens.slice(index + 1).find(({ kind }) => kind === "text")?.body;
      const address = token.body.slice("8;;".length);
      // A long address goes on in the next line.
      if (!address.includes(shown ?? "?")) faults.push(`a link to ${address} that says ${shown}`);
    }
  });
  return [...new Set(faults)];
}

/** Modes that are still on at the end. */
export function modesLeftOn(output: Uint8Array): string[] {
  const text = new TextDecoder().decode(output);
  return MODES.filter(([on, off]) =>
    text.lastIndexOf(`\x1b[${on}`) > text.lastIndexOf(`\x1b[${off}`)
  ).map(([on]) => on);
}

function isOurs({ kind, body }: Token, writer: Writer): boolean {
  switch (kind) {
    case "text":
      return true;
    case "control":
      return [...body].every((own) => (writer === "tui" ? "\r\n\x07" : "\r\n\t").includes(own));
    case "csi":
      return (writer === "tui" ? TUI_CSI.test(body) : /^[\d;:]*m$/.test(body)) && !conceals(body);
    case "osc":
      return writer === "tui" && TUI_OSC.test(body);
    case "escape":
      // The cursor goes to the last cell and back.
      return writer === "tui" && (body === "\x1b7" || body === "\x1b8");
  }
}

/** True for an attribute that makes text invisible. */
function conceals(body: string): boolean {
  if (!body.endsWith("m")) return false;
  const plain = body.slice(0, -1).replace(/[345]8[;:](?:5[;:]\d+|2(?:[;:]\d*){3})/g, "");
  return plain.split(";").some((parameter) => /^0*8$/.test(parameter));
}

function tokenize(text: string): Token[] {
  const pattern = new RegExp(
    [
      "(?<text>[^\\x00-\\x1f\\x7f-\\x9f]+)",
      "\\x1b\\[(?<csi>[0-?]*[ -/]*[@-~])",
      "\\x1b\\](?<osc>[^\\x07\\x1b]*)(?:\\x07|\\x1b\\\\)",
      "(?<escape>\\x1b[^\\[\\]]?|\\x1b[\\[\\]])",
      "(?<control>[\\r\\n\\t\\x07]+|[\\x00-\\x1f\\x7f-\\x9f])",
    ].join("|"),
    "g",
  );
  return text.matchAll(pattern).map(({ groups = {} }): Token => {
    for (const kind of ["text", "csi", "osc", "escape", "control"] as const) {
      const body = groups[kind];
      if (body !== undefined) return { kind, body };
    }
    return { kind: "control", body: "" };
  }).toArray();
}
