/**
 * One turn: what the "model" can do while it answers a prompt.
 *
 * Everything here stops at once when the turn is cancelled, by throwing the signal's reason.
 *
 * @module
 */

import type {
  ContentChunk,
  SessionUpdate,
  ToolCall,
  ToolCallUpdate,
} from "@agentclientprotocol/sdk";
import { LoopDetector } from "./loop_detector.ts";
import type { Bounds, Peer } from "./peer.ts";
import type { AgentSession } from "./sessions.ts";
import { MODELS } from "./settings.ts";

/** Up to three words, or the white space at the end. Concatenated they give the text again. */
const CHUNK = /(?:\s*\S{1,24}){1,3}|\s+$/gu;

/** A running turn. */
export class Turn {
  readonly peer: Peer;
  readonly session: AgentSession;
  /** Aborts when the turn is cancelled or the connection ends. */
  readonly signal: AbortSignal;
  readonly loops = new LoopDetector();
  #messageId = "";

  constructor(peer: Peer, session: AgentSession, signal: AbortSignal) {
    this.peer = peer;
    this.session = session;
    this.signal = signal;
  }

  /** Sends an update of this session and keeps it for `session/load`. */
  async update(update: SessionUpdate): Promise<void> {
    this.signal.throwIfAborted();
    this.session.record(update);
    await this.peer.update(this.session.id, update);
  }

  /** Starts a message: the chunks that follow belong to it. */
  startMessage(): void {
    this.#messageId = this.session.nextId("msg");
  }

  /** Sends one chunk of the message, as it is. */
  async chunk(text: string, kind: "message" | "thought" = "message"): Promise<void> {
    this.session.characters += text.length;
    const chunk: ContentChunk = { content: { type: "text", text }, messageId: this.#messageId };
    await this.update(
      kind === "message"
        ? { sessionUpdate: "agent_message_chunk", ...chunk }
        : { sessionUpdate: "agent_thought_chunk", ...chunk },
    );
  }

  /** Streams a whole message in small chunks, at the pace of the model. */
  async say(text: string): Promise<void> {
    await this.#stream(text, "message");
  }

  /** Streams a thought. */
  async think(text: string): Promise<void> {
    await this.#stream(text, "thought");
  }

  async #stream(text: string, kind: "message" | "thought"): Promise<void> {
    this.startMessage();
    for (const piece of text.match(CHUNK) ?? []) {
      await this.chunk(piece, kind);
      await this.breathe();
    }
  }

  /** The short pause between two chunks. */
  async breathe(): Promise<void> {
    const pace = MODELS.find(({ value }) => value === this.session.settings.model)?.pace ?? 1;
    const ms = this.peer.options.pauseMs * pace;
    if (ms > 0) await this.pause(ms);
  }

  /** Waits, unless the turn is cancelled first. */
  async pause(ms: number): Promise<void> {
    this.signal.throwIfAborted();
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.signal.addEventListener("abort", done);
    });
    this.signal.throwIfAborted();
  }

  /** Sends a request of this session; it ends with the turn. */
  async request(method: string, params: object, bounds: Bounds = {}): Promise<unknown> {
    const { signal } = this;
    return await this.peer.request(method, { sessionId: this.session.id, ...params }, {
      ...bounds,
      signal,
    });
  }

  /** Announces a tool call as pending and gives its id. */
  async startTool(call: Omit<ToolCall, "toolCallId">): Promise<string> {
    const toolCallId = this.session.nextId("call");
    await this.update({ sessionUpdate: "tool_call", status: "pending", ...call, toolCallId });
    return toolCallId;
  }

  /** Reports more of a tool call. */
  async updateTool(update: ToolCallUpdate): Promise<void> {
    await this.update({ sessionUpdate: "tool_call_update", ...update });
  }

  /** Ends a tool call with the text that the model reads. */
  async endTool(toolCallId: string, text: string, failed: boolean): Promise<void> {
    await this.updateTool({
      toolCallId,
      status: failed ? "failed" : "completed",
      content: [{ type: "content", content: { type: "text", text } }],
      rawOutput: text,
    });
  }
}
