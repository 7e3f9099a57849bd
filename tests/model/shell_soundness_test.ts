import assert from "node:assert/strict";
import fc from "fast-check";
import {
  decidePermission,
  defaultPolicy,
  type PermissionRule,
} from "../../src/model/permission_rules.ts";

const GIT: readonly PermissionRule[] = [{ command: "git *", action: "allow" }];
const NO_EVIL: readonly PermissionRule[] = [
  { command: "evil *", action: "deny" },
  ...defaultPolicy("allow"),
];

function isAllowed(line: string, rules = GIT): boolean {
  const request = { kind: "execute", tools: [], paths: [], commands: [line], cwd: "/" } as const;
  return decidePermission(rules, request).action === "allow";
}

/** Those of them that this machine has. */
const SHELLS = [
  ...["bash", "dash"].map((name) => `/bin/${name}`),
  ...["zsh", "ksh", "fish"].map((name) => `/usr/bin/${name}`),
];

const LINES_IN_SHELL = `
number=0
while IFS= read -r -d '' line; do
  # Each line in a directory of its own: what one has written is not another's to run.
  : > ran; number=$((number + 1)); /bin/mkdir $number
  for shell in $SHELLS; do
    # A loop that does not end is ended by its use of the processor.
    (cd $number; ulimit -t 1; exec "$shell" -c "$line") </dev/null >/dev/null 2>&1
  done
  if [ -s ran ]; then printf '%s\\0' "$line"; fi
done
`;

/** The lines of which a real shell runs one of the programs. */
async function linesThatRun(
  programs: readonly string[],
  lines: readonly string[],
): Promise<readonly string[]> {
  const directory = await Deno.makeTempDir();
  try {
    const bin = `${directory}/bin`;
    await Deno.mkdir(bin);
    for (const name of ["git", "evil", "a", "x"]) {
      const tell = programs.includes(name) ? `echo "$0" >> ${directory}/ran` : ":";
      // It fails, so that no loop goes on because of it.
      const script = `#!/bin/sh\n${tell}\nexit 1\n`;
      await Deno.writeTextFile(`${bin}/${name}`, script, { mode: 0o755 });
    }
    // Wrappers, real ones.
    for (const name of ["env", "xargs", "nice", "timeout", "find", "cat", "flock", "setsid"]) {
      await Deno.symlink(`/usr/bin/${name}`, `${bin}/${name}`);
    }
    for (const name of ["sh", "bash"]) await Deno.symlink(`/bin/${name}`, `${bin}/${name}`);
    const shells = await Promise.all(
      SHELLS.map((path) => Deno.stat(path).then(() => path, () => "")),
    );
    const child = new Deno.Command("/bin/bash", {
      args: ["-c", LINES_IN_SHELL],
      cwd: directory,
      clearEnv: true,
      env: { PATH: bin, SHELLS: shells.join(" ") },
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
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

/** Pieces of here-documents, some of them in substitutions. */
const HERE = [
  ..."<<E <<'E' <<\"E\" <<\\E <<-E <<-'E' E cat git a evil $( \"$( ) ( \" ' # ; | && ` \\ { } $x ! &>"
    .split(" ").map((word) => `${word} `),
  ..."<<E <<'E' <<-E E )".split(" ").map((word) => `${word}\n`),
  "\n",
  "\nE\n",
  "\n\tE\n",
  "\nE)",
  "\nE\n)",
  '\nE\n)"',
  "\nevil\n",
  "$(cat <<'E'\n",
  "\"$(cat <<'E'\n",
  "don't ",
  ") evil ",
  "E evil",
];

const WRAPPERS = [
  ..."env xargs nice timeout find cat flock setsid sh bash source . hash set builtin enable".split(
    " ",
  )
    .map((word) => `${word} `),
  ..."-c -n 1 -i -S -exec + -- - -I{} {} evil; |sh |xargs".split(" ").map((word) => `${word} `),
  "ev",
  "il ",
  "e\\vil ",
  "e'vil' ",
  "'evil x' ",
  '"evil x" ',
  "A=evil ",
  "A=ev;",
  "$A ",
  "${A}il ",
  "EXIT ",
  "ERR ",
  "DEBUG ",
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
  "git >&'a[$(evil)]'",
  "git | evil",
  "git |& evil",
  "git &>/dev/null evil",
  "git &>>/dev/null evil",
  "git &> /dev/null -a evil x",
  "git $x['$(evil)']",
  "git $x['b[$(evil)]']",
  "git 2>| evil",
  "git <<'E' ; evil\nE",
  "git <<'E' 'a\nE\nevil\n'",
  "git <<'E'\nE evil\nE\nevil",
  "git <<'E' $(git <<'F'\nF\n)\nE\nevil",
  "git $(git <<'E'\n'\nE\n) '; evil; '",
  "git $(git <<'E'\n) ; evil\nE\n)",
  "git \"$(git <<'E'\n#'\n) ; evil '\nE\n)\"",
  "git <<E\n`evil`\nE",
  "ev\\x69l",
];

function sampleLines(pieces: readonly string[], count: number) {
  const seed = Math.trunc(Math.random() * 0x7fffffff);
  const tail = fc.array(fc.constantFrom(...pieces), { maxLength: 9 })
    .map((chosen) => chosen.join(""));
  const line = fc.oneof(tail, tail.map((rest) => `git ${rest}`));
  const numRuns = Number(Deno.env.get("SHELL_LINES") ?? count);
  return { lines: [...new Set(fc.sample(line, { numRuns, seed }))], seed };
}

Deno.test("a rule that allows git lets no real shell run anything else", async () => {
  const { lines, seed } = sampleLines(PIECES, 6000);
  const allowed = [...KNOWN, ...lines].filter((line) => isAllowed(line));
  assert.ok(allowed.length > 50, `only ${allowed.length} lines were allowed`);
  assert.deepEqual(await linesThatRun(["evil", "a", "x"], allowed), [], `seed ${seed}`);
});

Deno.test("no real shell runs a denied command in a line that is allowed", async () => {
  const { lines, seed } = sampleLines([...PIECES, ...WRAPPERS], 1500);
  const allowed = [...KNOWN, ...lines].filter((line) => isAllowed(line, NO_EVIL));
  assert.ok(allowed.length > 50, `only ${allowed.length} lines were allowed`);
  assert.deepEqual(await linesThatRun(["evil"], allowed), [], `seed ${seed}`);
});

Deno.test("no real shell takes anything of a here-document that is allowed for a command", async () => {
  const { lines, seed } = sampleLines(HERE, 3000);
  const cat: PermissionRule = { command: "cat *", action: "allow" };
  const allowed = lines.filter((line) =>
    isAllowed(line, [...GIT, cat]) || isAllowed(line, NO_EVIL)
  );
  assert.ok(allowed.some((line) => line.includes("<<")), "no here-document was allowed");
  assert.deepEqual(await linesThatRun(["evil"], allowed), [], `seed ${seed}`);
});

Deno.test("a real shell runs more than git in the lines that are known to deceive", async () => {
  // Otherwise the test above would show nothing.
  const deceiving = await linesThatRun(["evil"], KNOWN);
  assert.ok(deceiving.length > 20, JSON.stringify(deceiving));
  for (const line of deceiving) {
    assert.equal(isAllowed(line), false, line);
    assert.equal(isAllowed(line, NO_EVIL), false, line);
  }
});
