/**
 * A person at the terminal of a program whose agent is hostile: impatient, but of good will.
 *
 * @module
 */

import type { Random } from "../support/chaos/random.ts";
import type { Pty } from "../support/pty.ts";
import type { Screen } from "../support/screen.ts";
import type { Scene } from "./scene.ts";

/** Which front end is looked at. */
export type Front = "tui" | "lines";

/** Pause between two looks, in milliseconds. */
const LOOK_MS = 100;
/** How long until an answer, before anything is done about it; a question takes keys after half a second. */
const PATIENCE_MS = 700;
/** Times after which a turn is cancelled, the agent started again, and the program given up. */
const CANCEL_MS = 2_500;
const RESTART_MS = 5_000;
const GIVE_UP_MS = 60_000;
/** Two Ctrl-C within two seconds would leave. */
const CANCEL_APART_MS = 2_500;

/** Types, looks, and loses patience. */
export class Person {
  #ended = false;
  #cancelledAt = -Infinity;

  constructor(
    readonly front: Front,
    readonly pty: Pty,
    readonly screen: Screen,
    readonly scene: Scene,
    readonly random: Random,
  ) {
    void pty.exited.then(() => this.#ended = true);
  }

  /** Waits until the program can be typed to. */
  async arrive(): Promise<void> {
    const ready = this.front === "tui" ? /idle|starting|working|waiting|gone/ : /^> |Error|agent/m;
    await this.screen.waitFor(ready, 15_000);
  }

  /** Changes the size of the window. */
  async resize(columns: number, rows: number): Promise<void> {
    this.screen.resize(columns, rows);
    await this.pty.resize(columns, rows);
  }

  /** Starts a turn of chaos and meddles while it runs. */
  async chaos(name: string): Promise<void> {
    await this.#type(`chaos ${name}`);
    for (let left = this.random.int(5, 25); left > 0 && !this.#ended; left--) {
      if (this.random.chance(0.25)) await this.#meddle();
      await pause(LOOK_MS);
      if (left > 5 && await this.#turnEnded(`chaos ${name}`)) left = 5;
    }
  }

  /** Sends a prompt and sees to it that it is answered. Says what is wrong, if it never is. */
  async ping(word: string): Promise<string | undefined> {
    const begun = Date.now();
    let typedAt = -Infinity;
    let restartedAt = begun;
    let lookedAt = begun;
    await this.#type("/queue clear");
    while (!this.#ended) {
      if (this.#seen().includes(`pong ${word}`)) return undefined;
      const now = Date.now();
      if (now - begun > GIVE_UP_MS) {
        return `the prompt "ping ${word}" is not answered; the screen:\n${this.screen.text()}`;
      }
      await pause(LOOK_MS);
      if (now - lookedAt < PATIENCE_MS) continue;
      lookedAt = now;
      const asked = this.front === "lines" || /waiting for your answer/.test(this.screen.text());
      if (asked) await this.#dismiss();
      if (this.front === "tui" && asked) continue;
      if (now - typedAt > CANCEL_MS) {
        if (typedAt > -Infinity) await this.#cancel();
        if (now - restartedAt > RESTART_MS) {
          restartedAt = now;
          await this.#type("/queue clear");
          await this.#type("/restart");
        }
        typedAt = now;
        await this.#type(`ping ${word}`);
      }
    }
    return `it ended by itself with status ${await this.pty.exited}`;
  }

  /** Leaves in one of the ways there are; gives the status that is to come of it. */
  async leave(): Promise<number> {
    switch (this.random.int(0, 4)) {
      case 0:
        await this.#type("/exit");
        return 0;
      case 1:
        this.pty.signal("SIGTERM");
        return 143;
      case 2:
        this.pty.signal("SIGHUP");
        return 129;
      case 3:
        for (let tries = 0; tries < 10 && !this.#ended; tries++) {
          await this.#write("\x03");
          await pause(300);
        }
        return 130;
      default:
        for (let tries = 0; tries < 10 && !this.#ended; tries++) {
          await this.#write(this.front === "tui" ? "\x15\x04" : "\x04");
          await pause(300);
        }
        return 0;
    }
  }

  async #meddle(): Promise<void> {
    const { random } = this;
    const tui = this.front === "tui";
    switch (random.int(0, 8)) {
      case 0:
        return await this.#cancel();
      case 1:
        return await this.resize(random.int(1, 120), random.int(1, 40));
      case 2:
        return await this.#write(tui ? "\x1b[200~pasted\ntext\x1b[201~" : "pasted\n");
      case 3:
        return await this.#write(tui ? "\x0f" : "\n");
      case 4:
        return await this.#dismiss();
      case 5:
        return await this.#write(tui ? "half a draft " : "half a draft \\\n");
      case 6:
        return await this.#write(tui ? "\x1b[A\x1b[B\x1b[D" : "1\n");
      default:
        return await this.#write(`${random.int(1, 4)}${tui ? "" : "\n"}`);
    }
  }

  async #dismiss(): Promise<void> {
    await this.#write(this.front === "tui" ? "\x1b" : "\n");
  }

  async #cancel(): Promise<void> {
    if (Date.now() - this.#cancelledAt < CANCEL_APART_MS) return;
    this.#cancelledAt = Date.now();
    await this.#write("\x03");
  }

  /** Types a line, in place of whatever stands there. */
  async #type(text: string): Promise<void> {
    // Ctrl-U takes away what stands there; in a line of the terminal itself nothing does.
    await this.#write(this.front === "tui" ? `\x15${text}` : text);
    await pause(50);
    await this.#write(this.front === "tui" ? "\r" : "\n");
  }

  async #write(bytes: string): Promise<void> {
    // Nobody reads any more once the program has ended.
    await this.pty.write(bytes).catch(() => {});
  }

  async #turnEnded(prompt: string): Promise<boolean> {
    const report = await this.scene.report();
    const at = report.findIndex((line) => "prompted" in line && line.prompted === prompt);
    return at >= 0 && report.slice(at).some((line) => "ended" in line || "started" in line);
  }

  /** The end of what was ever on the screen; a narrow one wraps the words. */
  #seen(): string {
    return this.screen.unwrapped().slice(-20_000);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
