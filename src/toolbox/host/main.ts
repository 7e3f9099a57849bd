/**
 * The main module of a tool process under `deno run`.
 *
 * @module
 */

import { runToolHost } from "./host.ts";

await runToolHost();
// A worker in a busy loop would keep the process alive.
Deno.exit(0);
