import assert from "node:assert/strict";
import { test } from "node:test";
import { childEnvironment } from "../src/environment";
import type { RunParams } from "../src/protocol";
import { Pump } from "../src/pump";
import { Restarts } from "../src/restarts";
import { wholeLine } from "../src/wholeLine";

test("a server that falls now and then is started again, one that falls and falls is not", () => {
  const often = new Restarts();
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((at) => often.fell(at)),
    [true, true, true, true, false],
  );
  const seldom = new Restarts();
  assert.ok([0, 1, 2, 3, 4, 5].every((at) => seldom.fell(at * 100_000)));
});

test("a restart that was asked for begins the count anew", () => {
  const restarts = new Restarts();
  [0, 1, 2, 3].forEach((at) => restarts.fell(at));
  restarts.forget();
  assert.equal(restarts.fell(4), true);
});

test("children get the person's environment without what the editor put there", () => {
  const environment = {
    PATH: "/bin",
    VSCODE_IPC_HOOK_CLI: "/run/code.sock",
    VSCODE_PID: "1",
    ELECTRON_RUN_AS_NODE: "1",
  };
  assert.deepEqual(childEnvironment(environment), {
    PATH: "/bin",
    VSCODE_IPC_HOOK_CLI: "/run/code.sock",
  });
});

test("work is never done twice at a time, and once more for all that was asked meanwhile", async () => {
  let atOnce = 0;
  let times = 0;
  const pump = new Pump(async () => {
    assert.equal(++atOnce, 1);
    times++;
    await new Promise((resolve) => setImmediate(resolve));
    atOnce--;
  });
  for (let asked = 0; asked < 10; asked++) {
    pump.again();
  }
  await pump.last();
  assert.equal(times, 3);
});

test("what goes wrong with the last work is told, what went wrong before is not fatal", async () => {
  const pump = new Pump(() => Promise.reject(new Error("gone")));
  pump.again();
  await assert.rejects(pump.last(), /gone/);
});

const command = (line: number, from: number, to: number, endLine = line): RunParams => ({
  command: "…",
  origin: "editor",
  document: {
    uri: "file:///a.zsh",
    range: { start: { line, character: from }, end: { line: endLine, character: to } },
  },
});

test("several commands on one line are run as one", () => {
  const text = "  cd /tmp; ls  # there";
  const whole = wholeLine(4, text, command(4, 2, 9), command(4, 11, 13));
  assert.equal(whole?.command, "cd /tmp; ls");
  assert.deepEqual(whole.document?.range, {
    start: { line: 4, character: 2 },
    end: { line: 4, character: 13 },
  });
});

test("a line of something longer is not cut out of it", () => {
  const text = "if true; then";
  assert.equal(wholeLine(4, text, command(4, 0, 2, 6), command(4, 0, 2, 6)), undefined);
  assert.equal(wholeLine(4, text, command(4, 3, 7), undefined), undefined);
  assert.equal(wholeLine(4, text, command(3, 0, 7, 4), command(4, 3, 7)), undefined);
});
