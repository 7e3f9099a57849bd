/**
 * The answer to a permission request that needs no person.
 *
 * @module
 */

import type { PermissionPolicy } from "../api/contract.ts";
import { asArray, asObject, asString } from "../base/guards.ts";
import type { PermissionDefault } from "./options.ts";

/** What the policy depends on. */
export interface PermissionPolicyOptions {
  readonly permissions: () => PermissionDefault;
  /** Somebody can be asked. */
  readonly interactive: boolean;
  /** Told once, when something was refused because nobody could be asked. */
  readonly notice: (text: string) => void;
}

const READING = new Set(["read", "search", "fetch", "think"]);

/** Decides by the default; what is left to a person is refused when there is none. */
export function permissionPolicy(options: PermissionPolicyOptions): PermissionPolicy {
  let told = false;
  return ({ params }) => {
    const toolCall = asObject(params.toolCall);
    const kinds = asArray(params.options).map((option) => asObject(option));
    const choose = (...wanted: readonly string[]) => {
      for (const kind of wanted) {
        const found = kinds.find((option) => option.kind === kind);
        if (found !== undefined) return asString(found.optionId) ?? null;
      }
      return null;
    };
    const permissions = options.permissions();
    const reading = READING.has(asString(toolCall.kind) ?? "");
    if (permissions === "allow" || (permissions === "reads" && reading)) {
      const optionId = choose("allow_once", "allow_always");
      if (optionId !== null) return { optionId, by: "rule", reason: `permissions: ${permissions}` };
    }
    const refusal = choose("reject_once", "reject_always");
    if (permissions === "deny" && options.interactive) {
      return { optionId: refusal, by: "rule", reason: "permissions: deny" };
    }
    if (options.interactive) return undefined;
    if (!told) {
      told = true;
      options.notice(
        `Refused ${
          asString(toolCall.title) ?? "a tool call"
        }: nobody can be asked; --permissions reads or allow permits it`,
      );
    }
    return { optionId: refusal, by: "nobody", reason: "nobody could be asked" };
  };
}
