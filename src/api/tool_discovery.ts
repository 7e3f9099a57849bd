/**
 * In which mode an agent takes client tools: known from the options, from an earlier run, or found
 * out with the first session that has any.
 *
 * @module
 */

import type { ClientOptions } from "./contract.ts";
import type { Link } from "./link.ts";
import type { Opening } from "./session_registry.ts";

/** How the agent is to find the tools: by asking for each session, or in `initialize`. */
export type DiscoveryMode = Link["mode"];

const SWITCHED: Readonly<Record<DiscoveryMode, string>> = {
  meta: "The agent was started a second time to take its tools: set " +
    "acp.clientTools.discovery: request in mm's agent file, or discovery to meta in ours, " +
    "and it starts once",
  request: "The agent was started a second time because it did not take its tools at " +
    "the start; from now on it is asked to fetch them",
};

const MODE_ADVICE = "The agent takes tools only at its start, so it has none: set " +
  "acp.clientTools.discovery: request in mm's agent file, or start mm-repl with --discovery meta";

const RESTART_ADVICE = "The agent takes tools in another way than they were offered, so it has " +
  "none: /restart starts it again to take them";

/** Finds the mode once, and tells what comes of it. */
export class ToolDiscovery {
  readonly #options: ClientOptions;
  readonly #isAuto: boolean;
  /** Whether there is nothing to find out, any more or at all. */
  #settled: boolean;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#isAuto = (options.discovery ?? "auto") === "auto";
    this.#settled = options.openToolbox === undefined || options.discovery === "meta";
  }

  /** The mode to start the agent in. */
  get first(): DiscoveryMode {
    const { discovery = "auto", rememberedDiscovery = "request" } = this.#options;
    return discovery === "auto" ? rememberedDiscovery : discovery;
  }

  /**
   * The mode that the agent has to be started again in, because it does not take tools in that of
   * its link. To be asked when it has answered the request for a session.
   *
   * @param isOnly whether no other session would be lost with the agent
   */
  async other(opening: Opening, link: Link, isOnly: boolean): Promise<DiscoveryMode | undefined> {
    if (this.#settled || !opening.toolbox?.tools.length) return undefined;
    this.#settled = true;
    if (opening.listed) {
      this.#remember("request");
      return undefined;
    }
    if (!await link.refusesMode()) {
      if (link.mode === "meta") this.#remember("meta");
      return undefined;
    }
    if (this.#isAuto && isOnly) return link.mode === "request" ? "meta" : "request";
    if (this.#isAuto) link.receptions.trouble(RESTART_ADVICE);
    else if (link.mode === "request") link.receptions.trouble(MODE_ADVICE);
    return undefined;
  }

  /** The agent has been started again in another mode. */
  switched(mode: DiscoveryMode): void {
    this.#options.onAdvice?.(SWITCHED[mode]);
    this.#options.onDiscovery?.(mode);
  }

  #remember(mode: DiscoveryMode): void {
    if (this.#isAuto) this.#options.onDiscovery?.(mode);
  }
}
