/**
 * Phrases that only talk: rich text, thoughts, plans.
 *
 * @module
 */

import type { PlanEntry } from "@agentclientprotocol/sdk";
import type { Phrase } from "./phrase.ts";

const SAMPLE = `# A sample

Some *emphasis*, some **strength**, some \`code\`, a [link](https://example.org/page) and ~~an error~~.

## Lists

1. First
2. Second
   - nested
   - 日本語, 한국어, 中文
3. Third, with emoji: 🙂 👩‍💻 🇪🇺

> A quotation
> of two lines.

## A table

| Language | Hello    | Width |
|----------|----------|------:|
| English  | Hello    |     5 |
| 日本語   | こんにちは |    10 |
| العربية  | مرحبا    |     5 |

## Code

\`\`\`ts
export function greet(name: string): string {
  return \`Hello, \${name}!\`;
}
\`\`\`

- [x] done
- [ ] to do

---

The end.
`;

const STEPS = ["Understand the request", "Find a good answer", "Say it"];

/** The phrases. */
export const TALK: readonly Phrase[] = [
  {
    name: "markdown",
    usage: "markdown",
    shows: "headings, lists, a table, code, links, wide characters",
    command: "",
    run: (turn) => turn.say(SAMPLE),
  },
  {
    name: "think",
    usage: "think",
    shows: "thoughts before the answer",
    command: "",
    async run(turn) {
      await turn.think("What is there to think about? The answer has been the same for years.");
      await turn.think("Still, it is good manners to wait a moment before giving it.");
      await turn.say("I thought about it, and the answer is **42**.\n");
    },
  },
  {
    name: "plan",
    usage: "plan",
    shows: "a plan that is carried out step by step",
    command: "",
    async run(turn) {
      for (let current = 0; current <= STEPS.length; current++) {
        await turn.update({ sessionUpdate: "plan", entries: planAt(current) });
        const step = STEPS[current];
        if (step) await turn.say(`${step} …\n\n`);
      }
      await turn.say("Everything is done.\n");
    },
  },
  {
    name: "echo",
    usage: "echo TEXT",
    shows: "exactly TEXT",
    run: (turn, { argument }) => turn.say(argument),
  },
];

function planAt(current: number): PlanEntry[] {
  return STEPS.map((content, index) => ({
    content,
    priority: index === 1 ? "high" : "medium",
    status: index < current ? "completed" : index === current ? "in_progress" : "pending",
  }));
}
