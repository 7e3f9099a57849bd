/**
 * Images, where the terminal can show them.
 *
 * @module
 */

import {
  getCapabilities,
  getImageDimensions,
  renderImage,
} from "@earendil-works/pi-tui/dist/terminal-image.js";
import type { ContentPart } from "../../../model/session.ts";
import type { RenderContext } from "./context.ts";

/** Cells that an image takes at most. */
const MAX_COLUMNS = 60;
const MAX_ROWS = 16;
/** Longer data (in base64 characters) is not sent to the terminal. */
const MAX_DATA = 8_000_000;

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * An image as one piece of output that takes several rows and leaves the cursor in the last one;
 * `undefined` when it cannot be shown. Only for lines that are written once.
 */
export function imageRow(part: ContentPart, { width, theme }: RenderContext): string | undefined {
  if (part.type !== "image" || theme.name === "plain" || getCapabilities().images === null) {
    return undefined;
  }
  if (part.data.length > MAX_DATA || !BASE64.test(part.data)) return undefined;
  const size = getImageDimensions(part.data, part.mimeType);
  if (size === null) return undefined;
  const image = renderImage(part.data, size, {
    maxWidthCells: Math.min(MAX_COLUMNS, width),
    maxHeightCells: MAX_ROWS,
    moveCursor: false,
  });
  if (image === null) return undefined;
  // The rows are made first, so that the terminal need not scroll while it draws.
  const below = Math.max(0, image.rows - 1);
  const up = below > 0 ? `\x1b[${below}A` : "";
  const down = below > 0 ? `\x1b[${below}B` : "";
  return `${"\r\n".repeat(below)}${up}\r\x1b7${image.sequence}\x1b8${down}`;
}
