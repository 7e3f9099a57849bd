/**
 * A hostile agent: does by chance everything that an agent must not do, the same for the same seed.
 *
 * `chaos_agent.ts --seed N --dir DIRECTORY --person yes|no`. In the directory it keeps `report.ndjson`, the record of
 * what it asked and how that was answered (see {@link ReportLine}), over all its starts. A prompt
 * that begins with "ping" is answered with "pong" and the rest of it, honestly, once everything that
 * was asked before has been answered. Any other prompt is a turn of chaos. From the fourth start on
 * it does not die any more, so that whoever starts it again gets there.
 *
 * @module
 */

import { asArray, asObject, asString, type JsonObject } from "../../src/base/guards.ts";
import { hostileText, junk, mutated } from "./chaos/hostile_values.ts";
import * as noise from "./chaos/noise.ts";
import { Random } from "./chaos/random.ts";
import * as requests from "./chaos/requests.ts";
import { chunk, updateOf } from "./chaos/updates.ts";
import { type Message, pause, Wire } from "./chaos/wire.ts";
import { closeStdout } from "./scripted_agent.ts";

/** The number of starts after which nothing dies any more. */
const MORTAL_STARTS = 3;

/** What happens in a turn, and how often in proportion. */
const ACTIONS: readonly (readonly [number, (scene: requests.Scene) => unknown])[] = [
  [4, noise.writeNoise],
  [6, noise.sendUpdates],
  [4, noise.sendBrokenUpdates],
  [3, noise.sendStrayAnswers],
  [4, noise.cutSequences],
  [2, noise.drip],
  [1, noise.flood],
  [1, noise.sendHugeLine],
  [4, requests.askPermissions],
  [2, requests.askForms],
  [4, requests.askFiles],
  [3, requests.askTerminals],
  [4, requests.askNonsense],
  [2, requests.callTools],
  [2, ({ random }) => pause(random.int(10, 150))],
];

/** How a start goes wrong, by the method at which it does. */
type Doom = "die" | "exit" | "error" | "junk" | "close" | "nothing";

class ChaosAgent {
  readonly #wire: Wire;
  /** Makes the chance of each turn and answer its own, whatever goes on beside it. */
  readonly #seed: number;
  #branches = 0;
  readonly #mortal: boolean;
  /** Where this start goes wrong before there is a session. */
  readonly #doomed: { readonly method: string; readonly doom: Doom } | undefined;
  #sessionId: string;
  #cwd = "/";
  #prompt: { readonly id: unknown; cancelled: boolean } | undefined;

  constructor(seed: number, directory: string, withPerson: boolean) {
    const reportFile = `${directory}/report.ndjson`;
    const start = startsSoFar(reportFile);
    this.#seed = seed * 101 + start;
    this.#wire = new Wire(reportFile, start, withPerson);
    this.#wire.note({ started: Deno.pid });
    this.#mortal = start < MORTAL_STARTS;
    this.#sessionId = `chaos-${start}`;
    const random = this.#branch();
    this.#doomed = this.#mortal && random.chance(0.15)
      ? {
        method: random.pick(["", "initialize", "session/new"]),
        doom: random.pick(["die", "exit", "error", "junk", "close"]),
      }
      : undefined;
    if (random.chance(0.25)) {
      for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"] as const) {
        Deno.addSignalListener(signal, () => {});
      }
    }
    // Stays when its stdin ends, for two minutes at most.
    if (random.chance(0.25)) setTimeout(() => Deno.exit(0), 120_000);
    if (random.chance(0.3)) leaveChildren(random, this.#mortal);
  }

