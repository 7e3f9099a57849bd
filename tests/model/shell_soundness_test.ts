import assert from "node:assert/strict";
import fc from "fast-check";
import { decidePermission, type PermissionRule } from "../../src/model/permission_rules.ts";

const ALLOWED: readonly PermissionRule[] = [{ command: "git *", action: "allow" }];

function isAllowed(line: string): boolean {
  const request = { kind: "execute", tools: [], paths: [], commands: [line], cwd: "/" } as const;
  return decidePermission(ALLOWED, request).action === "allow";
}

const LINES_IN_SHELL = `
while IFS= read -r -d '' line; do
  : > ran
  for shell in $SHELLS; do
    # A loop that does not end is ended by its use of the processor.
    (ulimit -t 1; exec "$shell" -c "$line") </dev/null >/dev/null 2>&1
  done
  if [ -s ran ]; then printf '%s\\0' "$line"; fi
done
`;

/** The lines of which a real shell runs anything but `git`. */
async function linesThatRunMore(lines: readonly string[]): Promise<readonly string[]> {
  const directory = await Deno.makeTempDir();
  try {
    const bin = `${directory}/bin`;
    await Deno.mkdir(bin);
    // It fails, so that no loop goes on because of it.
    await Deno.writeTextFile(`${bin}/git`, "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    const evil = `#!/bin/sh\necho "$0" >> ${directory}/ran\n`;
    for (const name of ["evil", "a", "x"]) {
      await Deno.writeTextFile(`${bin}/${name}`, evil, { mode: 0o755 });
    }
    const shells = await Promise.all(
      ["/bin/bash", "/bin/dash"].map((path) => Deno.stat(path).then(() => path, () => "")),
    );
    const child = new Deno.Command("/bin/bash", {
      args: ["-c", LINES_IN_SHELL],
      cwd: directory,
      clearEnv: true,
      env: { PATH: bin, SHELLS: shells.join(" ") },
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(lines.map((line) => `${line}\0`).join("")));
    await writer.close();
    const { stdout } = await child.output();
    return new TextDecoder().decode(stdout).split("\0").filter((line) => line !== "");
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

const PIECES = [
  ..." '\"\\\n\r`{}();&|#!*?~$=<>[]-".split(""),
  ..."git evil a x if then else fi for in do done while until case esac function coproc select time"
    .split(
      " ",
    ).map((word) => `${word} `),
  ..."eval command exec trap builtin let test printf echo export alias return".split(" ")
    .map((word) => `${word} `),
  ..."$( $(( ${ $' $\" $[ <( >( <<< << (( )) [[ ]] && || ;; ;& |& &> >& >| {a,evil} x) f() a=( A=1 a[0]= $x ${x} ${x:-"
    .split(" "),
  "\\\n",
  "\r\n",
  "\\\r\n",
  "\v",
  "\f",
  "\u00a0",
  "\u2028",
  "\u0085",
  "<<E\n",
  "\nE\n",
  "evil\n",
  "$(evil)",
  "`evil`",
  "; evil",
  "'; evil; '",
  "'a[$(evil)]'",
];

/** What is known to be read in different ways, besides what chance finds. */
const KNOWN = [
  "git a\\\r\nevil x",
  "git a\revil",
  "for x do evil; done",
  "for x { evil; }",
  "set -- a; for git do evil; done",
  "((git - 'a[$(evil)]'))",
  "git $((a['$(evil)']))",
  "printf -v 'a[$(evil)]' git",
  "test -v 'a[$(evil)]'",
  "git <<E $(evil)\nE",
  "git <<'E'\n$(evil)\nE\nevil",
  "git <<-E\n\tE\nevil",
  "git $(: # )\n evil)",
  "git ${x:-`evil`}",
  'git "${x:-$(evil)}"',
  "{ git a } always { evil }",
  "git 'a\\' ; evil ; '",
  "git a # \\\nevil",
  "git a \\# \nevil",
  "time -p evil",
  "! evil",
  "{fd}>/dev/null evil",
  "</dev/null evil",
  "A=1 evil",
  "a[0]=1 evil",
  "git a;evil",
  "git a&evil",
  "git >(evil)",
  "git $'a' evil",
  "[[ git && $(evil) ]]",
  "coproc evil",
  "case git in *) evil;; esac",
  "git() { evil; }; git",
  "function git { evil; }; git",
  "alias git=evil\ngit",
  "eval git a; evil",
  "git | evil",
  "git |& evil",
];

Deno.test("a rule that allows git lets no real shell run anything else", async () => {
  const seed = Math.trunc(Math.random() * 0x7fffffff);
  const piece = fc.constantFrom(...PIECES);
  const tail = fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join(""));
  const line = fc.oneof(tail, tail.map((rest) => `git ${rest}`));
  const count = Number(Deno.env.get("SHELL_LINES") ?? 6000);
  const sampled = fc.sample(line, { numRuns: count, seed });
  const allowed = [...new Set([...KNOWN, ...sampled].filter(isAllowed))];
  assert.ok(allowed.length > 50, `only ${allowed.length} lines were allowed`);
  assert.deepEqual(await linesThatRunMore(allowed), [], `seed ${seed}`);
});

Deno.test("a real shell runs more than git in the lines that are known to deceive", async () => {
  // Otherwise the test above would show nothing.
  const deceiving = await linesThatRunMore(KNOWN);
  assert.ok(deceiving.length > 20, JSON.stringify(deceiving));
  for (const line of deceiving) assert.equal(isAllowed(line), false, line);
});
