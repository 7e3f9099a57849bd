/**
 * The main module of a tool process under `deno run`.
 *
 * @module
 */

import { runToolHost } from "../host.ts";

await runToolHost();
// The process must end now, also while the worker is in a busy loop.
close();
