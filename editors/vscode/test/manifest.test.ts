import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

interface Manifest {
  engines: { vscode: string };
  devDependencies: Record<string, string>;
  icon: string;
  capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
  contributes: {
    commands: { command: string; title: string }[];
    keybindings: { key: string; command: string; when?: string }[];
    configuration: { properties: Record<string, { scope?: string }> };
    languageModelTools: { name: string; inputSchema: { properties: object } }[];
    walkthroughs: { steps: { description: string; media: { image: Record<string, string> } }[] }[];
    menus: Record<string, { command: string }[]>;
  };
}

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;
const { contributes } = manifest;
const sources = readdirSync("src").map((name) => readFileSync(`src/${name}`, "utf8"));
const named = new Set(contributes.commands.map(({ command }) => command));

test("every command of the palette is registered, and every registered one is in the palette", () => {
  const table = /const table[^{]*\{([\s\S]*?)\n {4}\};/.exec(
    readFileSync("src/commands.ts", "utf8"),
  );
  const registered = [...(table?.[1] ?? "").matchAll(/^ {6}(\w+): /gm)];
  assert.deepEqual(registered.map((found) => `zsh-ls.${found[1] ?? ""}`).sort(), [...named].sort());
});

test("menus, keys and walkthrough name commands that are there", () => {
  const links = contributes.walkthroughs.flatMap(({ steps }) =>
    steps.flatMap(({ description }) => [...description.matchAll(/command:(zsh-ls\.\w+)\)/g)]),
  );
  const used = [
    ...Object.values(contributes.menus).flat(),
    ...contributes.keybindings,
    ...links.map((found) => ({ command: found[1] ?? "" })),
  ];
  assert.deepEqual(
    used.filter(({ command }) => !named.has(command)),
    [],
  );
});

test("every key is a chord, and only where shell stands", () => {
  for (const { key, when } of contributes.keybindings) {
    assert.match(key, /^\S+ \S+$/);
    assert.match(
      when ?? "",
      /^editorTextFocus && editorLangId (== shellscript|=~ \/\^\(shellscript\|markdown(\|makefile\|just)?\)\$\/)/,
    );
  }
});

test("whether a language model may be asked is the person's setting alone", () => {
  const { properties } = contributes.configuration;
  assert.equal(properties["zshLs.ask.languageModel"]?.scope, "application");
});

test("every setting has a scope, and those of a path are restricted", () => {
  const settings = Object.entries(contributes.configuration.properties);
  assert.deepEqual(
    settings.filter(([, { scope }]) => scope === undefined),
    [],
  );
  const own = settings.filter(([, { scope }]) => scope === "machine-overridable");
  assert.deepEqual(
    own.map(([name]) => name).sort(),
    manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.toSorted(),
  );
});

test("every setting is read by the extension, the server or the client", () => {
  const all = sources.join("\n");
  for (const name of Object.keys(contributes.configuration.properties)) {
    const own = name.replace(/^zshLs\./, "");
    assert.ok(own === "trace.server" || all.includes(`"${own}"`), name);
  }
});

test("every tool for models is registered under its name", () => {
  const tools = sources.join("\n");
  for (const { name } of contributes.languageModelTools) {
    assert.ok(tools.includes(`tool("${name}"`), name);
  }
});

test("the editor's types are those of the oldest editor that is supported", () => {
  assert.equal(manifest.engines.vscode, `^${manifest.devDependencies["@types/vscode"] ?? ""}`);
});

test("every version is pinned", () => {
  for (const version of Object.values(manifest.devDependencies)) {
    assert.match(version, /^\d+\.\d+\.\d+$/);
  }
});

test("pictures are where they are said to be", () => {
  const steps = contributes.walkthroughs.flatMap(({ steps }) => steps);
  const pictures = steps.flatMap(({ media }) => Object.values(media.image));
  for (const { media } of steps) {
    assert.deepEqual(Object.keys(media.image), ["dark", "light", "hc", "hcLight"]);
    assert.notEqual(media.image.dark, media.image.light);
  }
  for (const file of [manifest.icon, ...pictures]) {
    assert.ok(existsSync(file), file);
  }
});

test("the licence is that of the whole", () => {
  assert.equal(readFileSync("LICENSE", "utf8"), readFileSync("../../LICENSE", "utf8"));
});

test("the README names every key", () => {
  const told = readFileSync("README.md", "utf8").toLowerCase();
  for (const { key } of contributes.keybindings) {
    assert.ok(told.includes(`\`${key.split(" ")[1] ?? key}\``), key);
  }
});
