import assert from "node:assert/strict";
import { test } from "node:test";
import { LastWords } from "../src/lastWords";

test("how a server ended is told with the last line it said", () => {
  const words = new LastWords();
  assert.equal(words.sentence, undefined);
  words.heard("Traceback:\n  File a\n");
  words.heard("No module named attrs\n\n");
  words.ended(1, null);
  assert.equal(words.sentence, "It ended with exit 1: No module named attrs");
});

test("one that said nothing, or was ended by a signal, has its number or its name", () => {
  const quiet = new LastWords();
  quiet.ended(3, null);
  assert.equal(quiet.sentence, "It ended with exit 3.");
  const killed = new LastWords();
  killed.heard("at work\n");
  killed.ended(null, "SIGKILL");
  assert.equal(killed.sentence, "It was ended by SIGKILL.");
});
