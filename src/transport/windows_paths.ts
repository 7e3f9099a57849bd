/**
 * Windows programs as agents under WSL: their paths are not ours.
 *
 * @module
 */

import { isObject } from "../base/guards.ts";
import type { Transport, WireMessage } from "./transport.ts";

/** Members of messages that hold a path, or a list of them. */
const PATH_MEMBERS: ReadonlySet<string> = new Set(["cwd", "path", "additionalDirectories"]);

/** A path of ours as Windows sees it: `/mnt/c/x` is `C:\x`, others are on the network of WSL. */
export function toWindowsPath(path: string, distribution: string): string {
  const drive = /^\/mnt\/([a-z])(\/.*)?$/s.exec(path);
  const rest = (drive === null ? path : drive[2] ?? "/").replaceAll("/", "\\");
  return drive === null
    ? `\\\\wsl.localhost\\${distribution}${rest}`
    : `${drive[1]?.toUpperCase()}:${rest}`;
}

/** The path of ours that a Windows path means; what is none comes back as it is. */
export function fromWindowsPath(path: string, distribution: string): string {
  const drive = /^([a-z]):[\\/]?(.*)$/is.exec(path);
  if (drive !== null) {
    const rest = drive[2] ?? "";
    return `/mnt/${drive[1]?.toLowerCase()}${rest === "" ? "" : `/${slashed(rest)}`}`;
  }
  const shared = /^[\\/]{2}wsl(?:\.localhost|\$)[\\/]([^\\/]+)(.*)$/is.exec(path);
  if (shared?.[1]?.toLowerCase() !== distribution.toLowerCase()) return path;
  return slashed(shared[2] ?? "") || "/";
}

/** The variables of a Windows program: those that `WSLENV` does not name do not reach it. */
export function windowsEnv(
  env: Readonly<Record<string, string>>,
  inherited: string | undefined,
): Readonly<Record<string, string>> {
  const names = [...(inherited ? [inherited] : []), ...Object.keys(env)];
  return names.length === 0 ? env : { ...env, WSLENV: names.join(":") };
}

/** A transport whose messages have Windows paths on the agent's side and ours on this one. */
export function withWindowsPaths(transport: Transport, distribution: string): Transport {
  const writer = transport.writable.getWriter();
  return {
    readable: transport.readable.pipeThrough(
      new TransformStream({
        transform(message, controller) {
          controller.enqueue(mapPaths(message, (path) => fromWindowsPath(path, distribution)));
        },
      }),
    ),
    writable: new WritableStream({
      write: (message) =>
        writer.write(mapPaths(message, (path) => toWindowsPath(path, distribution))),
      close: () => writer.close(),
      abort: (reason) => writer.abort(reason),
    }),
    closed: transport.closed,
    stderr: () => transport.stderr(),
    watchStderr: () => transport.watchStderr(),
    onStderrLine: (listener) => transport.onStderrLine(listener),
    noise: () => transport.noise(),
    close: () => transport.close(),
  };
}

function mapPaths(message: WireMessage, map: (path: string) => string): WireMessage {
  return mapMembers(message, map) as WireMessage;
}

function mapMembers(value: unknown, map: (path: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => mapMembers(item, map));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      PATH_MEMBERS.has(key) ? mapValue(member, map) : mapMembers(member, map),
    ]),
  );
}

function mapValue(value: unknown, map: (path: string) => string): unknown {
  if (typeof value === "string") return isAbsolute(value) ? map(value) : value;
  return Array.isArray(value) ? value.map((item) => mapValue(item, map)) : mapMembers(value, map);
}

function isAbsolute(path: string): boolean {
  return /^([a-z]:|[\\/])/i.test(path);
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}
