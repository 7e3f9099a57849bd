/**
 * What is secret in how an agent's process is started, and in what it is told of servers.
 *
 * @module
 */

import { asArray, asObject, asString } from "../base/guards.ts";
import { holdsSecret, secretArguments } from "../model/secret_arguments.ts";
import { decoded, secretsOf } from "./secret_mask.ts";

/** Shorter values are no secrets that could be told from ordinary words. */
const SHORTEST = 6;

type Environment = Readonly<Record<string, string>>;

/** The secrets of a process: of its arguments, its own environment, and the inherited one. */
export function secretsOfProcess(
  { args, env = {} }: { readonly args: readonly string[]; readonly env?: Environment },
  inherited: Environment,
): string[] {
  return [...secretsOfWords(args), ...secretsOfEnvironment({ ...inherited, ...env })]
    .filter(isTelling);
}

/** The secrets of a command as an agent asks for it: of its arguments and its environment. */
export function secretsOfCommand(command: unknown): string[] {
  const { args, env } = asObject(command);
  const words = asArray(args).filter((word) => typeof word === "string");
  return [...secretsOfWords(words), ...secretsOfEnvironment(pairs(env))].filter(isTelling);
}

/**
 * The secrets of a list of MCP servers, as sessions are opened with it. What a person gives a server
 * in its environment is for that server alone, whatever its name.
 */
export function secretsOfServers(servers: unknown): string[] {
  return asArray(servers).map(asObject).flatMap((server) => {
    const address = URL.parse(asString(server.url) ?? "");
    const given = [
      ...Object.values(pairs(server.env)),
      ...(address === null ? [] : secretsOf(address, pairs(server.headers))),
    ];
    return [...secretsOfCommand(server), ...given.filter(isTelling)];
  });
}

function secretsOfWords(words: readonly string[]): string[] {
  return [...secretArguments(words), ...words.flatMap(passwordsIn)];
}

function secretsOfEnvironment(env: Environment): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    holdsSecret(name) ? value : passwordsIn(value)
  );
}

/** The password of an address, such as that of a database, in both its forms. */
function passwordsIn(text: string): string[] {
  const [, password] = /:\/\/[^\s/?#:@]*:([^\s/?#]+)@/.exec(text) ?? [];
  return password === undefined ? [] : [password, decoded(password)];
}

/** Not a word, a small number or a path, which would be hidden wherever somebody says it. */
function isTelling(value: string): boolean {
  if (value.length < SHORTEST || /^[a-z]{1,11}$|^\d{1,7}$/i.test(value)) return false;
  return !/^(?:~|\.{0,2})(?:\/[\w.-]+){2,}\/?$/.test(value);
}

/** `[{"name": …, "value": …}]` as a record. */
function pairs(list: unknown): Environment {
  return Object.fromEntries(
    asArray(list).map(asObject).map(({ name, value }) => [
      asString(name) ?? "",
      asString(value) ?? "",
    ]),
  );
}
