import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { t, translateBy } from "../src/l10n";

type Words = Record<string, string>;

const read = (file: string): Words => JSON.parse(readFileSync(file, "utf8")) as Words;
const sources = readdirSync("src").map((name) => readFileSync(`src/${name}`, "utf8"));
const whole = sources.join("\n");

/** The texts that the sources have translated, written out or by the name of a constant. */
function said(): Set<string> {
  const written = [...whole.matchAll(/(?<![\w.])t\(\s*("(?:[^"\\]|\\.)*")/g)].map((it) => it[1]);
  const named = [...whole.matchAll(/(?<![\w.])t\(\s*([A-Z_]+)\b/g)].map(
    ([, name]) => new RegExp(`const ${name ?? ""} =\\s*("(?:[^"\\\\]|\\\\.)*");`).exec(whole)?.[1],
  );
  return new Set([...written, ...named].map((text) => JSON.parse(text ?? '""') as string));
}

const gaps = (text: string): string[] => [...text.matchAll(/\{\d\}/g)].map(String).sort();

for (const name of readdirSync("l10n")) {
  test(`every text of the extension is in ${name}, with its gaps, and no other`, () => {
    const words = read(`l10n/${name}`);
    assert.deepEqual(new Set(Object.keys(words)), said());
    for (const [english, other] of Object.entries(words)) {
      assert.deepEqual(gaps(other), gaps(english), english);
    }
  });
}

test("every text of the manifest is in each language, with its commands", () => {
  const asked = [...readFileSync("package.json", "utf8").matchAll(/"%([\w.]+)%"/g)];
  const keys = new Set(asked.map(([, key]) => key ?? ""));
  const english = read("package.nls.json");
  const links = (text: string): string[] => [...text.matchAll(/\(command:[^)]*\)/g)].map(String);
  for (const name of readdirSync(".").filter((it) => /^package\.nls.*\.json$/.test(it))) {
    const words = read(name);
    assert.deepEqual(new Set(Object.keys(words)), keys, name);
    for (const [key, text] of Object.entries(words)) {
      assert.deepEqual(links(text), links(english[key] ?? ""), key);
    }
  }
});

test("no text for people is left out of translation", () => {
  const shown =
    /show(?:Information|Warning|Error)Message\(\s*["`][A-Z]|setStatusBarMessage\(\s*["`][A-Z]/;
  assert.deepEqual(
    sources.filter((text) => shown.test(text)),
    [],
  );
});

test("without an editor texts are English, with their gaps filled", () => {
  assert.equal(t("{0} of {1}", 2, "x"), "2 of x");
  translateBy((text) => `(${text})`);
  assert.equal(t("Run"), "(Run)");
});
