/** @module */

import project from "../../deno.json" with { type: "json" };

/** Version of the program. */
export const VERSION: string = project.version;
