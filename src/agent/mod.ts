/**
 * The embedded reference agent: a stand-in for `mm -acp`, first-run demo and peer of the tests.
 *
 * It follows the specification of mini-me's client tools and has a small deterministic "model" that
 * knows a table of phrases (phrases.ts; `help` prints it). What the specification leaves open is
 * decided here:
 *
 * - `yolo` is false, and a mode of that name switches it for one session; `permissions: ask` asks
 *   even then. `maxOutput` is 30,000 characters (code points); the mark that replaces the middle
 *   counts among them.
 * - In mode `request` a client is asked when its capability is there and not `false`, whatever else
 *   it is. A failed list request is logged as `[acp] client tools: _org.mini-me/tools/list failed:`
 *   with the reason. A list without a usable tool still has its line, with nothing after the colon.
 * - An expired deadline reads `context deadline exceeded`. A JSON-RPC error is given with its
 *   `data`, when it has one.
 * - A call is announced as `pending` before anything is checked. Missing parameters, a rejection and
 *   every error end it as `failed`. "Allow for this session" holds for one tool. A permission
 *   question that is answered with an error, or with an unknown choice, is a rejection.
 * - A call that is cancelled with its turn gets no further update: the end of the turn ends it.
 * - The loop detector counts the calls of one turn by tool, arguments and answer. The third equal
 *   one is flagged, the fifth stops the turn with the stop reason `max_turn_requests`.
 *
 * @module
 */

export {
  AGENT_OPTION_ROWS,
  type AgentOptionRow,
  type AgentOptions,
  DEFAULT_AGENT_OPTIONS,
  type OptionRow,
  parseAgentOptions,
} from "./options.ts";
export { serveAgent, type ServedAgent, type ServeOptions } from "./serve.ts";
export { serveAgentOnStdio } from "./stdio.ts";