  async run(): Promise<void> {
    const random = this.#branch();
    if (random.chance(0.5)) noise.writeNoise(this.#scene(random));
    if (this.#doomed?.method === "") await this.#meet(this.#doomed.doom, undefined, random);
    await this.#wire.read((message) => this.#take(message));
  }

  #branch(): Random {
    return new Random(this.#seed * 1_009 + this.#branches++);
  }

  #scene(random: Random): requests.Scene {
    return { random, wire: this.#wire, sessionId: this.#sessionId, cwd: this.#cwd };
  }

  #take({ method, id, params }: JsonObject): void {
    const raw = asObject(params);
    if (method === "session/cancel") {
      if (this.#prompt !== undefined) this.#prompt.cancelled = true;
    } else if (id === undefined) return;
    else if (method === "session/prompt") void this.#turn(id, textOf(raw));
    else if (this.#doomed !== undefined && this.#doomed.method === method) {
      void this.#meet(this.#doomed.doom, id, this.#branch());
    } else void this.#answer(asString(method) ?? "", id, raw);
  }

  async #answer(method: string, id: unknown, params: JsonObject): Promise<void> {
    const random = this.#branch();
    if (random.chance(0.3)) noise.writeNoise(this.#scene(random));
    if (typeof params.cwd === "string") this.#cwd = params.cwd;
    switch (method) {
      case "initialize":
        return this.#respond(random, id, {
          protocolVersion: 1,
          agentCapabilities: {
            loadSession: random.chance(0.5),
            promptCapabilities: mutated(random, { image: true, embeddedContext: false }),
            sessionCapabilities: random.pick([{}, { resume: {}, list: {}, close: {} }]),
          },
          authMethods: random.pick([[], null, [{ id: "login", name: hostileText(random) }]]),
        });
      case "session/new":
      case "session/load":
      case "session/resume":
        if (asString(params.sessionId) !== undefined) this.#sessionId = String(params.sessionId);
        for (let count = random.int(0, 4); count > 0; count--) {
          this.#wire.send(updateOf(random, this.#sessionId));
        }
        if (random.chance(0.3)) await pause(random.int(1, 100));
        return this.#respond(random, id, {
          sessionId: this.#sessionId,
          modes: random.pick([undefined, null, junk(random), {
            currentModeId: "code",
            availableModes: [{ id: "code", name: hostileText(random) }],
          }]),
          configOptions: random.pick([undefined, null, junk(random)]),
        });
      default:
        if (random.chance(0.5)) {
          return this.#respond(random, id, random.pick([{}, null, junk(random)]));
        }
        this.#wire.send({ id, error: { code: -32601, message: hostileText(random), data: null } });
    }
  }

  async #turn(id: unknown, text: string): Promise<void> {
    this.#wire.note({ prompted: text });
    const prompt = { id, cancelled: false };
    this.#prompt = prompt;
    const random = this.#branch();
    if (text.startsWith("ping")) return await this.#pong(id, text, random);
    const scene = this.#scene(random);
    for (let count = random.int(3, 14); count > 0; count--) {
      await weighted(random)(scene);
      const stops = random.chance(0.7);
      if (prompt.cancelled && stops) return this.#end(random, id, { stopReason: "cancelled" });
      if (this.#mortal && random.chance(0.02)) return await this.#meet("die", id, random);
    }
    if (random.chance(0.5)) await this.#settle(random);
    await this.#finish(prompt, random);
    if (random.chance(0.3)) noise.sendUpdates(scene);
  }

  async #finish(
    prompt: { readonly id: unknown; readonly cancelled: boolean },
    random: Random,
  ): Promise<void> {
    const { id } = prompt;
    if (this.#mortal && random.chance(0.15)) {
      return await this.#meet(random.pick(["die", "exit", "error", "close"]), id, random);
    }
    if (random.chance(0.1)) {
      // Until it is told to stop, and with luck not even then.
      for (let waited = 0; !prompt.cancelled && waited < 20_000; waited += 20) await pause(20);
      if (random.chance(0.4)) return;
    }
    const result = random.pick([
      { stopReason: "end_turn" },
      { stopReason: "end_turn" },
      { stopReason: random.pick(["max_tokens", "refusal", "cancelled", "brand_new", 5, null]) },
      null,
      {},
      junk(random),
    ]);
    this.#end(random, id, result);
    if (random.chance(0.2)) this.#wire.send({ id, result }, { id, error: { code: 1 } });
  }

  async #pong(id: unknown, text: string, random: Random): Promise<void> {
    await this.#settle(random);
    this.#wire.send(chunk(`\n\npong${text.slice("ping".length)}\n\n`, this.#sessionId));
    this.#end(random, id, { stopReason: "end_turn" });
  }

  /** Takes back what may wait for ever, and waits for all answers. */
  async #settle(random: Random): Promise<void> {
    const { terminals } = this.#wire;
    for (const terminalId of terminals.splice(0)) {
      this.#wire.ask("terminal/kill", { sessionId: this.#sessionId, terminalId });
      if (random.chance(0.5)) {
        this.#wire.ask("terminal/release", { sessionId: this.#sessionId, terminalId });
      }
    }
    await this.#wire.settle();
  }

  #respond(random: Random, id: unknown, result: unknown): void {
    this.#wire.send({ id: random.chance(0.1) ? String(id) : id, result });
  }

  #end(random: Random, id: unknown, result: unknown): void {
    this.#wire.note({ ended: String(id) });
    this.#respond(random, id, result);
  }

  async #meet(doom: Doom, id: unknown, random: Random): Promise<void> {
    if (random.chance(0.5)) this.#wire.stderr(`fatal: ${hostileText(random)}\n`);
    switch (doom) {
      case "die":
        return Deno.kill(Deno.pid, random.pick(["SIGKILL", "SIGTERM", "SIGABRT"]));
      case "exit":
        return Deno.exit(random.pick([0, 1, 127]));
      case "error":
        return this.#wire.send({ id, error: random.pick([hostileError(random), junk(random)]) });
      case "junk":
        return this.#wire.send({ id, result: junk(random) });
      case "close":
        closeStdout();
        await pause(60_000);
    }
  }
}

