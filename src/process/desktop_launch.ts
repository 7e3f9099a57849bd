/**
 * What the person's desktop has started for a program of ours, a browser for a page to sign in at for
 * example: that belongs to the person, though it has the environment of who asked for it.
 *
 * Desktops leave a sign: GLib names the application's file in its environment, others run it as a
 * unit of its own. Both stand in the environment of the terminal that we run in as well, so only what
 * differs from ours counts.
 *
 * @module
 */

/** Where a sign of the desktop can be. */
export interface LaunchSigns {
  /** The variable's value. */
  readonly file: string | undefined;
  /** The name of the unit, without the directories above it. */
  readonly unit: string | undefined;
}

/** The variable in which GLib names the file of the application that it starts. */
export const LAUNCH_FILE = "GIO_LAUNCHED_DESKTOP_FILE";

/** Reads the signs of an environment (`NAME=value`, each ended by a zero byte) and of a cgroup file. */
export function parseLaunchSigns(environment: string, cgroup: string): LaunchSigns {
  const variable = environment.split("\0").find((one) => one.startsWith(`${LAUNCH_FILE}=`));
  return {
    file: variable?.slice(LAUNCH_FILE.length + 1),
    unit: /\/(app-[^/\n]*\.(?:scope|service))$/m.exec(cgroup)?.[1],
  };
}

/** Whether the desktop has started what has the first signs, and not as a part of what has the others. */
export function isOwnLaunch(signs: LaunchSigns, ours: LaunchSigns): boolean {
  return (signs.file !== undefined && signs.file !== ours.file) ||
    (signs.unit !== undefined && signs.unit !== ours.unit);
}
