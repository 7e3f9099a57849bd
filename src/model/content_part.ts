/**
 * Content as a session keeps it.
 *
 * @module
 */

/**
 * One block of content, normalised from ACP's `ContentBlock`. Unknown kinds are kept.
 *
 * ```ts
 * import type { ContentPart } from "@mm/repl";
 *
 * const part: ContentPart = { type: "text", text: "hello" };
 * ```
 */
export type ContentPart =
  | { readonly type: "text"; readonly text: string }
  | {
    readonly type: "image" | "audio";
    readonly mimeType: string;
    /** Base64. */
    readonly data: string;
    readonly uri?: string;
  }
  | {
    readonly type: "resource_link";
    readonly uri: string;
    readonly name: string;
    readonly title?: string;
    readonly description?: string;
    readonly mimeType?: string;
    /** Bytes. */
    readonly size?: number;
  }
  | {
    readonly type: "resource";
    readonly uri: string;
    readonly mimeType?: string;
    readonly text?: string;
    /** Base64. */
    readonly blob?: string;
  }
  | { readonly type: "unknown"; readonly name: string; readonly raw: unknown };

/**
 * What a tool call carries besides its title.
 *
 * ```ts
 * import type { ToolContent } from "@mm/repl";
 *
 * const change: ToolContent = { type: "diff", path: "/a.txt", oldText: "a", newText: "b" };
 * ```
 */
export type ToolContent =
  | { readonly type: "content"; readonly content: ContentPart }
  | {
    readonly type: "diff";
    readonly path: string;
    /** Absent for a new file; an empty string is an existing empty file. */
    readonly oldText?: string;
    readonly newText: string;
  }
  | { readonly type: "terminal"; readonly terminalId: string }
  | { readonly type: "unknown"; readonly name: string; readonly raw: unknown };
