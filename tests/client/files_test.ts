import assert from "node:assert/strict";
import {
  type FileOptions,
  type FileWriting,
  type OutsideFileRequest,
  registerFileReading,
  registerFileWriting,
} from "../../src/client/files.ts";
import { MethodRouter } from "../../src/client/router.ts";
import { call, failure, SESSION } from "./call.ts";

/** A session's directory with a neighbour that is outside of it. */
interface Place {
  readonly root: string;
  readonly outside: string;
  readonly router: MethodRouter;
  read(path: string, params?: Readonly<Record<string, unknown>>): Promise<unknown>;
  write(path: string, content: string): Promise<unknown>;
  [Symbol.asyncDispose](): Promise<void>;
}

async function place(options: Partial<FileOptions> = {}): Promise<Place> {
  const base = await Deno.realPath(await Deno.makeTempDir());
  const root = `${base}/proj`;
  const outside = `${base}/project`; // shares the beginning of the root's name
  await Deno.mkdir(root);
  await Deno.mkdir(outside);
  const router = new MethodRouter();
  const all = { roots: (id: string) => id === SESSION ? [root] : undefined, ...options };
  registerFileReading(router, all);
  registerFileWriting(router, all);
  return {
    root,
    outside,
    router,
    read: (path, params) => call(router, "fs/read_text_file", { path, ...params }),
    write: (path, content) => call(router, "fs/write_text_file", { path, content }),
    [Symbol.asyncDispose]: () => Deno.remove(base, { recursive: true }),
  };
}

Deno.test("reading gives the lines that were asked for, terminators kept", async (t) => {
  await using here = await place();
  const path = `${here.root}/abc`;
  await Deno.writeTextFile(path, "a\nb\nc");
  const cases: [Record<string, unknown>, string][] = [
    [{}, "a\nb\nc"],
    [{ limit: 1 }, "a\n"],
    [{ line: 2 }, "b\nc"],
    [{ line: 2, limit: 1 }, "b\n"],
    [{ line: 3, limit: 99 }, "c"],
    [{ line: 4 }, ""],
    [{ line: 99 }, ""],
    [{ limit: 0 }, ""],
    [{ line: 2, limit: 0 }, ""],
    [{ line: null, limit: null }, "a\nb\nc"],
  ];
  for (const [params, content] of cases) {
    await t.step(JSON.stringify(params), async () => {
      assert.deepEqual(await here.read(path, params), { content });
    });
  }
});

Deno.test("reading refuses lines and limits that cannot be", async (t) => {
  await using here = await place();
  const path = `${here.root}/abc`;
  await Deno.writeTextFile(path, "a\nb\nc");
  for (
    const params of [{ line: 0 }, { line: -1 }, { line: 1.5 }, { limit: 1.5 }, { limit: -1 }, {
      line: "2",
    }]
  ) {
    await t.step(JSON.stringify(params), async () => {
      assert.equal(
        (await failure(here.router, "fs/read_text_file", { path, ...params })).code,
        -32602,
      );
    });
  }
});

Deno.test("reading lines works across the pieces in which a file is read", async () => {
  await using here = await place();
  const path = `${here.root}/big`;
  const lines = Array.from({ length: 30_000 }, (_, i) => `line ${i + 1}\r\n`);
  await Deno.writeTextFile(path, lines.join(""));
  assert.deepEqual(await here.read(path, { line: 20_001, limit: 2 }), {
    content: "line 20001\r\nline 20002\r\n",
  });
  assert.deepEqual(await here.read(path), { content: lines.join("") });
});

Deno.test("a file that is read and written back is the same to the byte", async () => {
  await using here = await place();
  const path = `${here.root}/windows.txt`;
  const bytes = new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0x0d, 0x0a, 0x62, 0x0d, 0x0a]);
  await Deno.writeFile(path, bytes);
  const { content } = await here.read(path) as { content: string };
  assert.equal(content, "\ufeffa\r\nb\r\n");
  assert.equal(await here.write(path, content), null);
  assert.deepEqual(await Deno.readFile(path), bytes);
});

Deno.test("reading an empty file gives nothing, from line 1 too", async () => {
  await using here = await place();
  await Deno.writeTextFile(`${here.root}/empty`, "");
  assert.deepEqual(await here.read(`${here.root}/empty`, { line: 1 }), { content: "" });
});

