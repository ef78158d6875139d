import assert from "node:assert/strict";
import { test } from "node:test";
import { LiveOutput } from "../src/liveOutput";
import type { OutputPage, OutputParams } from "../src/protocol";

/** A task whose output grows; its pages are as the server's are: by lines, at most `limit` bytes. */
class Task {
  written = "";
  readonly asked: OutputParams[] = [];

  constructor(private readonly limit = Infinity) {}

  readonly ask = (params: OutputParams): Promise<OutputPage> => {
    this.asked.push(params);
    const lines = this.written.split(/(?<=\n)/).filter(Boolean);
    const from = params.from_line ?? 1;
    const rest = lines.slice(from - 1);
    const shown = Math.max(1, this.fitting(rest));
    const text = rest.slice(0, shown).join("").slice(0, this.limit);
    const isCut = text.length < rest.join("").length;
    return Promise.resolve({
      task_id: "t",
      command: "c",
      output: Buffer.from(text).toString("base64"),
      from_line: text ? from : null,
      to_line: text ? from + shown - 1 : null,
      total_lines: lines.length,
      total_bytes: this.written.length,
      ...(isCut ? { more: true } : {}),
    });
  };

  private fitting(lines: string[]): number {
    let chars = 0;
    const over = lines.findIndex((line) => (chars += line.length) > this.limit);
    return over < 0 ? lines.length : over;
  }
}

async function read(live: LiveOutput): Promise<string> {
  let text = "";
  for await (const { data, skipped } of live.news()) {
    text += skipped ? `[${skipped} skipped]` : Buffer.from(data).toString();
  }
  return text;
}

test("each byte comes once, also of a line that is still being written", async () => {
  const task = new Task();
  const live = new LiveOutput("t", task.ask);
  const pieces = ["one\ntw", "o\n", "name? ", "Ada\nhel", "lo", "\n", ""];
  for (const piece of pieces) {
    task.written += piece;
    assert.equal(await read(live), piece);
  }
});

test("bytes are asked for as they are, from the line that is not over", async () => {
  const task = new Task();
  const live = new LiveOutput("t", task.ask);
  task.written = "one\ntwo\nthr";
  await read(live);
  await read(live);
  assert.deepEqual(task.asked.at(-1), { task_id: "t", from_line: 3, raw: true });
});

test("of a flood the lines between are passed over, and it is said how many", async () => {
  const task = new Task(10_000);
  const live = new LiveOutput("t", task.ask);
  task.written = Array.from({ length: 50_000 }, (_, at) => `line ${at}\n`).join("");
  const text = await read(live);
  const skipped = [...text.matchAll(/\[(\d+) skipped\]/g)].map((found) => Number(found[1]));
  const lines = text.match(/line \d+\n/g) ?? [];
  assert.equal(skipped.reduce((sum, count) => sum + count, 0) + lines.length, 50_000);
  assert.equal(lines.at(-1), "line 49999\n");
  assert.ok(lines.length < 5_000);
});

test("a line too long for a page does not make it ask for ever", async () => {
  const task = new Task(100);
  const live = new LiveOutput("t", task.ask);
  task.written = "x".repeat(1_000);
  assert.equal(await read(live), "x".repeat(100));
  await read(live);
  assert.ok(task.asked.length <= 4);
});
