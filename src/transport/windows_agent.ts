/**
 * Which agents are Windows programs under WSL. Apart from what is done for them, which most starts
 * do not load.
 *
 * @module
 */

/**
 * The WSL distribution that we run in, when `command` is a Windows program and we are in one.
 *
 * @param env Reads an environment variable.
 */
export function windowsAgent(
  command: string,
  env: (name: string) => string | undefined,
): string | undefined {
  return /\.exe$/i.test(command) ? env("WSL_DISTRO_NAME") || undefined : undefined;
}
