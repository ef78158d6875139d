import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { after, test } from "node:test";
import { machine } from "../src/machine";

// A Python of 3.11 or later; whoever runs the tests may name one.
const PYTHON = process.env.PYTHON ?? "python3";

const folder = mkdtempSync(path.join(tmpdir(), "zsh-ls-machine-"));
after(() => {
  rmSync(folder, { recursive: true });
});

function program(name: string, text: string, mode = 0o755): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

test("only files that may be executed are programs", () => {
  assert.equal(machine.isExecutable(program("does", "#!/bin/sh\n")), true);
  assert.equal(machine.isExecutable(program("text", "#!/bin/sh\n", 0o644)), false);
  assert.equal(machine.isExecutable(folder), false);
  assert.equal(machine.isExecutable(path.join(folder, "gone")), false);
});

test("links are followed to where a file is, and what is not there is itself", () => {
  const file = program("target", "");
  const link = path.join(folder, "link");
  symlinkSync(file, link);
  assert.equal(machine.real(link), machine.real(file));
  assert.equal(machine.real(path.join(folder, "nowhere")), path.join(folder, "nowhere"));
});

test("what is no Python of ours has no facts, whatever it says", async () => {
  const old = program("old", "#!/bin/sh\necho 'Unknown option: -P' >&2\nexit 2\n");
  const talker = program("talker", "#!/bin/sh\necho hello\n");
  const broken = program("broken", "#!/no/such/python\n");
  assert.deepEqual(await Promise.all([old, talker, broken].map((file) => machine.ask(file))), [
    undefined,
    undefined,
    undefined,
  ]);
});

test("modules that lie where the extension was started are not asked", async () => {
  const hostile = path.join(folder, "hostile");
  mkdirSync(hostile);
  const touched = path.join(hostile, "touched");
  writeFileSync(path.join(hostile, "json.py"), `open(${JSON.stringify(touched)}, "w")\n`);
  const before = process.cwd();
  process.chdir(hostile);
  try {
    assert.equal(typeof (await machine.ask(PYTHON))?.mcp, "boolean");
  } finally {
    process.chdir(before);
  }
  assert.equal(existsSync(touched), false);
});
