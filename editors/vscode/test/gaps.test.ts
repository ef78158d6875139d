import assert from "node:assert/strict";
import { test } from "node:test";
import { dotsBetween, gapsBefore } from "../src/gaps";

test("hints begin behind the longest line, and behind a very long one where it ends", () => {
  assert.deepEqual(gapsBefore(["true", "print four", "\tx", "日本"], 4), [7, 1, 6, 7]);
  assert.deepEqual(gapsBefore(["true", "x".repeat(90)], 4), [1, 1]);
  assert.deepEqual(gapsBefore([], 4), []);
});

test("of two hints at one place a dot tells the second", () => {
  assert.deepEqual(dotsBetween(["1:9", "3:4", "1:9", "3:5"]), ["", "", "· ", ""]);
});
