/**
 * What mini-me lets its client know about the client's tools: by asking for them, and on stderr.
 *
 * @module
 */

import { modelToolName, type ToolDescription } from "../model/tool_manifest.ts";

/** A line of mini-me's stderr about client tools. */
export type ToolLine =
  /** It takes the list in `initialize`, and got none there. */
  | { readonly type: "wants_list" }
  /** The tools that it has, as the model sees them; of one session, or of all. */
  | { readonly type: "taken"; readonly sessionId?: string; readonly names: readonly string[] }
  /** An entry of the list that it leaves out; counted from 0. */
  | { readonly type: "skipped"; readonly index: number; readonly reason: string }
  | { readonly type: "trouble"; readonly text: string };

const WANTS_LIST = "is not a list of tools; a client that answers";

/** Reads a line of stderr; `undefined` for one about something else. */
export function parseToolLine(line: string): ToolLine | undefined {
  if (line.includes(WANTS_LIST)) return { type: "wants_list" };
  const [, said] = /\[acp\] (.*)$/.exec(line.trimEnd()) ?? [];
  if (said === undefined) return undefined;
  const [, sessionId, names] =
    /^(?:session (\S+) )?client tools \((?:meta|request)\):(.*)$/.exec(said) ?? [];
  if (names !== undefined) {
    const list = names.split(",").map((name) => name.trim()).filter((name) => name !== "");
    return { type: "taken", names: list, ...(sessionId === undefined ? {} : { sessionId }) };
  }
  const [, text] = /^client tools: (.*)$/.exec(said) ?? [];
  if (text === undefined) return undefined;
  const [, index, reason] = /^entry (\d+) skipped: (.*)$/.exec(text) ?? [];
  return index === undefined || reason === undefined
    ? { type: "trouble", text }
    : { type: "skipped", index: Number(index), reason };
}

/**
 * What became of the tools of one session at the agent, as far as it lets us know.
 *
 * ```ts
 * import { openClient, type ToolReception } from "@mm/repl";
 *
 * const client = await openClient({ spec: { kind: "demo" }, cwd: "/tmp" });
 * const session = await client.newSession({ cwd: "/tmp" });
 * const { asked, troubles }: ToolReception = client.toolReception(session.id);
 * console.assert(!asked && troubles.length === 0); // no tools were offered
 * await client.close();
 * ```
 */
export interface ToolReception {
  /** Whether it asked for them. */
  readonly asked: boolean;
  /** What it says it has, as the model sees the names; absent: it does not say. */
  readonly taken?: readonly string[];
  /** What it could not take, and what to do about it; one line each. */
  readonly troubles: readonly string[];
}

/** Troubles that are kept. */
const MAX_TROUBLES = 20;

/** Follows what one start of the agent says. */
export class ToolReceptions {
  readonly #onTrouble: (text: string) => void;
  readonly #asked = new Set<string>();
  readonly #taken = new Map<string | undefined, readonly string[]>();
  #troubles: readonly string[] = [];
  #list: readonly ToolDescription[] = [];

  /** @param onTrouble told of each trouble once */
  constructor(onTrouble: (text: string) => void) {
    this.#onTrouble = onTrouble;
  }

  /** Notes a list that went to the agent; what it skips after that are entries of it. */
  sent(list: readonly ToolDescription[], sessionId?: string): void {
    this.#list = list;
    if (sessionId !== undefined) this.#asked.add(sessionId);
  }

  /** Takes a line of its stderr. */
  take(line: ToolLine): void {
    switch (line.type) {
      case "wants_list":
        return;
      case "taken":
        this.#taken.set(line.sessionId, line.names);
        return;
      case "skipped": {
        const name = this.#list[line.index]?.name ?? `number ${line.index + 1}`;
        return this.trouble(`The agent leaves out the tool "${name}": ${line.reason}`);
      }
      case "trouble":
        return this.trouble(
          `The agent says about the tools: ${line.text}. /tools reload lets it ask again`,
        );
    }
  }

  /** Adds a trouble that is not known yet. */
  trouble(text: string): void {
    if (this.#troubles.includes(text)) return;
    this.#troubles = [...this.#troubles, text].slice(-MAX_TROUBLES);
    this.#onTrouble(text);
  }

  /** What is known for a session. */
  of(sessionId: string): ToolReception {
    const taken = this.#taken.get(sessionId) ?? this.#taken.get(undefined);
    return {
      asked: this.#asked.has(sessionId),
      ...(taken === undefined ? {} : { taken }),
      troubles: this.#troubles,
    };
  }
}

/** The tools that the agent does not have although they were offered to it. */
export function notTaken(
  tools: readonly ToolDescription[],
  { taken }: ToolReception,
): readonly string[] {
  if (taken === undefined) return [];
  const known = new Set(taken);
  return tools.map(({ name }) => name).filter((name) => !known.has(modelToolName(name)));
}
