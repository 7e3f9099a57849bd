import assert from "node:assert/strict";
import { liveGroups } from "../support/live_groups.ts";
import { call, textOf, tool, until, Workshop } from "./workshop.ts";

Deno.test("an edited handler takes effect on the next call", async () => {
  await using workshop = new Workshop({ "edited.ts": tool(`return "old";`) });
  const toolbox = await workshop.open();
  assert.equal(textOf(await call(toolbox, "edited")), "old");
  workshop.write("edited.ts", tool(`return "new";`));
  assert.equal(textOf(await call(toolbox, "edited")), "new");
  await until(() => liveGroups().length === 1, "the old process ends");
});

Deno.test("an edited helper takes effect on the next call", async () => {
  await using workshop = new Workshop({
    "edited.ts": `import { word } from "./lib/word.ts";\n${tool("return word;")}`,
    "lib/word.ts": `export const word = "old";`,
  });
  const toolbox = await workshop.open();
  assert.equal(textOf(await call(toolbox, "edited")), "old");
  workshop.write("lib/word.ts", `export const word = "new";`);
  assert.equal(textOf(await call(toolbox, "edited")), "new");
});

Deno.test("editing one file leaves the state of another alone", async () => {
  await using workshop = new Workshop({
    "counts.ts": `let count = 0;\n${tool("return ++count;")}`,
    "edited.ts": tool(`return "old";`),
  });
  const toolbox = await workshop.open();
  assert.equal(textOf(await call(toolbox, "counts")), "1");
  workshop.write("edited.ts", tool(`return "new";`));
  assert.equal(textOf(await call(toolbox, "edited")), "new");
  assert.equal(textOf(await call(toolbox, "counts")), "2");
  await toolbox.reload();
  assert.equal(textOf(await call(toolbox, "counts")), "1", "a reload starts afresh");
});

Deno.test("a file that breaks keeps its tool out and says where, until it is mended", async () => {
  await using workshop = new Workshop({
    "breaks.ts": tool(`return "whole";`),
    "good.ts": tool(`return "good";`),
  });
  const toolbox = await workshop.open();
  const tools = toolbox.tools;
  const breaks = (name: string) =>
    toolbox.call({
      method: tools.find((known) => known.name === name)?.description.method ?? "",
      params: {},
      sessionId: "s",
      signal: new AbortController().signal,
    });
  assert.equal(textOf(await breaks("breaks")), "whole");
  workshop.write("breaks.ts", "\nexport const x: = 1;");
  assert.match(textOf(await breaks("breaks")), /^failed: breaks was not run: .*breaks\.ts:2: /);
  assert.equal(textOf(await breaks("good")), "good");
  Deno.removeSync(`${workshop.tools}/breaks.ts`);
  assert.match(
    textOf(await breaks("breaks")),
    /^failed: breaks was not run: it is no longer there/,
  );
  workshop.write("breaks.ts", tool(`return "mended";`));
  assert.equal(textOf(await breaks("breaks")), "mended");
});

Deno.test("reload() offers new tools, in a stable order", async () => {
  await using workshop = new Workshop({ "b.ts": tool(""), "d.ts": tool("") });
  const toolbox = await workshop.open();
  workshop.write("c.ts", tool(""));
  workshop.write("A.ts", tool(""));
  await toolbox.reload();
  assert.deepEqual(toolbox.descriptions().map(({ name }) => name), ["A", "b", "c", "d"]);
  assert.deepEqual(
    toolbox.descriptions().map(({ method }) => method),
    ["A", "b", "c", "d"].map((name) => `_org.mini-me.repl/tools/${name}`),
  );
});

Deno.test("descriptions come from the cache until a source changes", async () => {
  await using workshop = new Workshop({
    "one.ts": tool(""),
    "two.ts": tool(""),
    "_lib.ts": "export {};",
  });
  let started = 0;
  const { startWithDeno } = await import("../../src/toolbox/host_command.ts");
  const startHost: typeof startWithDeno = (needs) => {
    started++;
    return startWithDeno(needs);
  };
  const startsOf = async () => {
    started = 0;
    const toolbox = await workshop.open({ startHost });
    assert.equal(toolbox.tools.length, 2);
    return started;
  };
  assert.equal(await startsOf(), 2);
  assert.equal(await startsOf(), 0);
  workshop.write("one.ts", tool("return 1;"));
  assert.equal(await startsOf(), 1);
  workshop.write("_lib.ts", "export const x = 1;");
  assert.equal(await startsOf(), 2);
  for await (const { name } of Deno.readDir(`${workshop.home}/cache/tools`)) {
    await Deno.writeTextFile(`${workshop.home}/cache/tools/${name}`, "{damaged");
  }
  assert.equal(await startsOf(), 2);
});
