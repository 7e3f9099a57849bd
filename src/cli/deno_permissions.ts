/**
 * The Deno permissions that the program itself needs.
 *
 * @module
 */

const NEEDED = ["read", "write", "env", "run", "net", "sys"] as const;

/** Flags of the permissions that were not granted; asking here never prompts. */
export function missingPermissions(): string[] {
  return NEEDED
    .filter((name) => Deno.permissions.querySync({ name }).state !== "granted")
    .map((name) => `--allow-${name}`);
}

/** What to say about missing permissions, as one message. */
export function permissionsMessage(missing: readonly string[]): string {
  return `mm-repl: Cannot start without the Deno permissions ${missing.join(" ")}
Start it with \`deno run -A main.ts\`, or with those flags. Tool scripts run in processes of their own and get only what they declare.`;
}
