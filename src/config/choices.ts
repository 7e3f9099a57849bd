/**
 * The values that settings and flags have in common: apart from the settings, which take long to load.
 *
 * @module
 */

/** Default answers to permission requests, from the narrowest to the widest. */
export const PERMISSION_DEFAULTS = ["deny", "ask", "reads", "allow"] as const;

/** How client tools are offered to mini-me. */
export const DISCOVERY_MODES = ["auto", "request", "meta"] as const;
