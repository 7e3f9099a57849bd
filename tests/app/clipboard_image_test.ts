import assert from "node:assert/strict";
import { readClipboardImage } from "../../src/app/clipboard_image.ts";

const PNG = "\\211PNG\\r\\n\\032\\n";
const GIF = "GIF89a";

/** Runs with programs of this name and script on the PATH, and nothing else. */
async function withPrograms(
  scripts: Readonly<Record<string, string>>,
  use: () => Promise<void>,
): Promise<void> {
  const directory = await Deno.makeTempDir();
  const path = Deno.env.get("PATH") ?? "";
  try {
    for (const [name, script] of Object.entries(scripts)) {
      await Deno.writeTextFile(`${directory}/${name}`, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    }
    Deno.env.set("PATH", directory);
    await use();
  } finally {
    Deno.env.set("PATH", path);
    await Deno.remove(directory, { recursive: true });
  }
}

const env = (values: Readonly<Record<string, string>>) => (name: string) => values[name];
const WAYLAND = env({ WAYLAND_DISPLAY: "w" });
const ignore = Deno.build.os !== "linux";

Deno.test({
  name: "readClipboardImage() takes the picture in the type that the clipboard has",
  ignore,
  async fn() {
    const script = `case "$3" in image/gif) printf '${GIF}' ;; *) printf 'no such type' ;; esac`;
    await withPrograms({ "wl-paste": script }, async () => {
      const image = await readClipboardImage(WAYLAND);
      assert.ok(typeof image !== "string", String(image));
      assert.match(image.label(), /picture \(image\/gif, 1 kB\)/);
      const data = new TextEncoder().encode(GIF).toBase64();
      assert.deepEqual(image.blocks(), [{ type: "image", mimeType: "image/gif", data }]);
    });
  },
});

Deno.test({
  name: "readClipboardImage() falls back to the other program, and says what is missing",
  ignore,
  async fn() {
    const both = env({ WAYLAND_DISPLAY: "w", DISPLAY: ":0" });
    await withPrograms({ xclip: `printf '${PNG}'` }, async () => {
      const image = await readClipboardImage(both);
      assert.ok(typeof image !== "string", String(image));
      assert.match(image.label(), /image\/png/);
    });
    await withPrograms({ xclip: "exit 1" }, async () => {
      assert.match(String(await readClipboardImage(both)), /no picture on the clipboard/);
    });
    await withPrograms({}, async () => {
      assert.match(String(await readClipboardImage(both)), /wl-paste or xclip/);
      assert.match(String(await readClipboardImage(env({}))), /wl-paste or xclip/);
    });
  },
});

Deno.test({
  name: "readClipboardImage() refuses a picture that is too large",
  ignore,
  async fn() {
    const script = `printf '${PNG}'; /usr/bin/head -c 10485760 /dev/zero`;
    await withPrograms({ "wl-paste": script }, async () => {
      assert.match(String(await readClipboardImage(WAYLAND)), /larger than 10 MB/);
    });
  },
});
