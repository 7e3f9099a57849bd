/**
 * Everything that is shown above the editor, in one module that is loaded after the first frame.
 *
 * @module
 */

export { renderMarkdown } from "./markdown.ts";
export { questionLines } from "./question_body.ts";
export { QuestionPanel } from "./question_panel.ts";
export { Transcript } from "./transcript.ts";
