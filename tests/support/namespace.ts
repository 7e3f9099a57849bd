/**
 * Programs with a disk of their own: full, or read-only. Needs user namespaces (Linux).
 *
 * @module
 */

/** What is wrong with a directory. */
export type DiskFault = "full" | "read-only";

const SCRIPTS: Readonly<Record<DiskFault, string>> = {
  full: `mount -t tmpfs -o size=16k,mode=700 none "$0" &&
    { dd if=/dev/zero of="$0/fill" bs=1k 2>/dev/null; exec "$@"; }`,
  "read-only": `mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"`,
};

/** The command line that runs another one with a fault in `directory`, which no one else sees. */
export function withDiskFault(
  fault: DiskFault,
  directory: string,
  command: readonly string[],
): [string, ...string[]] {
  return ["unshare", "-Urm", "sh", "-c", SCRIPTS[fault], directory, ...command];
}

/** Whether disks can be faked here. */
export function canFakeDisks(): boolean {
  if (Deno.build.os !== "linux") return false;
  try {
    const { success } = new Deno.Command("unshare", {
      args: ["-Urm", "mount", "-t", "tmpfs", "none", "/mnt"],
      stdout: "null",
      stderr: "null",
    }).outputSync();
    return success;
  } catch {
    return false;
  }
}
