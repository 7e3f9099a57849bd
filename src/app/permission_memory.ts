/**
 * Answers to permission questions that a person wants to last: for a session, or for a project.
 *
 * @module
 */

import { asArray, isObject } from "../base/guards.ts";
import { readState, updateState } from "../config/state_file.ts";
import { describeRule, type PermissionRule } from "../model/permission_rules.ts";
import { parseRememberedRule } from "../model/remembered_rules.ts";
import { join } from "node:path";

/** How long an answer lasts. */
export type MemoryScope = "session" | "project";

/** An answer that lasts. */
export interface RememberedRule {
  readonly scope: MemoryScope;
  readonly rule: PermissionRule;
}

/** Whose answers. */
export interface MemoryPlace {
  /** Our own key of the session: its store. */
  readonly session: object;
  /** Absolute. */
  readonly cwd: string;
}

/** Rules by directory. */
type Projects = Readonly<Record<string, readonly PermissionRule[]>>;

/** Rules that are kept for one directory, at most; the oldest go first. */
const MAX_RULES = 500;

/** The remembered answers. Those of a project are in a private file below the state directory. */
export class PermissionMemory {
  readonly #path: string;
  readonly #sessions = new WeakMap<object, readonly PermissionRule[]>();
  #projects: Projects = {};
  #writing: Promise<unknown> = Promise.resolve();

  constructor(stateDir: string) {
    this.#path = join(stateDir, "permissions.json");
  }

  /** Reads what is stored, so that {@link rules} knows it. A file that cannot be read holds nothing. */
  async load(): Promise<void> {
    this.#projects = await readState(this.#path, parseProjects, {}).catch(() => ({}));
  }

  /** The rules of a session and its project, the newest first. */
  rules(place: MemoryPlace): readonly PermissionRule[] {
    return this.list(place).map(({ rule }) => rule);
  }

  /** The same, with how long each lasts. */
  list({ session, cwd }: MemoryPlace): readonly RememberedRule[] {
    const ofSession = this.#sessions.get(session) ?? [];
    const ofProject = Object.hasOwn(this.#projects, cwd) ? this.#projects[cwd] ?? [] : [];
    return [
      ...ofSession.map((rule): RememberedRule => ({ scope: "session", rule })),
      ...ofProject.map((rule): RememberedRule => ({ scope: "project", rule })),
    ];
  }

  /**
   * Remembers answers. The newest one counts where two disagree.
   *
   * @throws {MmError} `config` when the file cannot be written.
   */
  async remember(
    scope: MemoryScope,
    rules: readonly PermissionRule[],
    place: MemoryPlace,
  ): Promise<void> {
    const add = (before: readonly PermissionRule[]) =>
      [...rules, ...before.filter((old) => !rules.some((rule) => isSame(rule, old)))]
        .slice(0, MAX_RULES);
    if (scope === "session") {
      this.#sessions.set(place.session, add(this.#sessions.get(place.session) ?? []));
    } else await this.#change(place.cwd, add);
  }

  /**
   * Forgets an answer.
   *
   * @throws {MmError} `config` when the file cannot be written.
   */
  async forget({ scope, rule }: RememberedRule, place: MemoryPlace): Promise<void> {
    const drop = (before: readonly PermissionRule[]) => before.filter((old) => !isSame(rule, old));
    if (scope === "session") {
      this.#sessions.set(place.session, drop(this.#sessions.get(place.session) ?? []));
    } else await this.#change(place.cwd, drop);
  }

  /** Settles when everything so far is written. */
  async written(): Promise<void> {
    await this.#writing;
  }

  async #change(
    cwd: string,
    change: (rules: readonly PermissionRule[]) => readonly PermissionRule[],
  ): Promise<void> {
    const written = updateState(this.#path, parseProjects, {}, (all): Projects => {
      const rules = change(Object.hasOwn(all, cwd) ? all[cwd] ?? [] : []);
      const others = Object.entries(all).filter(([directory]) => directory !== cwd);
      return Object.fromEntries(rules.length === 0 ? others : [...others, [cwd, rules]]);
    });
    this.#writing = Promise.allSettled([this.#writing, written]);
    this.#projects = await written;
  }
}

/** The rules that are remembered for a directory, without a running program. Never rejects. */
export async function loadProjectRules(
  stateDir: string,
  cwd: string,
): Promise<readonly PermissionRule[]> {
  const memory = new PermissionMemory(stateDir);
  await memory.load();
  return memory.rules({ session: memory, cwd });
}

function isSame(a: PermissionRule, b: PermissionRule): boolean {
  // A later "no" takes an earlier "yes" back.
  return describeRule({ ...a, action: "ask" }) === describeRule({ ...b, action: "ask" });
}

function parseProjects(value: unknown): Projects | undefined {
  if (!isObject(value)) return undefined;
  return Object.fromEntries(
    Object.entries(value).map(([cwd, rules]) => [
      cwd,
      asArray(rules).flatMap((rule) => parseRememberedRule(rule) ?? []),
    ]),
  );
}
