import assert from "node:assert/strict";
import { parseProcStat, parsePs } from "../../src/process/process_table.ts";
import { parseMarked, ProcessMark } from "../../src/process/process_mark.ts";
import { ProcessTree } from "../../src/process/process_tree.ts";

Deno.test("parseProcStat() survives a program name of brackets and spaces", () => {
  const stat = "42 (a) b (c)) Z 7 40 3 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 115422 3133440 382\n";
  assert.deepEqual(parseProcStat(stat), {
    pid: 42,
    ppid: 7,
    pgid: 40,
    zombie: true,
    started: "115422",
  });
  assert.equal(parseProcStat(""), undefined);
});

Deno.test("parsePs() reads rows", () => {
  const output =
    "  42     7    40 Ss   Mon Jan  5 10:00:00 2026\n\n 43 42 40 Z+ Mon Jan  5 10:00:01 2026";
  assert.deepEqual(parsePs(output), [
    { pid: 42, ppid: 7, pgid: 40, zombie: false, started: "Mon Jan 5 10:00:00 2026" },
    { pid: 43, ppid: 42, pgid: 40, zombie: true, started: "Mon Jan 5 10:00:01 2026" },
  ]);
});

function row(pid: number, ppid: number, pgid: number, started = `s${pid}`) {
  return { pid, ppid, pgid, zombie: false, started };
}

function pids(tree: ProcessTree, table: ReturnType<typeof row>[]): number[] {
  return tree.members(table).map((member) => member.pid).sort((a, b) => a - b);
}

Deno.test("ProcessTree finds descendants in other groups and remembers orphans", () => {
  const tree = new ProcessTree(10);
  const table = [row(1, 0, 1), row(10, 1, 10), row(11, 10, 10), row(12, 11, 12), row(20, 1, 20)];
  assert.deepEqual(pids(tree, table), [10, 11, 12]);
  tree.rootEnded();
  assert.deepEqual(pids(tree, [row(1, 0, 1), row(12, 1, 12), row(13, 12, 13)]), [12, 13]);
});

Deno.test("ProcessTree leaves strangers alone that got an old pid", () => {
  const tree = new ProcessTree(10);
  pids(tree, [row(10, 1, 10), row(12, 10, 12)]);
  tree.rootEnded();
  const table = [row(10, 1, 10, "later"), row(11, 10, 10), row(12, 1, 12, "later")];
  assert.deepEqual(pids(tree, table), []);
});

Deno.test("parseMarked() gives the processes whose environment holds a word", () => {
  const output =
    "   41 sleep 9 A=1 MM_REPL_PROCESS=w.\n 42 sleep 9\n43 sh MM_REPL_PROCESS=v. w. X=2\n";
  assert.deepEqual([...parseMarked(output, "w.")], [41, 43]);
});

Deno.test("ProcessMark keeps the marks of the programs that it runs in, and is no other's beginning", () => {
  const words = Array.from({ length: 12 }, () => new ProcessMark().word);
  for (const word of words) {
    assert.deepEqual(words.filter((other) => other.includes(word)), [word]);
  }
  const before = Deno.env.get("MM_REPL_PROCESS");
  Deno.env.set("MM_REPL_PROCESS", "outer-1.");
  try {
    const mark = new ProcessMark();
    assert.equal(mark.environment.MM_REPL_PROCESS, `outer-1. ${mark.word}`);
  } finally {
    if (before === undefined) Deno.env.delete("MM_REPL_PROCESS");
    else Deno.env.set("MM_REPL_PROCESS", before);
  }
});
