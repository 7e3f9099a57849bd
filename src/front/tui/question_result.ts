/**
 * What a question makes of an event.
 *
 * @module
 */

import type { QuestionAnswer } from "../../app/view.ts";

/** What became of an event. */
export type PanelResult =
  /** It was the question's, which may look different; `hint` tells why nothing else happened. */
  | { readonly type: "taken"; readonly hint?: string }
  /** It is not for the question. */
  | { readonly type: "passed" }
  | { readonly type: "answered"; readonly answer: QuestionAnswer }
  /** The whole question shall be printed above. */
  | { readonly type: "view" };

/** It was the question's. */
export const TAKEN: PanelResult = { type: "taken" };
/** It is not for the question. */
export const PASSED: PanelResult = { type: "passed" };
/** The person would not say. */
export const DISMISSED: PanelResult = { type: "answered", answer: { type: "dismissed" } };