Deno.test("reading says why a file cannot be read as text", async () => {
  await using here = await place({ maxBytes: 100 });
  const { root, router } = here;
  await Deno.writeFile(`${root}/binary`, new Uint8Array([1, 0, 2]));
  await Deno.writeFile(`${root}/latin1`, new Uint8Array([0x66, 0xfc, 0x72]));
  await Deno.writeTextFile(`${root}/large`, "0123456789\n".repeat(50));
  const read = (name: string) => failure(router, "fs/read_text_file", { path: `${root}/${name}` });
  const missing = await read("missing");
  assert.equal(missing.code, -32002);
  assert.match(missing.message, /^Resource not found: .*there is no such file$/);
  assert.match((await read("binary")).message, /binary/);
  assert.match((await read("latin1")).message, /not UTF-8/);
  assert.match((await read(".")).message, /directory/);
  assert.match((await read("large")).message, /larger than the limit of 100 bytes/);
  const long = await read("n".repeat(300));
  assert.deepEqual([long.code, /name is too long/.test(long.message)], [-32602, true]);
  assert.match((await read("large/inside")).message, /does not lead to a file/);
  assert.deepEqual(await here.read(`${root}/large`, { line: 50 }), { content: "0123456789\n" });
});

Deno.test("paths must be absolute and sessions known", async () => {
  await using here = await place();
  const { router, root } = here;
  for (const path of ["file", "./file", "", 5, undefined, `${root}/a\0b`]) {
    assert.equal((await failure(router, "fs/read_text_file", { path })).code, -32602);
  }
  const stranger = await failure(router, "fs/read_text_file", { path: root, sessionId: "s9" });
  assert.equal(stranger.code, -32602);
  assert.match(stranger.message, /unknown session/);
  const nobody = await failure(router, "fs/write_text_file", {
    path: `${root}/x`,
    content: "",
    sessionId: undefined,
  });
  assert.match(nobody.message, /unknown session/);
});

Deno.test("nothing outside the session's directories is read or written", async (t) => {
  await using here = await place();
  const { root, outside, router } = here;
  await Deno.writeTextFile(`${outside}/secret`, "secret");
  await Deno.mkdir(`${root}/sub`);
  await Deno.symlink(outside, `${root}/dir_link`);
  await Deno.symlink(`${outside}/secret`, `${root}/file_link`);
  await Deno.symlink(`${outside}/new`, `${root}/dangling`);
  await Deno.symlink("../../project/new", `${root}/sub/relative_dangling`);
  await Deno.symlink("dangling", `${root}/chain`);
  const paths = [
    `${outside}/secret`,
    `${root}/../project/secret`,
    `${root}/sub/../../project/secret`,
    `${root}/dir_link/secret`,
    `${root}/dir_link/../project/secret`,
    `${root}/file_link`,
    `${root}/dangling`,
    `${root}/chain`,
    `${root}/sub/relative_dangling`,
    `${root}/dir_link/missing/new`,
    "/etc/hostname",
  ];
  for (const path of paths) {
    await t.step(path.replace(root, "ROOT"), async () => {
      const read = await failure(router, "fs/read_text_file", { path });
      const write = await failure(router, "fs/write_text_file", { path, content: "x" });
      assert.match(read.message, /outside/);
      assert.match(write.message, /outside/);
    });
  }
  assert.deepEqual([...Deno.readDirSync(outside)].map((entry) => entry.name), ["secret"]);
  assert.equal(await Deno.readTextFile(`${outside}/secret`), "secret");
});

Deno.test("a link in a loop is an error, not a hang", async () => {
  await using here = await place();
  await Deno.symlink("loop", `${here.root}/loop`);
  const { message } = await failure(here.router, "fs/read_text_file", {
    path: `${here.root}/loop`,
  });
  assert.match(message, /Cannot read/);
});

Deno.test("links that stay inside are followed, and written through", async () => {
  await using here = await place();
  const { root } = here;
  await Deno.writeTextFile(`${root}/target`, "old");
  await Deno.symlink("target", `${root}/link`);
  await Deno.symlink("fresh", `${root}/to_new`);
  await here.write(`${root}/link`, "new");
  await here.write(`${root}/to_new`, "made");
  assert.equal(await Deno.readTextFile(`${root}/target`), "new");
  assert.equal(await Deno.readTextFile(`${root}/fresh`), "made");
  assert.ok((await Deno.lstat(`${root}/link`)).isSymlink);
  assert.deepEqual(await here.read(`${root}/link`), { content: "new" });
});

