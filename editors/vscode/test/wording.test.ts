import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import type { TaskRecord } from "../src/taskBook";
import {
  description,
  duration,
  folder,
  footer,
  shownCommand,
  title,
  verdict,
} from "../src/wording";

interface Shown {
  why: string;
  command: string;
  most: number;
  shown: string;
}

const CASES = path.join(process.cwd(), "../../tests/data/shown_commands/cases.json");
const SHOWN = JSON.parse(readFileSync(CASES, "utf8")) as Shown[];

const record: TaskRecord = {
  id: "3f9a01bc",
  order: 0,
  command: "make all",
  origin: "editor",
  status: "running",
  elapsed_s: 10,
  heardAt: 1_000,
  isPty: true,
  isDetached: false,
  isOfThisServer: true,
  waitsForInput: false,
  estimate: undefined,
  exit: undefined,
  pipestatus: [],
  insights: {},
  error: undefined,
};
const estimate = {
  command_template: "make *",
  median_duration_s: 47,
  p90_duration_s: 180,
  completion_probability: 0.254,
  sample_size: 12,
  basis: "template",
  scope: "project",
};

test("a command is shown on one line, shortened if it is long", () => {
  assert.equal(shownCommand(" make it"), "(not kept)");
  assert.equal(shownCommand("make it"), "make it");
  assert.equal(title(`${"x".repeat(79)}y`), `${"x".repeat(40)}…${"x".repeat(18)}y`);
});

test("a command is shown by its names, as the server shows it", () => {
  const seen = { folders: ["/home/ada/work/project"], home: "/home/ada" };
  for (const { why, command, most, shown } of SHOWN) {
    assert.equal(title(command, most, seen), shown, why);
  }
  assert.equal(title("ls /x", 60, { folders: ["/"], home: "" }), "ls /x");
});

test("durations are as long as they need to be", () => {
  assert.deepEqual([0.04, 9.96, 47, 59.7, 200, 7_500].map(duration), [
    "0.0s",
    "10s",
    "47s",
    "1m 0s",
    "3m 20s",
    "2h 5m",
  ]);
});

test("a running task tells its progress by what earlier runs took", () => {
  assert.equal(description(record, 3_000), "12s");
  assert.equal(description({ ...record, estimate }, 3_000), "12s of ~47s · 25%");
});

test("a task that waits for input says so, and an agent's task whose it is", () => {
  const waiting: TaskRecord = { ...record, waitsForInput: true, origin: "agent" };
  assert.equal(description(waiting, 1_000), "10s · waits for input · agent");
});

test("an ended task tells how it ended", () => {
  const ended: TaskRecord = { ...record, status: "completed", exit: 2 };
  assert.equal(description(ended, 9_000), "exit 2 · 10s");
  assert.equal(description({ ...record, status: "timeout" }, 9_000), "timeout · 10s");
});

test("below the output stand the exit, the pipe and what they meant", () => {
  const ended: TaskRecord = {
    ...record,
    status: "completed",
    exit: 0,
    pipestatus: [2, 0],
    insights: { warning: ["pipe segment 1 exited 2 (masked by downstream)"] },
  };
  assert.equal(
    footer(ended),
    "\u001b[33mexit 0\u001b[0m \u001b[2m· 10s · pipestatus 2 0\u001b[0m\r\n" +
      "\u001b[33mwarning: pipe segment 1 exited 2 (masked by downstream)\u001b[0m\r\n",
  );
});

test("lines of a footer end as a terminal wants it", () => {
  const ended: TaskRecord = {
    ...record,
    status: "completed",
    exit: 1,
    insights: { info: ["a\nb"] },
  };
  assert.doesNotMatch(footer(ended), /[^\r]\n/);
});

test("a normal exit is no failure, a masked failure no success", () => {
  const ended = { ...record, status: "completed" as const };
  const normal = { info: ["New pattern. No history yet.", "grep exit 1 = no match (normal)"] };
  const masked = { warning: ["pipe segment 1 exited 2 (masked by downstream)"] };
  assert.equal(verdict({ ...ended, exit: 0 }), "passed");
  assert.equal(verdict({ ...ended, exit: 1 }), "failed");
  assert.equal(verdict({ ...ended, exit: 1, insights: normal }), "normal");
  assert.equal(verdict({ ...ended, exit: 1, insights: { ...normal, ...masked } }), "failed");
  assert.equal(verdict({ ...ended, exit: 0, insights: masked }), "masked");
  assert.equal(verdict({ ...ended, status: "killed", insights: normal }), "failed");
});

test("a folder below home is shortened, and no other", () => {
  const places = ["/home/me/project", "/home/me", "/home/mean", "/srv"];
  assert.deepEqual(
    places.map((path) => folder(path, "/home/me")),
    ["~/project", "~", "/home/mean", "/srv"],
  );
});
