import assert from "node:assert/strict";

const href = (path: string) => new URL(`../../${path}`, import.meta.url).href;

/** Runs `body` in a process of its own, which ends with the status that it gives; 99 if it hangs. */
async function statusOf(body: string): Promise<number> {
  const script = `
    const { untilEnd } = await import(${JSON.stringify(href("src/cli/until_end.ts"))});
    const { handClock } = await import(${JSON.stringify(href("tests/support/hand_clock.ts"))});
    const { clock, turn } = handClock();
    const never = new Promise(() => {});
    setTimeout(() => Deno.exit(99), 20_000);
    const send = () => Deno.kill(Deno.pid, "SIGTERM");
    const seen = () => new Promise((resolve) => {
      Deno.addSignalListener("SIGTERM", resolve);
    });
    const sendTwice = async () => {
      const first = seen();
      send();
      await first;
      send();
    };
    ${body}`;
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", script],
    stdin: "null",
  }).output();
  assert.equal(new TextDecoder().decode(stderr), "");
  return code;
}

Deno.test("untilEnd() waits for nothing after a second signal, also while the start hangs", async () => {
  const status = await statusOf(`
    const ended = untilEnd(never, { clock });
    await sendTwice();
    Deno.exit((await ended).status);`);
  assert.equal(status, 143);
});

Deno.test("untilEnd() waits for nothing after a second signal while the program does not leave", async () => {
  const status = await statusOf(`
    const app = { leave: () => never };
    const ended = untilEnd(Promise.resolve({ app, ended: never }), { clock });
    await sendTwice();
    Deno.exit((await ended).status);`);
  assert.equal(status, 143);
});

Deno.test("untilEnd() waits in bounded time for a start that hangs", async () => {
  const status = await statusOf(`
    const ended = untilEnd(never, { clock });
    const first = seen();
    send();
    await first;
    await turn(2_000);
    const { status, app } = await ended;
    Deno.exit(app === undefined ? status : 98);`);
  assert.equal(status, 143);
});

Deno.test("untilEnd() passes on why a start failed", async () => {
  const status = await statusOf(`
    await untilEnd(Promise.reject(new Error("no"))).catch(({ message }) => {
      Deno.exit(message === "no" ? 7 : 8);
    });`);
  assert.equal(status, 7);
});
