import assert from "node:assert/strict";
import { test } from "node:test";
import type { Progress, TaskResult, TaskSummary } from "../src/protocol";
import { elapsedNow, SERVER_GONE, TaskBook } from "../src/taskBook";
import { verdict } from "../src/wording";

const news = (task_id: string, more: Partial<Progress> = {}): Progress => ({
  task_id,
  command: `command ${task_id}`,
  origin: "agent",
  status: "running",
  output: "",
  from_line: null,
  to_line: null,
  new_bytes: 0,
  elapsed_seconds: 1,
  ...more,
});

const summary = (task_id: string, more: Partial<TaskSummary> = {}): TaskSummary => ({
  task_id,
  command: `command ${task_id}`,
  status: "completed",
  elapsed_seconds: 1,
  output_bytes: 0,
  is_pty: false,
  origin: "editor",
  exit: 0,
  ...more,
});

const answer = (task_id: string, more: Partial<TaskResult> = {}): TaskResult => ({
  ...news(task_id),
  project: null,
  shell: "zsh",
  cwd: "/",
  has_stdin: true,
  is_pty: true,
  annotations: { priority: 0, audience: [] },
  formatted: "",
  ...more,
});

test("those that run come by their start, those that ended the latest first", () => {
  const book = new TaskBook();
  for (const id of ["a", "b", "c", "d"]) {
    book.progressed(news(id));
  }
  book.progressed(news("c", { status: "completed", exit: 0 }));
  book.progressed(news("a", { status: "killed" }));
  assert.deepEqual(
    book.running.map(({ id }) => id),
    ["b", "d"],
  );
  assert.deepEqual(
    book.ended.map(({ id }) => id),
    ["c", "a"],
  );
});

test("the end of a task is told to those who wait, before it or after", async () => {
  const book = new TaskBook();
  book.progressed(news("a"));
  const waiting = book.whenEnded("a");
  book.progressed(news("a", { status: "completed", exit: 3 }));
  assert.equal((await waiting).exit, 3);
  assert.equal((await book.whenEnded("a")).exit, 3);
});

test("an answer that was overtaken by the end does not bring a task back", () => {
  const book = new TaskBook();
  book.progressed(news("a", { status: "completed", exit: 1 }));
  book.answered(answer("a"));
  assert.equal(book.get("a")?.status, "completed");
  assert.equal(book.get("a")?.exit, 1);
});

test("when the server is gone, what ran is over, and says why", async () => {
  const book = new TaskBook();
  book.progressed(news("a"));
  const waiting = book.whenEnded("a");
  book.lost();
  const { status, error } = await waiting;
  assert.deepEqual([status, error], ["error", SERVER_GONE]);
});

test("the list brings tasks nobody told of, and takes away those that are not kept", () => {
  const book = new TaskBook();
  book.listed([summary("a"), summary("b", { status: "running" })]);
  assert.deepEqual([book.ended.length, book.running.length], [1, 1]);
  book.listed([summary("b")]);
  assert.deepEqual([book.get("a"), book.running.length], [undefined, 0]);
});

test("what insights said is not lost by the list, which has none", () => {
  const book = new TaskBook();
  const insights = { info: ["grep exit 1 = no match (normal)"] };
  book.answered(answer("a", { status: "completed", exit: 1, insights }));
  book.listed([summary("a", { exit: 1 })]);
  assert.deepEqual(book.get("a")?.insights, insights);
});

test("a task somebody waits for stays, even where an older list does not name it", async () => {
  const book = new TaskBook();
  book.answered(answer("a"));
  const waiting = book.whenEnded("a");
  book.listed([]);
  book.answered(answer("a", { status: "completed", exit: 0 }));
  assert.equal((await waiting).status, "completed");
});

test("time goes on between two pieces of news, and stops with the task", () => {
  let now = 10_000;
  const book = new TaskBook(() => now);
  book.progressed(news("a", { elapsed_seconds: 2 }));
  now = 13_000;
  const record = book.get("a");
  assert.ok(record);
  assert.equal(elapsedNow(record, now), 5);
  book.progressed(news("a", { elapsed_seconds: 6, status: "completed", exit: 0 }));
  now = 99_000;
  const ended = book.get("a");
  assert.ok(ended);
  assert.equal(elapsedNow(ended, now), 6);
});