Deno.test("a session's directory may itself be reached through a link", async () => {
  await using here = await place();
  await Deno.writeTextFile(`${here.root}/file`, "text");
  await Deno.symlink(here.root, `${here.outside}/way`);
  const router = new MethodRouter();
  registerFileReading(router, { roots: () => [`${here.outside}/way`] });
  const path = `${here.outside}/way/file`;
  assert.deepEqual(await call(router, "fs/read_text_file", { path }), { content: "text" });
});

Deno.test("writing creates parents, keeps the mode and leaves nothing else behind", async () => {
  await using here = await place();
  const { root } = here;
  await Deno.writeTextFile(`${root}/run.sh`, "old", { mode: 0o755 });
  await Deno.chmod(`${root}/run.sh`, 0o755);
  for (const content of ["x\r\ny", "x", ""]) {
    assert.equal(await here.write(`${root}/run.sh`, content), null);
    assert.equal(await Deno.readTextFile(`${root}/run.sh`), content);
  }
  assert.equal(((await Deno.stat(`${root}/run.sh`)).mode ?? 0) & 0o777, 0o755);
  assert.equal(await here.write(`${root}/a/b/c.txt`, "deep"), null);
  assert.equal(await Deno.readTextFile(`${root}/a/b/c.txt`), "deep");
  assert.deepEqual([...Deno.readDirSync(root)].map((e) => e.name).sort(), ["a", "run.sh"]);
});

Deno.test("writing says why it cannot", async () => {
  await using here = await place();
  const { root, router } = here;
  await Deno.writeTextFile(`${root}/file`, "");
  const write = (path: string, content: unknown = "") =>
    failure(router, "fs/write_text_file", { path, content });
  assert.match((await write(root)).message, /directory/);
  assert.match((await write(`${root}/file/below`)).message, /does not lead to a file/);
  assert.equal((await write(`${root}/file`, 5)).code, -32602);
  assert.equal((await write(`${root}/missing/../file`)).code, -32002);
  const slash = await write(`${root}/new/`);
  assert.deepEqual([slash.code, /directory/.test(slash.message)], [-32602, true]);
  const long = await write(`${root}/${"n".repeat(300)}`);
  assert.deepEqual([long.code, /name is too long/.test(long.message)], [-32602, true]);
  assert.deepEqual([...Deno.readDirSync(root)].map((entry) => entry.name), ["file"]);
});

Deno.test("a file outside is asked about by where it really is", async () => {
  const asked: OutsideFileRequest[] = [];
  await using here = await place({
    onOutside: (request) => {
      asked.push(request);
      return Promise.resolve(request.access === "read");
    },
  });
  const { root, outside, router } = here;
  await Deno.writeTextFile(`${outside}/notes`, "notes");
  await Deno.symlink(`${outside}/notes`, `${root}/link`);
  assert.deepEqual(await here.read(`${root}/link`), { content: "notes" });
  const refused = await failure(router, "fs/write_text_file", {
    path: `${root}/link`,
    content: "",
  });
  assert.match(refused.message, /outside/);
  assert.deepEqual(asked.map(({ path, access }) => [path, access]), [
    [`${outside}/notes`, "read"],
    [`${outside}/notes`, "write"],
  ]);
});

Deno.test("a file that changes while it is asked about is written as sent, and told as it was then", async () => {
  const told: FileWriting[] = [];
  const base = await Deno.realPath(await Deno.makeTempDir());
  const path = `${base}/settings`;
  await using here = await place({
    onOutside: async () => {
      await Deno.writeTextFile(path, "edited meanwhile\r\n");
      return true;
    },
    onWritten: (writing) => told.push(writing),
  });
  try {
    await Deno.writeTextFile(path, "before\n");
    assert.equal(await here.write(path, "from the agent"), null);
    assert.equal(await Deno.readTextFile(path), "from the agent");
    assert.deepEqual(told.map(({ oldText, newText }) => [oldText, newText]), [
      ["edited meanwhile\r\n", "from the agent"],
    ]);
    assert.deepEqual([...Deno.readDirSync(base)].map(({ name }) => name), ["settings"]);
  } finally {
    await Deno.remove(base, { recursive: true });
  }
});

