import assert from "node:assert/strict";
import { test } from "node:test";
import { LineInput } from "../src/lineInput";

test("a line is echoed as it is typed, and goes with Enter", () => {
  const input = new LineInput();
  assert.deepEqual(input.typed("Ad"), { echo: "Ad", lines: [], ends: false });
  assert.deepEqual(input.typed("a\r"), { echo: "a\r\n", lines: ["Ada"], ends: false });
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
  assert.deepEqual(new LineInput().typed("\u0001a\u0003\r").lines, ["a"]);
});