function hostileError(random: Random): Message {
  return {
    code: random.pick([-32000, -32002, -32603, 5, "x", null]),
    message: hostileText(random),
    data: random.pick([null, hostileText(random), { details: hostileText(random) }]),
  };
}

function weighted(random: Random): (scene: requests.Scene) => unknown {
  const total = ACTIONS.reduce((sum, [weight]) => sum + weight, 0);
  let left = random.int(1, total);
  for (const [weight, action] of ACTIONS) {
    left -= weight;
    if (left <= 0) return action;
  }
  return noise.writeNoise;
}

/**
 * Processes that hold our streams: in our group, and in one of their own unless we may die before
 * anybody has seen them there.
 */
function leaveChildren(random: Random, mortal: boolean): void {
  const [command, ...args] = random.pick([
    ["sleep", "300"],
    ["sh", "-c", "trap '' TERM HUP; sleep 300"],
    [...mortal ? [] : ["setsid"], "sleep", "300"],
  ]);
  new Deno.Command(command ?? "", { args, stdin: "null" }).spawn().unref();
}

function startsSoFar(reportFile: string): number {
  try {
    return Deno.readTextFileSync(reportFile).split("\n")
      .filter((line) => line.includes('"started":')).length;
  } catch {
    return 0;
  }
}

function textOf(params: JsonObject): string {
  return asArray(params.prompt).map((block) => asString(asObject(block).text) ?? "").join("\n");
}

if (import.meta.main) {
  const { seed = "1", dir = ".", person = "no" } = Object.fromEntries(
    Deno.args.flatMap((word, index) =>
      word.startsWith("--") ? [[word.slice(2), Deno.args[index + 1] ?? ""]] : []
    ),
  );
  const agent = new ChaosAgent(Number(seed), dir, person === "yes");
  // An agent that is left behind must not stay for ever.
  Deno.unrefTimer(setTimeout(() => Deno.exit(1), 180_000));
  await agent.run();
}