Deno.test("a question about a file outside ends when the request is taken back", async () => {
  await using here = await place({ onOutside: () => new Promise(() => {}) });
  const aborter = new AbortController();
  const answer = call(
    here.router,
    "fs/read_text_file",
    { path: "/etc/hostname" },
    aborter.signal,
  );
  aborter.abort();
  await assert.rejects(answer, { code: -32800 });
});

Deno.test("what was written is told, with the text before, where it can be compared", async () => {
  const told: FileWriting[] = [];
  await using here = await place({ onWritten: (writing) => told.push(writing) });
  const path = (name: string) => `${here.root}/${name}`;
  await here.write(path("new"), "é\n");
  await here.write(path("new"), "two\n");
  await Deno.writeFile(path("binary"), new Uint8Array([0, 255]));
  await here.write(path("binary"), "text");
  await here.write(path("large"), "x".repeat(2_000_000));
  await assert.rejects(here.write(`${here.outside}/no`, "x"));
  assert.deepEqual(told, [
    { sessionId: SESSION, path: path("new"), change: "created", newText: "é\n", bytes: 3 },
    {
      sessionId: SESSION,
      path: path("new"),
      change: "changed",
      oldText: "é\n",
      newText: "two\n",
      bytes: 4,
    },
    { sessionId: SESSION, path: path("binary"), change: "changed", newText: "text", bytes: 4 },
    { sessionId: SESSION, path: path("large"), change: "created", bytes: 2_000_000 },
  ]);
});

Deno.test("a directory that becomes a link while its file is asked about leads nowhere", async () => {
  let swap = () => Promise.resolve();
  await using here = await place({
    objection: async () => {
      await swap();
      return undefined;
    },
  });
  swap = async () => {
    await Deno.remove(`${here.root}/sub`, { recursive: true });
    await Deno.symlink(here.outside, `${here.root}/sub`);
  };
  const ways = [
    () => here.read(`${here.root}/sub/key`),
    () => here.write(`${here.root}/sub/key`, "mine"),
    () => here.write(`${here.root}/sub/new`, "mine"),
  ];
  for (const way of ways) {
    await Deno.writeTextFile(`${here.outside}/key`, "secret");
    await Deno.remove(`${here.root}/sub`).catch(() => {});
    await Deno.mkdir(`${here.root}/sub`);
    await Deno.writeTextFile(`${here.root}/sub/key`, "mine");
    await assert.rejects(way, /changed while it was/);
    assert.equal(await Deno.readTextFile(`${here.outside}/key`), "secret");
    assert.deepEqual([...Deno.readDirSync(here.outside)].map(({ name }) => name), ["key"]);
  }
});

Deno.test({
  name: "a pipe that takes a file's place keeps nobody waiting",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using here = await place();
    const path = `${here.root}/now`;
    await new Deno.Command("mkfifo", { args: [`${here.root}/pipe`] }).output();
    await Deno.writeTextFile(`${here.root}/text`, "text");
    await Deno.link(`${here.root}/text`, path);
    let swapping = true;
    const swaps = (async () => {
      for (let turn = 0; swapping; turn++) {
        await Deno.link(`${here.root}/${turn % 2 === 0 ? "pipe" : "text"}`, `${path}.new`);
        await Deno.rename(`${path}.new`, path).catch(() => {});
        // Two names of one file are left as they are.
        await Deno.remove(`${path}.new`).catch(() => {});
      }
    })();
    try {
      for (let turn = 0; turn < 400; turn++) {
        const [read, written] = await Promise.allSettled([
          here.read(path),
          here.write(`${path}.${turn % 3}`, "x").then(() => here.read(path)),
        ]);
        for (const answer of [read, written]) {
          if (answer.status === "fulfilled") assert.deepEqual(answer.value, { content: "text" });
        }
      }
    } finally {
      swapping = false;
      await swaps;
    }
  },
});

Deno.test("a path that is longer or deeper than any is refused at once", async () => {
  await using here = await place();
  for (const [part, count] of [["a/", 100_000], ["a/", 1_000], ["./", 1_000], ["../", 50_000]]) {
    const path = `${here.root}/${String(part).repeat(Number(count))}x`;
    await assert.rejects(here.read(path), ({ message }: Error) => {
      assert.ok(message.length < 500);
      return /name is too long/.test(message);
    });
    await assert.rejects(here.write(path, "x"), /name is too long/);
  }
});
