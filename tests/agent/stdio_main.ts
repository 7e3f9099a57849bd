/** The reference agent as a process of its own, for the test of its stdio. */

import { DEFAULT_AGENT_OPTIONS, serveAgentOnStdio } from "../../src/agent/mod.ts";

Deno.exitCode = await serveAgentOnStdio({ ...DEFAULT_AGENT_OPTIONS, pauseMs: 0 });
