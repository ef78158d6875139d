import assert from "node:assert/strict";
import { test } from "node:test";
import { failureItems } from "../src/failures";
import type { CommandFate } from "../src/protocol";

const range = { start: { line: 3, character: 0 }, end: { line: 3, character: 4 } };
const command: CommandFate = {
  range,
  command: "make \\\n  all",
  fate: "unnoticed",
  because: "nobody waits for it",
};

test("what fails unnoticed is listed with its line and its reason", () => {
  assert.deepEqual(failureItems([command]), [
    {
      label: "make all",
      description: "line 4 · unnoticed",
      detail: "nobody waits for it",
      range,
    },
  ]);
});

test("what stops the script, is handled or reported is not listed", () => {
  const noticed: CommandFate[] = (["stops", "handled", "reported"] as const).map((fate) => ({
    ...command,
    fate,
  }));
  assert.deepEqual(failureItems(noticed), []);
});
