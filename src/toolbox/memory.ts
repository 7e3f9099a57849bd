/**
 * Watching how much memory another process holds.
 *
 * @module
 */

/**
 * Calls `onExceeded` once when the resident memory of a process is above `limit` bytes; looks every
 * `everyMs` milliseconds. The returned function ends the watch.
 */
export function watchMemory(
  pid: number,
  limit: number,
  everyMs: number,
  onExceeded: () => void,
): () => void {
  let isLooking = false;
  const timer = setInterval(async () => {
    if (isLooking) return;
    isLooking = true;
    const bytes = await residentBytes(pid);
    isLooking = false;
    if (bytes <= limit) return;
    clearInterval(timer);
    onExceeded();
  }, everyMs);
  Deno.unrefTimer(timer);
  return () => clearInterval(timer);
}

/** Resident memory in bytes; 0 when the process is gone. */
export async function residentBytes(pid: number): Promise<number> {
  try {
    if (Deno.build.os === "linux") {
      const status = await Deno.readTextFile(`/proc/${pid}/status`);
      return Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
    }
    const { stdout } = await new Deno.Command("ps", {
      args: ["-o", "rss=", "-p", String(pid)],
      stdin: "null",
      stderr: "null",
    }).output();
    return Number(new TextDecoder().decode(stdout).trim()) * 1024;
  } catch {
    return 0;
  }
}
