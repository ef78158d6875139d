import assert from "node:assert/strict";
import { test } from "node:test";
import { within } from "../src/patience";
import { declarationOf } from "../src/speaking";

test("a server of this wire says which shells are there", () => {
  const zshLs = { version: 1, methods: ["zsh/run"], shells: { zsh: "5.9" } };
  assert.deepEqual(declarationOf({ capabilities: { experimental: { zshLs } } }).shells, {
    zsh: "5.9",
  });
});

test("another server than zsh-ls is not taken for one", () => {
  for (const experimental of [undefined, null, {}]) {
    assert.throws(
      () => declarationOf({ capabilities: { experimental } }),
      /another language server/,
    );
  }
  assert.throws(() => declarationOf(undefined), /another language server/);
});

test("a server of another wire is refused, with both versions named", () => {
  const zshLs = { version: 2, methods: [], shells: {} };
  assert.throws(() => declarationOf({ capabilities: { experimental: { zshLs } } }), /version 2.*1/);
});

test("what does not come in time is told", async () => {
  const never = new Promise<never>(() => undefined);
  await assert.rejects(within(1, never, "It did not come."), /It did not come\./);
});

test("what comes in time is given, and what goes wrong goes wrong as it did", async () => {
  assert.equal(await within(60_000, Promise.resolve(7), "late"), 7);
  await assert.rejects(within(60_000, Promise.reject(new Error("its own")), "late"), /its own/);
});
