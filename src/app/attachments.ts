/**
 * What goes to the agent with a prompt besides its text.
 *
 * @module
 */

import type { JsonObject } from "../base/guards.ts";

/** One thing that goes along. */
export interface Attachment {
  /** What it is, for people, as it stands now: `!ls (3 lines)`. Unsanitised. */
  label(): string;
  /** The content blocks for the agent, as it stands now. */
  blocks(): readonly JsonObject[];
}

/** A prompt, with what goes along. */
export interface Prompt {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** Things that wait for the next prompt. */
export class Attachments {
  #waiting: readonly Attachment[] = [];
  readonly #changed: () => void;

  /** `changed` is called after every change. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** What waits, oldest first. */
  get waiting(): readonly Attachment[] {
    return this.#waiting;
  }

  /** Lets more of them wait. */
  add(...attachments: readonly Attachment[]): void {
    this.#set([...this.#waiting, ...attachments]);
  }

  /** Takes everything, for a prompt. */
  takeAll(): readonly Attachment[] {
    const taken = this.#waiting;
    if (taken.length > 0) this.#set([]);
    return taken;
  }

  /** Takes one away, by default the newest; `undefined` when there is no such one. */
  drop(attachment = this.#waiting.at(-1)): Attachment | undefined {
    if (attachment === undefined || !this.#waiting.includes(attachment)) return undefined;
    this.#set(this.#waiting.filter((other) => other !== attachment));
    return attachment;
  }

  /** A label may be another one now. */
  refresh(): void {
    if (this.#waiting.length > 0) this.#changed();
  }

  #set(waiting: readonly Attachment[]): void {
    this.#waiting = waiting;
    this.#changed();
  }
}
