/**
 * The extension methods of CleverAgents, as rows.
 *
 * @module
 */

import type { ExtensionMethod, ExtensionParameter, ParameterType } from "./extension_method.ts";

/** The prefix of all of them, and what an agent that offers them advertises. */
export const CLEVERAGENTS = "_cleveragents";

/** A row without its name. */
type Row = Omit<ExtensionMethod, "method">;

function row<const P extends Row["params"]>(description: string, params: P, further?: string) {
  return { description, params, ...(further === undefined ? {} : { further }) };
}

function required<T extends ParameterType>(type: T, description: string) {
  return { type, required: true as const, description };
}

function optional<T extends ParameterType>(type: T, description: string) {
  return { type, required: false as const, description };
}

const plan = { plan_id: required("string", "The plan") };
const decision = { ...plan, decision_id: required("string", "The decision in its tree") };
const project = { project_name: required("string", "The project") };
const anyNamespace = { namespace: optional("string", "Only this namespace") };
const namespace = { namespace: required("string", "The namespace") };
const name = { name: required("string", "The entity's name") };

/** The methods that are not about a registry, by area and last part of the name. */
export const CLEVERAGENTS_AREAS = {
  plan: {
    use: row("Make a plan by using an action on projects", {
      action_name: required("string", "The action"),
      project_names: required("array", "The projects that it is used on"),
    }),
    execute: row("Carry a plan out", plan),
    apply: row("Apply what a plan has produced", plan),
    cancel: row("Cancel a plan", plan),
    status: row("Where a plan stands", plan),
    tree: row("The tree of a plan's decisions", plan),
    explain: row("Why a decision was made", decision),
    correct: row("Correct a decision", {
      ...decision,
      correction: required("any", "What it is to be instead"),
    }),
    diff: row("What a plan changes", plan),
    artifacts: row("What a plan has produced", plan),
    prompt: row("Give a running plan guidance", {
      ...plan,
      message: required("string", "The guidance"),
    }),
    rollback: row("Take back what a plan has done", plan),
    list: row("The plans", {}, "filters"),
  },
  context: {
    show: row("The context of a project", project),
    inspect: row("The context of a project in detail", project),
    simulate: row("What the context would be", project, "what to simulate"),
    set: row("Set the context of a project", project, "the context"),
  },
  sync: {
    pull: row("Fetch a namespace from the server", namespace),
    push: row("Send entities of a namespace to the server", {
      ...namespace,
      entities: required("array", "What to send"),
    }),
    status: row("What differs between here and the server", anyNamespace),
  },
  namespace: {
    list: row("The namespaces", {}),
    show: row("A namespace", namespace),
    members: row("Who belongs to a namespace", namespace),
  },
  health: { check: row("Whether the server is well", {}) },
  diagnostics: { run: row("Run the server's diagnostics", {}) },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Row>>>>;

/** What the registries hold. */
export const REGISTRY_ENTITIES = [
  "actor",
  "skill",
  "tool",
  "validation",
  "resource",
  "resource_type",
  "project",
  "action",
  "automation_profile",
  "invariant",
  "lsp",
] as const;

/** What can be done with the entities of a registry. `ENTITY` stands for what it holds. */
export const REGISTRY_OPERATIONS = {
  list: row("The entries of kind ENTITY", anyNamespace),
  show: row("One entry of kind ENTITY", name),
  add: row("Add an entry of kind ENTITY", {}, "the fields of the entry"),
  update: row("Change an entry of kind ENTITY", name, "the fields to change"),
  remove: row("Remove an entry of kind ENTITY", name),
} as const;

/** All methods, named as on the wire. */
export const CLEVERAGENTS_METHODS: readonly ExtensionMethod[] = [
  ...Object.entries(CLEVERAGENTS_AREAS).flatMap(([area, rows]) =>
    Object.entries<Row>(rows).map(([last, row]) => ({
      method: `${CLEVERAGENTS}/${area}/${last}`,
      ...row,
    }))
  ),
  ...REGISTRY_ENTITIES.flatMap((entity) =>
    Object.entries<Row>(REGISTRY_OPERATIONS).map(([last, row]) => ({
      ...row,
      method: `${CLEVERAGENTS}/registry/${entity}/${last}`,
      description: row.description.replace("ENTITY", entity),
    }))
  ),
];

/** The type of the values that a parameter takes. */
type ValueOf<P extends ExtensionParameter> = P["type"] extends "string" ? string
  : P["type"] extends "number" ? number
  : P["type"] extends "boolean" ? boolean
  : P["type"] extends "array" ? readonly unknown[]
  : P["type"] extends "object" ? Readonly<Record<string, unknown>>
  : unknown;

/** The params of a row: what is required, what may be there, and further ones. */
export type ParamsOf<R extends Pick<Row, "params">> =
  & {
    readonly [K in keyof R["params"] as R["params"][K]["required"] extends true ? K : never]:
      ValueOf<R["params"][K]>;
  }
  & {
    readonly [K in keyof R["params"] as R["params"][K]["required"] extends true ? never : K]?:
      ValueOf<R["params"][K]>;
  }
  & { readonly [further: string]: unknown };
