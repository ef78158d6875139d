import assert from "node:assert/strict";
import { test } from "node:test";
import { LineInput } from "../src/lineInput";

test("a line is echoed as it is typed, and goes with Enter", () => {
  const input = new LineInput();
  assert.deepEqual(input.typed("Ad"), { echo: "Ad", lines: [], ends: false, stops: false });
  const { echo, lines } = input.typed("a\r");
  assert.deepEqual([echo, lines], ["a\r\n", ["Ada"]]);
});

test("a typing error can be rubbed out, a whole character at a time, not beyond the beginning", () => {
  const input = new LineInput();
  assert.equal(input.typed("a😀\u007f\u007f\u007f").echo, "a😀\b \b\b \b");
  assert.deepEqual(input.typed("x\r").lines, ["x"]);
});

test("text that is pasted goes line by line", () => {
  assert.deepEqual(new LineInput().typed("one\rtwo\rthr").lines, ["one", "two"]);
});

test("Ctrl-D ends the input on an empty line only", () => {
  const input = new LineInput();
  assert.equal(input.typed("x\u0004").ends, false);
  assert.equal(input.typed("\r\u0004").ends, true);
});

test("other control keys are not sent as text", () => {
  assert.deepEqual(new LineInput().typed("\u0001a\u0002\r").lines, ["a"]);
  const keys = "a\u001b[A\u001b[1;5Cb\u001bOP\u001bfc\u001b\r";
  assert.deepEqual(new LineInput().typed(`${keys}\r`).lines, ["abc"]);
});

test("Ctrl-C stops the task, and what was begun is not sent", () => {
  const input = new LineInput();
  const { lines, stops } = input.typed("half a li\u0003");
  assert.deepEqual([lines, stops], [[], true]);
  assert.deepEqual(input.typed("yes\r").lines, ["yes"]);
});
