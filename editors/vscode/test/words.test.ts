import assert from "node:assert/strict";
import { test } from "node:test";
import { wordsOf } from "../src/words";

test("what is typed as arguments becomes the words that a shell would make of it", () => {
  const cases: [string, string[]][] = [
    ["", []],
    ["  a  b ", ["a", "b"]],
    ["'a b' \"c d\" e\\ f", ["a b", "c d", "e f"]],
    ["--x='1 2'y ''", ["--x=1 2y", ""]],
    ['"a \\"b\\" \\n" $HOME *', ['a "b" \\n', "$HOME", "*"]],
    ["it's open", ["its open"]],
    ["end\\", ["end"]],
  ];
  for (const [typed, words] of cases) {
    assert.deepEqual(wordsOf(typed), words, typed);
  }
});
