import assert from "node:assert/strict";
import { test } from "node:test";
import type { StartupLine } from "../src/protocol";
import { endedText, startupItems } from "../src/startup";

const ofRc: StartupLine = {
  file: "/home/me/.zshrc",
  line: 40,
  own_ms: 104.26,
  total_ms: 104.26,
  count: 1,
  programs: ["python3"],
};

test("the dearest lines are listed by their place from the home", () => {
  const shell = { ...ofRc, file: "(zsh)", line: null };
  const other = { ...ofRc, file: "/etc/zsh/zshrc", line: 0, programs: [] };
  const items = startupItems([ofRc, shell, other], "/home/me");
  assert.deepEqual(
    items.map(({ label, description }) => [label, description]),
    [
      ["104.3 ms · python3", "~/.zshrc:41"],
      ["104.3 ms", "/etc/zsh/zshrc:1"],
    ],
  );
});

test("what starts left running is named", () => {
  assert.equal(endedText(), "");
  const left = [{ command: "ssh-agent -s" }, { command: "sleep 9" }];
  assert.equal(endedText(left), ". Left running, and ended: ssh-agent -s, sleep 9");
});
