/**
 * The agents that are known by name without any configuration.
 *
 * @module
 */

/** A row of {@link BUILTIN_AGENTS}. */
export interface BuiltinAgent {
  readonly command: string;
  readonly args: readonly string[];
  /** Which file requests we offer; absent: all. */
  readonly fs?: "all" | "read" | "write" | "none";
  /** The title of a call that runs a command is that command, whole; absent: it may be another text. */
  readonly commandTitles?: boolean;
  readonly description: string;
  /** How to get it: one sentence. */
  readonly install: string;
}

/** Name of the embedded agent. */
export const DEMO_AGENT = "demo";

/** Known agents by name, besides the embedded one. */
export const BUILTIN_AGENTS: Readonly<Record<string, BuiltinAgent>> = {
  mm: {
    command: "mm",
    args: ["-acp"],
    description: "mini-me",
    install: "Install mini-me so that `mm` is on the PATH, or choose another agent with --agent.",
  },
  opencode: {
    command: "opencode",
    args: ["acp"],
    description: "opencode",
    install: "Install it with `npm install -g opencode-ai`.",
  },
  qwen: {
    command: "qwen",
    args: ["--acp"],
    description: "Qwen Code",
    install: "Install it with `npm install -g @qwen-code/qwen-code`.",
  },
  gemini: {
    command: "gemini",
    args: ["--acp"],
    // Where reads are offered it reads a file before creating it, and takes "not there" as failure.
    fs: "write",
    commandTitles: true,
    description: "Gemini CLI",
    install: "Install it with `npm install -g @google/gemini-cli`.",
  },
  claude: {
    command: "claude-agent-acp",
    args: [],
    description: "Claude through its ACP adapter",
    install: "Install the adapter that provides `claude-agent-acp` from npm.",
  },
  codex: {
    command: "codex-acp",
    args: [],
    description: "Codex through its ACP adapter",
    install: "Install the adapter that provides `codex-acp` from npm.",
  },
  goose: {
    command: "goose",
    args: ["acp"],
    description: "goose",
    install: "Install goose so that `goose` is on the PATH.",
  },
  pi: {
    command: "pi-acp",
    args: [],
    description: "pi through its ACP adapter",
    install: "Install it with `npm install -g pi-acp`.",
  },
};

/** True for a name that needs no row in the configuration. */
export function isBuiltinAgent(name: string): boolean {
  return name === DEMO_AGENT || Object.hasOwn(BUILTIN_AGENTS, name);
}
