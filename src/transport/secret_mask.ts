/**
 * Known secrets out of what is shown or written down.
 *
 * It goes by the values themselves, not by how a text that holds one looks: what the network, a
 * server or a library says may hold them anywhere.
 *
 * @module
 */

import { isObject } from "../base/guards.ts";

const HIDDEN = "***";
/** Shorter values cannot be told from parts of ordinary words. */
const SHORTEST = 4;
/** A word of a value, such as what follows `Bearer`, is a secret by itself from this length on. */
const SHORTEST_WORD = 8;

/** Secrets of passing use that are known at a time, in all their forms: each costs every message. */
const MOST_PASSING = 300;

/** Hides the secrets that it knows. */
export class SecretMask {
  readonly #lasting = new Set<string>();
  /** Those that are forgotten when there are many newer ones, oldest first. */
  readonly #passing = new Set<string>();
  /** All of them, the longest first: one may be a part of another. */
  #secrets: readonly string[] = [];

  /** Takes further secrets, and the forms that they have in addresses and in JSON. */
  add(values: readonly string[]): void {
    for (const form of values.flatMap(formsOf)) this.#lasting.add(form);
    this.#arrange();
  }

  /** The same of secrets that an agent names with what it asks for, as many as it likes. */
  addPassing(values: readonly string[]): void {
    const forms = values.slice(0, MOST_PASSING).flatMap(formsOf);
    if (forms.every((form) => this.#passing.has(form) || this.#lasting.has(form))) return;
    for (const form of forms) this.#passing.add(form);
    for (const oldest of this.#passing) {
      if (this.#passing.size <= MOST_PASSING) break;
      this.#passing.delete(oldest);
    }
    this.#arrange();
  }

  #arrange(): void {
    this.#secrets = [...new Set([...this.#lasting, ...this.#passing])]
      .sort((a, b) => b.length - a.length);
  }

  /** The text with `***` in their places. */
  text(text: string): string {
    let masked = text;
    for (const secret of this.#secrets) {
      if (masked.includes(secret)) masked = masked.replaceAll(secret, HIDDEN);
    }
    return masked;
  }

  /** A JSON value without them; itself where it holds none. */
  json<T>(value: T): T {
    return this.#secrets.length === 0 ? value : this.#json(value) as T;
  }

  #json(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value)) {
      const masked = value.map((item) => this.#json(item));
      return masked.some((item, at) => item !== value[at]) ? masked : value;
    }
    if (!isObject(value)) return value;
    const entries = Object.entries(value);
    const masked = entries.map(([key, member]) => [this.text(key), this.#json(member)] as const);
    const same = masked.every(([key, member], at) =>
      key === entries[at]?.[0] && member === entries[at]?.[1]
    );
    return same ? value : Object.fromEntries(masked);
  }
}

function formsOf(value: string): string[] {
  if (value.length < SHORTEST) return [];
  return [value, encodeURIComponent(value.toWellFormed()), JSON.stringify(value).slice(1, -1)];
}

/** What is secret in how a server is reached: the address's user and query, and all headers. */
export function secretsOf(address: URL, headers: Readonly<Record<string, string>>): string[] {
  return [...secretsOfAddress(address), ...Object.values(headers).flatMap(secretsOfHeader)];
}

function secretsOfAddress({ username, password, searchParams }: URL): string[] {
  const query = [...searchParams].map(([key, value]) => value === "" ? key : value);
  if (username === "" && password === "") return query;
  const [user, secret] = [decoded(username), decoded(password)];
  return [
    ...query,
    secret,
    // A name alone is a token.
    ...(secret === "" ? [user] : []),
    new TextEncoder().encode(`${user}:${secret}`).toBase64(),
  ];
}

function secretsOfHeader(value: string): string[] {
  const words = value.split(/[\s,;]+/).filter((word) => word.length >= SHORTEST_WORD);
  const [, basic] = /^basic\s+(\S+)$/i.exec(value) ?? [];
  const pair = basic === undefined ? "" : decodeBase64(basic);
  return [value, ...words, pair, pair.slice(pair.indexOf(":") + 1)];
}

/** The text without `%` escapes; as it is where they are none. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function decodeBase64(text: string): string {
  try {
    return atob(text);
  } catch {
    return "";
  }
}
