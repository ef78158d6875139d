import assert from "node:assert/strict";
import { test } from "node:test";
import type { Origin } from "../src/protocol";
import { TaskBook, type TaskRecord } from "../src/taskBook";
import { askToRead, askToRun, askToStop } from "../src/toolQuestions";

function taskOf(origin: Origin): TaskRecord | undefined {
  const book = new TaskBook();
  const status = "completed" as const;
  const task = { task_id: "t1", command: "cat notes", origin, status, is_pty: false };
  book.listed([{ ...task, elapsed_seconds: 0, output_bytes: 0 }]);
  return book.get("t1");
}

test("the person is shown all that decides what is run", () => {
  const question = askToRun({
    command: "bash",
    stdin: "rm -rf build",
    cwd: "/srv",
    description: "tidy",
  });
  assert.deepEqual(question.texts, ["bash", "rm -rf build"]);
  assert.deepEqual(question.facts, ["tidy", "in /srv", "fed with the second text"]);
});

test("a command alone is asked alone", () => {
  const question = askToRun({ command: "make" });
  assert.deepEqual([question.texts, question.facts], [["make"], []]);
});

test("an agent reads its own tasks unasked, and nobody else's", () => {
  assert.equal(askToRead(taskOf("agent")), undefined);
  for (const origin of ["editor", "lens", "trace", "terminal"] as const) {
    assert.deepEqual(askToRead(taskOf(origin))?.texts, ["cat notes"]);
  }
  assert.notEqual(askToRead(undefined), undefined);
});

test("what is stopped is named by its command", () => {
  assert.deepEqual(askToStop(taskOf("agent")).texts, ["cat notes"]);
});
