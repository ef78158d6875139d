import assert from "node:assert/strict";
import { test } from "node:test";
import { PlaceBook } from "../src/placeBook";
import type { Place, Progress } from "../src/protocol";

let tasks = 0;

function place(file: string, line: number, more: Partial<Place> = {}): Place {
  return { file, line, severity: "error", message: `bad ${line}`, source: "gcc", ...more };
}

function news(command: string, places: Place[], id = `task-${++tasks}`): Progress {
  return { task_id: id, command, status: "running", places } as unknown as Progress;
}

function lines(book: PlaceBook, file: string): number[] {
  return book.problems(file).map((found) => found.at);
}

test("places of progress and of the answer are the same ones", () => {
  const book = new PlaceBook();
  book.heard(news("make", [place("/p/a.c", 2)], "one"));
  const files = book.heard(news("make", [place("/p/a.c", 2), place("/p/b.c", 3)], "one"));
  assert.deepEqual([...files], ["/p/b.c"]);
  assert.deepEqual(lines(book, "/p/a.c"), [1]);
});

test("the same command once more takes away what it named before", () => {
  const book = new PlaceBook();
  book.heard(news("make", [place("/p/a.c", 2)]));
  book.heard(news("gcc b.c", [place("/p/b.c", 2)]));
  assert.deepEqual([...book.heard(news("make", []))], ["/p/a.c"]);
  assert.deepEqual(lines(book, "/p/a.c"), []);
  assert.deepEqual(lines(book, "/p/b.c"), [1]);
});

test("a changed line has no place any more, and those below move along", () => {
  const book = new PlaceBook();
  book.heard(news("make", [place("/p/a.c", 2), place("/p/a.c", 4), place("/p/b.c", 4)]));
  assert.ok(book.edited("/p/a.c", { first: 0, last: 0, lines: 2 }));
  assert.deepEqual(lines(book, "/p/a.c"), [3, 5]);
  assert.ok(book.edited("/p/a.c", { first: 3, last: 4, lines: 1 }));
  assert.deepEqual(lines(book, "/p/a.c"), [5]);
  assert.deepEqual(lines(book, "/p/b.c"), [3]);
  assert.ok(!book.edited("/p/a.c", { first: 9, last: 10, lines: 1 }));
});

test("what a search found is a link and no problem", () => {
  const book = new PlaceBook();
  book.heard(news("grep", [place("/p/a.c", 2, { severity: "info", source: "grep" })]));
  assert.deepEqual(lines(book, "/p/a.c"), []);
  assert.equal(book.mentions("a.c:2:int x;")[0]?.place.line, 2);
});

test("a line of output leads to the places it names", () => {
  const book = new PlaceBook();
  book.heard(news("make", [place("/p/src/a.c", 2), place("/p/t.py", 7), place("/p/x.ts", 4)]));
  const named = (line: string): [number, number][] =>
    book.mentions(line).map(({ start, length }) => [start, length]);
  assert.deepEqual(named("../src/a.c:2:12: error: bad"), [[0, 15]]);
  assert.deepEqual(named('  File "/p/t.py", line 7, in f'), [[2, 22]]);
  assert.deepEqual(named("x.ts(4,26): error TS2322"), [[0, 10]]);
  assert.deepEqual(named("other.c:2: no such place, nor a.c:3"), []);
});