test("each change is told once, until nobody listens any more", () => {
  const book = new TaskBook();
  let told = 0;
  const stop = book.onChange(() => told++);
  book.progressed(news("a"));
  book.listed([summary("a")]);
  stop();
  book.lost();
  assert.equal(told, 2);
});

test("other servers' tasks and detached ones do not end with this server", () => {
  const book = new TaskBook();
  book.progressed(news("ours"));
  book.answered(answer("kept"), true);
  book.progressed(news("kept"));
  book.listed([
    summary("ours", { status: "running" }),
    summary("kept", { status: "running", detached: true }),
    summary("theirs", { status: "running" }),
    summary("found again", { status: "running", detached: true }),
  ]);
  assert.deepEqual(
    book.endingWithServer.map(({ id }) => id),
    ["ours"],
  );
  book.lost();
  assert.equal(book.get("ours")?.error, SERVER_GONE);
  assert.deepEqual(
    book.running.map(({ id }) => id),
    ["kept", "theirs", "found again"],
  );
});

test("what the window before knew of the ends of its tasks is known on", () => {
  const book = new TaskBook();
  book.restoreEnds({
    grep: "normal",
    hidden: "masked",
    cut: "stopped",
    older: "gone",
    left: "stopped",
  });
  book.listed([
    summary("grep", { exit: 1 }),
    summary("hidden"),
    summary("cut", { status: "killed" }),
    summary("older", { status: "killed" }),
    summary("left"),
    summary("killed", { status: "killed" }),
  ]);
  const told = (id: string): unknown[] => {
    const record = book.get(id);
    assert(record);
    return [verdict(record), record.status, record.error];
  };
  assert.deepEqual(told("grep"), ["normal", "completed", undefined]);
  assert.deepEqual(told("hidden"), ["masked", "completed", undefined]);
  assert.deepEqual(told("cut"), ["failed", "error", SERVER_GONE]);
  assert.deepEqual(told("older"), ["failed", "error", SERVER_GONE]);
  assert.deepEqual(told("left"), ["passed", "completed", undefined]);
  assert.deepEqual(told("killed"), ["failed", "killed", undefined]);
});

test("what the ends of other servers' tasks meant is asked once, of those that are shown", () => {
  const book = new TaskBook();
  book.answered(answer("ours", { status: "completed", exit: 1 }));
  book.restoreEnds({ known: "normal" });
  const theirs = ["known", "old", "grep", "hidden", "refused"].map((id) =>
    summary(id, { exit: 1 }),
  );
  const listed = [summary("ours"), ...theirs, summary("killed", { status: "killed" })];
  book.listed(listed);
  assert.deepEqual(book.unjudged(4), ["refused", "hidden", "grep"]);
  const meant = { info: ["grep exit 1 = no match (normal)"] };
  book.judged("grep", answer("grep", { status: "completed", exit: 1, insights: meant }));
  book.judged("refused");
  book.listed(listed);
  assert.deepEqual(book.unjudged(10), ["hidden", "old"]);
  const record = book.get("grep");
  assert(record);
  assert.equal(verdict(record), "normal");
  assert.equal(record.isOfThisServer, false);
});

test("tasks of servers that are gone stand below what was run since", () => {
  const book = new TaskBook();
  book.answered(answer("33333333", { status: "completed", exit: 0 }));
  book.listed([summary("11111111"), summary("22222222"), summary("33333333"), summary("44444444")]);
  assert.deepEqual(
    book.ended.map(({ id }) => id),
    ["44444444", "33333333", "22222222", "11111111"],
  );
});

test("what was cleared stays away, also after a reload", () => {
  const book = new TaskBook();
  book.listed([summary("11111111"), summary("22222222", { status: "running" })]);
  const cleared = book.clear();
  assert.deepEqual(cleared, ["11111111"]);
  const again = new TaskBook();
  again.restoreCleared(cleared);
  again.listed([summary("11111111"), summary("22222222")]);
  assert.deepEqual(
    again.ended.map(({ id }) => id),
    ["22222222"],
  );
});
