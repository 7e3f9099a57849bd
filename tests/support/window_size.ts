/**
 * Changing the size of a pseudo-terminal at once, as terminals do.
 *
 * @module
 */

/** Takes rows, columns and two numbers that nobody looks at. */
const TIOCSWINSZ = 0x5414n;
const READ_WRITE = 2;

const SYMBOLS = {
  open: { parameters: ["buffer", "i32"], result: "i32" },
  ioctl: { parameters: ["i32", "u64", "buffer"], result: "i32" },
  close: { parameters: ["i32"], result: "i32" },
} as const;

/** Sets the size of the terminal at `device`; the kernel sends SIGWINCH. */
export async function setWindowSize(device: string, columns: number, rows: number): Promise<void> {
  if (setAtOnce(device, columns, rows)) return;
  const { success } = await new Deno.Command("stty", {
    args: ["-F", device, "cols", `${columns}`, "rows", `${rows}`],
    stdout: "null",
    stderr: "null",
  }).output();
  if (!success) throw new Error(`cannot resize ${device}`);
}

/** False where the C library is another one. */
function setAtOnce(device: string, columns: number, rows: number): boolean {
  if (Deno.build.os !== "linux") return false;
  try {
    const library = Deno.dlopen("libc.so.6", SYMBOLS);
    const { open, ioctl, close } = library.symbols;
    const descriptor = open(new TextEncoder().encode(`${device}\0`), READ_WRITE);
    const status = ioctl(descriptor, TIOCSWINSZ, new Uint16Array([rows, columns, 0, 0]));
    close(descriptor);
    library.close();
    return status === 0;
  } catch {
    return false;
  }
}
