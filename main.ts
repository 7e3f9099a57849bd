/**
 * `mm-repl`: a terminal for coding agents that speak the Agent Client Protocol.
 *
 * @module
 */

import { runCli } from "./src/cli/run.ts";

if (import.meta.main) Deno.exit(await runCli(Deno.args));
