/**
 * Whether a silent server is still there.
 *
 * A connection whose other end has vanished without a word looks like a quiet one. So after a while
 * of silence the server is asked something; a server that has shown before that it answers, or that
 * it sends signs of life by itself, and then shows none, is gone. One that never has is left alone:
 * it may just be busy, and the system notices by itself in the end.
 *
 * @module
 */

import { type Clock, systemClock } from "../base/clock.ts";

/** When to ask, and when to give up; milliseconds. */
export interface HeartbeatTimes {
  /** Silence after which the server is asked. Default 45,000. */
  readonly quietMs: number;
  /** Further silence after which it is gone, while nothing else is waited for. Default 60,000. */
  readonly idleMs: number;
  /** The same while it has work to do: it may be too busy to answer. Default 300,000. */
  readonly busyMs: number;
}

/** See {@link HeartbeatTimes}. */
export const HEARTBEAT_TIMES: HeartbeatTimes = {
  quietMs: 45_000,
  idleMs: 60_000,
  busyMs: 300_000,
};

/** What a heartbeat needs from its connection. */
export interface HeartbeatOptions {
  readonly times: HeartbeatTimes;
  /** Asks the server something that it answers at once, if only with an error. */
  readonly ping: () => void;
  /** Whether requests are open. */
  readonly busy: () => boolean;
  /** The server is gone; the silence in milliseconds. Called at most once. */
  readonly gone: (silentMs: number) => void;
}

/** Watches the silence of one connection. Starts with the first sign of life. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #clock: Clock;
  #cancel = () => {};
  #shows = false;
  #stopped = false;

  constructor(options: HeartbeatOptions, clock: Clock = systemClock) {
    this.#options = options;
    this.#clock = clock;
  }

  /**
   * Something came from the server.
   *
   * @param shows it was an answer to a ping, or a sign of life that is sent for its own sake: a
   * server that does that can be expected to do it again
   */
  alive(shows = false): void {
    if (this.#stopped) return;
    this.#shows ||= shows;
    this.#wait(this.#options.times.quietMs, () => this.#ask());
  }

  /** Ends it. */
  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  #wait(ms: number, then: () => void): void {
    this.#cancel();
    this.#cancel = this.#clock.after(ms, then);
  }

  #ask(): void {
    const { times, busy, ping } = this.#options;
    ping();
    const wait = busy() ? times.busyMs : times.idleMs;
    this.#wait(wait, () => this.#judge(times.quietMs + wait));
  }

  #judge(silentMs: number): void {
    if (!this.#shows) return this.alive();
    this.stop();
    this.#options.gone(silentMs);
  }
}
