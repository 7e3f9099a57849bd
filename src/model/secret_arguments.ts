/**
 * Secrets among the words of a command line, by the names that stand before them.
 *
 * @module
 */

const NAME =
  /token|secret|passw(?:or)?d|passphrase|authorization|api[-_]?key|private[-_]?key|credential|cookie|(?:^|[_-])pass$|[a-z][_-]pwd$/i;

/** Names of what only says where a secret is, or how it is used. */
const ABOUT = /(?:file|path|dir|directory|env|name|command|helper|type|mode|limit|tokens)$/i;

const HIDDEN = "***";

/** Whether what goes by this name is a secret. */
export function isSecretName(name: string): boolean {
  return NAME.test(name);
}

/** Whether a variable or option of this name holds the secret itself. */
export function holdsSecret(name: string): boolean {
  return isSecretName(name) && !ABOUT.test(name);
}

/** The secrets of a command line: `--token X`, `--api-key=X`, `TOKEN=X`. */
export function secretArguments(args: readonly string[]): string[] {
  return args.flatMap((_, index) => secretAt(args, index) ?? []);
}

/** The words with `***` in place of secrets. */
export function hideArguments(args: readonly string[]): string[] {
  return args.map((word, index) => {
    const secret = secretAt(args, index);
    return secret === undefined ? word : word.slice(0, word.length - secret.length) + HIDDEN;
  });
}

/** The secret that a word is, or ends with. */
function secretAt(args: readonly string[], index: number): string | undefined {
  const word = args[index] ?? "";
  const [, name, value = ""] = /^([\w.-]+)=(.*)$/s.exec(word) ?? [];
  if (name !== undefined && holdsSecret(name)) return value || undefined;
  const before = args[index - 1] ?? "";
  const isOption = /^-/.test(before) && !before.includes("=") && holdsSecret(before);
  return isOption && !word.startsWith("-") && word !== "" ? word : undefined;
}
