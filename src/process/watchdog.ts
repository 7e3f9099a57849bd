/**
 * What ends our children when we cannot: after a SIGKILL, or when memory has run out.
 *
 * A shell in a session of its own reads from a pipe which process groups there are. The pipe ends when
 * we do, however that happens, and then the shell ends the groups that are left, and what has left
 * them but has our mark; not what the person's desktop has started.
 *
 * @module
 */

import { LAUNCH_FILE } from "./desktop_launch.ts";
import { RUN_MARK } from "./process_mark.ts";
import { watchGroups } from "./supervised.ts";

/** The shell is started this long after the first process, out of the way of what matters then. */
const DELAY_MS = 20;

const SCRIPT = `trap '' HUP INT TERM QUIT
file() { tr '\\0' '\\n' < "/proc/$1/environ" | grep '^${LAUNCH_FILE}='; }
unit() { grep -o '/app-[^/]*$' "/proc/$1/cgroup" | grep -e '[.]scope$' -e '[.]service$'; }
launched() {
  for sign in file unit; do
    its=$($sign "$1") && [ "$its" != "$($sign $$)" ] && return
  done 2>/dev/null
  return 1
}
groups=' '
while read -r verb group; do
  case $verb in
    begun) groups="$groups$group " ;;
    ended) case $groups in *" $group "*) groups="\${groups%% $group *} \${groups#* $group }" ;; esac ;;
  esac
done
for group in $groups; do kill -KILL "-$group"; done
if [ -e /proc/self/environ ]; then
  grep -ls "$0" /proc/[0-9]*/environ | tr -dc '0-9\\n'
else
  ps -axEww -o pid=,command= | grep "$0-" | sed 's/^ *//; s/ .*//'
fi | while read -r pid; do [ "$pid" = $$ ] || launched "$pid" || kill -KILL "$pid"; done`;

/** Watches over every process that is started from now on, until it is disposed of. */
export function openWatchdog(): Disposable {
  return new Watchdog();
}

class Watchdog implements Disposable {
  readonly #groups = new Set<number>();
  readonly #stopWatching: () => void;
  readonly #encoder = new TextEncoder();
  #shell: Deno.ChildProcess | undefined;
  #writer: WritableStreamDefaultWriter<Uint8Array> | undefined;
  #starting: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.#stopWatching = watchGroups((event, group) => {
      if (event === "begun") this.#groups.add(group);
      else this.#groups.delete(group);
      this.#tell(event, group);
      if (this.#shell === undefined) this.#starting ??= setTimeout(() => this.#start(), DELAY_MS);
    });
  }

  [Symbol.dispose](): void {
    this.#stopWatching();
    clearTimeout(this.#starting);
    try {
      this.#shell?.kill("SIGKILL");
    } catch {
      // It has ended.
    }
  }

  #start(): void {
    try {
      this.#shell = new Deno.Command("sh", {
        args: ["-c", SCRIPT, RUN_MARK],
        cwd: "/",
        stdin: "piped",
        stdout: "null",
        stderr: "null",
        detached: true,
      }).spawn();
    } catch {
      return; // Nothing else depends on it.
    }
    this.#writer = this.#shell.stdin.getWriter();
    this.#writer.closed.catch(() => {});
    this.#shell.unref();
    for (const group of this.#groups) this.#tell("begun", group);
  }

  #tell(event: "begun" | "ended", group: number): void {
    this.#writer?.write(this.#encoder.encode(`${event} ${group}\n`)).catch(() => {});
  }
}
