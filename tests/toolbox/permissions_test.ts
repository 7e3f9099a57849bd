import assert from "node:assert/strict";
import {
  parsePermissions,
  permissionFlags,
  renderPermissions,
  resolvePermissions,
  unitePermissions,
  widenedPermissions,
  workerPermissions,
} from "../../src/toolbox/permissions.ts";

Deno.test("parsePermissions() keeps grants, drops empty ones and names what is wrong", () => {
  assert.deepEqual(parsePermissions(undefined), { permissions: {}, problems: [] });
  assert.deepEqual(parsePermissions({ read: ["a"], write: true, net: false, run: [] }), {
    permissions: { read: ["a"], write: true },
    problems: [],
  });
  for (
    const wrong of [1, [], { red: true }, { read: "a" }, { read: [1] }, { read: [""] }, {
      env: ["a\nb"],
    }, { env: ["A=B"] }]
  ) {
    assert.equal(parsePermissions(wrong).problems.length, 1);
  }
  assert.deepEqual(parsePermissions({ reed: true, net: 1, write: true }), {
    permissions: { write: true },
    problems: [
      'permissions.reed is not one of read, write, net, env, run, sys, ffi; did you mean "read"?',
      "permissions.net is neither true, false nor a list of strings",
    ],
  });
});

Deno.test("unitePermissions() grants what either grants", () => {
  assert.deepEqual(
    unitePermissions({ read: ["b", "a"], net: true }, { read: ["a", "c"], net: ["x"], env: ["E"] }),
    { read: ["a", "b", "c"], net: true, env: ["E"] },
  );
});

Deno.test("widenedPermissions() gives what is new", () => {
  assert.deepEqual(widenedPermissions({ read: true }, { read: ["a"] }), {});
  assert.deepEqual(widenedPermissions({ read: ["a"] }, { read: ["a", "b"], run: true }), {
    read: ["b"],
    run: true,
  });
  assert.deepEqual(widenedPermissions({ read: ["a"] }, { read: true }), { read: true });
  assert.deepEqual(widenedPermissions({ read: ["a"], net: true }, {}), {});
});

Deno.test("relative paths become absolute; names of programs and hosts stay", () => {
  assert.deepEqual(
    resolvePermissions({ read: [".", "/x"], run: ["git", "./bin/x"], net: ["a.example:1"] }, "/p"),
    { read: ["/p", "/x"], run: ["git", "/p/bin/x"], net: ["a.example:1"] },
  );
});

Deno.test("flags and worker permissions say the same, and nothing more than declared", () => {
  const none = permissionFlags({}, ["/t"]);
  assert.deepEqual(none, ["--allow-read=/t", "--allow-import=jsr.io:443"]);
  assert.deepEqual(workerPermissions({}, ["/t"]), {
    read: ["/t"],
    write: false,
    net: false,
    env: false,
    run: false,
    sys: false,
    ffi: false,
    import: ["jsr.io:443"],
  });
  const flags = permissionFlags({ read: true, net: ["a:1", "b"], env: ["A*"] }, ["/t"]);
  assert.deepEqual(flags.slice(0, 3), ["--allow-read", "--allow-net=a:1,b", "--allow-env=A*"]);
});

Deno.test("the host of a tool that runs programs may end them; the worker keeps to the list", () => {
  assert.deepEqual(permissionFlags({ run: ["git"] }, ["/t"])[1], "--allow-run");
  assert.deepEqual(workerPermissions({ run: ["git"] }, ["/t"]).run, ["git"]);
});

Deno.test("a comma in a path widens the outer ring to the nearest directory without one", () => {
  assert.equal(permissionFlags({}, ["/a/b,c/d"])[0], "--allow-read=/a");
  assert.equal(permissionFlags({ net: ["a,b"] }, ["/t"])[1], "--allow-net");
  assert.deepEqual(workerPermissions({}, ["/a/b,c/d"]).read, ["/a/b,c/d"]);
});

Deno.test("renderPermissions() says what full access is", () => {
  assert.equal(renderPermissions({}), "no permissions");
  assert.equal(renderPermissions({ read: ["."], net: true }), "read ., net everything");
  assert.match(renderPermissions({ ffi: true }), /full access to this machine/);
});
