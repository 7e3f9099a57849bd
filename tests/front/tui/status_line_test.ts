import assert from "node:assert/strict";
import fc from "fast-check";
import type { AppState } from "../../../src/app/view.ts";
import { widthOf } from "../../../src/front/tui/layout.ts";
import { renderStatus } from "../../../src/front/tui/status_line.ts";
import { themeNamed } from "../../../src/front/tui/theme.ts";
import { SessionStore } from "../../../src/model/session_store.ts";

const theme = themeNamed("plain");

function state(): AppState {
  const store = new SessionStore("/home/user/proj", { now: () => 0, after: () => () => {} });
  store.dispatch({
    type: "session_opened",
    sessionId: "s1",
    cwd: "/home/user/proj",
    how: "new",
    response: {
      modes: { currentModeId: "code", availableModes: [{ id: "code", name: "Code" }] },
    },
  });
  store.dispatch({
    type: "update_received",
    update: {
      sessionUpdate: "usage_update",
      used: 12_300,
      size: 200_000,
      cost: { amount: 0.25, currency: "USD" },
    },
  });
  return {
    phase: "ready",
    agent: "mm -acp",
    demo: false,
    active: store,
    sessions: [store],
    queue: ["next"],
    questions: [],
    tools: 3,
  };
}

Deno.test("the status says everything where there is room", () => {
  assert.equal(
    renderStatus({ app: state(), now: 0, home: "/home/user" }, 200, theme),
    "idle · mm -acp · Code · 12.3k/200k (6%) · $0.25 · 1 queued · 3 tools · s1 · ~/proj",
  );
});

Deno.test("the status names the command that waits longest, with a turn and without", () => {
  const app: AppState = { ...state(), underway: ["/config model big", "/sessions"] };
  assert.match(
    renderStatus({ app, now: 0 }, 200, theme),
    /^waiting · mm -acp · .* · \/config model big … and 1 more · 1 queued/,
  );
  app.active.dispatch({ type: "prompt_sent", blocks: [] });
  assert.match(
    renderStatus({ app: { ...app, underway: ["/mode code"] }, now: 0 }, 200, theme),
    /^working 0 s · .* · \/mode code … · /,
  );
});

Deno.test("the status fits any width, and the state is the last to go", () => {
  const app = state();
  fc.assert(fc.property(fc.integer({ min: 1, max: 120 }), (width) => {
    const line = renderStatus({ app, now: 0 }, width, theme);
    assert.ok(widthOf(line) <= width);
    if (width >= 4) assert.match(line, /^idle/);
    if (width >= 40) assert.match(line, /1 queued/);
  }));
});

Deno.test("the status tells working, cancelling, waiting and a lost agent apart", () => {
  const app = state();
  app.active.dispatch({ type: "prompt_sent", blocks: [] });
  assert.match(renderStatus({ app, now: 12_000 }, 80, theme), /^working 12 s/);
  app.active.dispatch({ type: "cancel_requested" });
  assert.match(renderStatus({ app, now: 12_000 }, 80, theme), /^cancelling 12 s/);
  const asked = renderStatus({ app, now: 12_000, waitedMs: 3_000 }, 80, theme);
  assert.match(asked, /^waiting for your answer 3 s/);
  assert.match(
    renderStatus({ app: { ...app, phase: "disconnected" }, now: 0 }, 80, theme),
    /^agent gone/,
  );
});

Deno.test("renderStatus() says what cancels a turn where there is room, until it is cancelled", () => {
  const app = state();
  app.active.dispatch({ type: "prompt_sent", blocks: [{ type: "text", text: "go" }] });
  const line = (width: number, more = {}) =>
    renderStatus({ app, now: 12_000, cancelKey: "Esc", ...more }, width, theme);
  assert.match(line(80), /^working 12 s · Esc cancels · /);
  assert.equal(line(12), "working 12 s");
  assert.equal(line(38), "working 12 s · Esc cancels · 1 queued", "the mode goes before the key");
  assert.doesNotMatch(line(80, { waitedMs: 3_000 }), /cancels/);
  app.active.dispatch({ type: "cancel_requested" });
  assert.doesNotMatch(line(80), /cancels/);
});

Deno.test("renderStatus() names no session where none is open", () => {
  const app = { ...state(), unopened: true };
  const line = renderStatus({ app, now: 0 }, 120, theme);
  assert.match(line, /no open session/);
  assert.doesNotMatch(line, /s1/);
});

Deno.test("renderStatus() cuts endless names, so that the others have their place", () => {
  const endless = "m".repeat(1_000_000);
  const app = state();
  app.active.dispatch({
    type: "update_received",
    update: { sessionUpdate: "current_mode_update", currentModeId: endless },
  });
  app.active.dispatch({
    type: "update_received",
    update: { sessionUpdate: "session_info_update", title: endless },
  });
  const line = renderStatus({ app: { ...app, agent: endless }, now: 0 }, 200, theme);
  assert.match(line, /^idle · m+… · m+… · 12\.3k.* · 3 tools · m+… · \/home\/user\/proj$/);
});
