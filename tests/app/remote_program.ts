/**
 * A program on a remote server, for tests.
 *
 * @module
 */

import { openClient } from "../../src/api/mod.ts";
import { createApp } from "../../src/app/app.ts";
import type { AppOptions } from "../../src/app/options.ts";
import type { App } from "../../src/app/view.ts";
import type { Clock } from "../../src/base/clock.ts";
import { partsText } from "../../src/front/entry_lines.ts";
import { openToolbox } from "../../src/toolbox/open_toolbox.ts";
import { RemoteServer, type RemoteServerOptions } from "../support/remote_server.ts";

/** A clock whose timers go off when they are told to. */
export class HandClock implements Clock {
  readonly timers = new Map<number, { readonly ms: number; readonly callback: () => void }>();
  #ids = 0;

  now(): number {
    return 0;
  }

  after(ms: number, callback: () => void): () => void {
    const id = this.#ids++;
    this.timers.set(id, { ms, callback });
    return () => this.timers.delete(id);
  }

  /** Milliseconds of the timers that wait. */
  get waiting(): number[] {
    return [...this.timers.values()].map(({ ms }) => ms);
  }

  fire(): void {
    for (const [id, { callback }] of [...this.timers]) {
      if (this.timers.delete(id)) callback();
    }
  }
}

/** A program, its server, and what there is to see of them. */
export interface RemoteProgram extends AsyncDisposable {
  readonly app: App;
  readonly clock: HandClock;
  readonly server: RemoteServer;
  /** Markdown that commands have shown. */
  readonly outputs: readonly string[];
  /** Notices and messages of the active session. */
  text(): string;
}

/** Starts a program on a server; `url` says over which transport. */
export async function openRemote(
  url: (server: RemoteServer) => string,
  options: RemoteServerOptions & Partial<AppOptions> = {},
): Promise<RemoteProgram> {
  const server = new RemoteServer(options);
  const state = await Deno.makeTempDir();
  const clock = new HandClock();
  const app = createApp({
    spec: { kind: "remote", url: url(server) },
    demo: false,
    cwd: state,
    interactive: true,
    startNotices: [],
    toolDirectories: () => [],
    trustTools: false,
    discovery: "request",
    permissions: "ask",
    set: [],
    open: { how: "new" },
    mcpServers: [],
    paths: { configDir: state, stateDir: state, cacheDir: state },
    timeoutMs: 10_000,
    ...options,
  }, { openClient, openToolbox, clock });
  const outputs: string[] = [];
  app.subscribe((change) => {
    if (change.type === "output") outputs.push(change.text);
  });
  return {
    app,
    clock,
    outputs,
    server,
    text: () =>
      [...app.state.active.state.entries].map((entry) =>
        entry.kind === "notice"
          ? `${entry.text} ${entry.detail ?? ""}`
          : "parts" in entry
          ? partsText(entry.parts)
          : ""
      ).join("\n"),
    async [Symbol.asyncDispose]() {
      await app.leave(0);
      await server[Symbol.asyncDispose]();
      await Deno.remove(state, { recursive: true });
    },
  };
}
