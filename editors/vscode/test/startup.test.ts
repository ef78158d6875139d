import assert from "node:assert/strict";
import { test } from "node:test";
import type { StartupLine } from "../src/protocol";
import {
  busyText,
  dearestText,
  causeItems,
  endedText,
  errorText,
  savingText,
  slowerText,
  startupItems,
  withTexts,
} from "../src/startup";

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
  const plugin = { ...other, file: "/home/me/.oh-my-zsh/custom/plugins/suggestions/init.zsh" };
  const items = startupItems([ofRc, shell, other, plugin], "/home/me");
  assert.deepEqual(
    items.map(({ label, description }) => [label, description]),
    [
      ["104.3 ms · python3", "~/.zshrc:41"],
      ["104.3 ms", "/etc/zsh/zshrc:1"],
      ["104.3 ms", "…/suggestions/init.zsh:1"],
    ],
  );
});

test("times are without what tracing took, where that was much", () => {
  const dense = { ...ofRc, line: 0, own_ms: 110, tracing_ms: 90 };
  const labels = startupItems([dense, ofRc], "/home/me").map(({ label }) => label);
  assert.deepEqual(labels, ["104.3 ms · python3", "20.0 ms · python3"]);
});

test("what the start takes less without lines is told", () => {
  const range = "/home/me/.zshrc:41";
  assert.equal(
    savingText(
      [
        { range, saves_ms: 98.2, spread_ms: 3.1, certain: true },
        { range, saves_ms: -4, spread_ms: 0.5, certain: true },
        { range, saves_ms: 0.2, spread_ms: 3.1, certain: false },
        { range, refused: "nothing runs there in a start" },
      ],
      "/home/me",
    ),
    ". Without ~/.zshrc:41: 98 ms less (± 3). Without ~/.zshrc:41: 4 ms more (± 1)" +
      ". Without ~/.zshrc:41: cannot be told from noise (± 3 ms)" +
      ". ~/.zshrc:41 was not left out: nothing runs there in a start",
  );
});

test("the dearest line is named, wherever it is, if it takes much", () => {
  const hook = { ...ofRc, file: "/home/me/plugin/gitstatus.zsh", line: 671, own_ms: 3226.2 };
  assert.equal(dearestText([ofRc, hook], 4814), ". gitstatus.zsh:672: 3226 ms");
  assert.equal(dearestText([ofRc, hook], 48140), "");
  assert.equal(dearestText([{ ...ofRc, line: null }], 100), "");
});

test("a busy machine is told", () => {
  assert.equal(busyText(undefined), "");
  const told = ". The machine is busy (load 12), so times are uncertain";
  assert.equal(busyText({ load: 12.4, processors: 2 }), told);
});

test("known causes are listed with what they take", () => {
  const cause = { code: "compinit-twice", file: "/home/me/.zshrc", line: 9, ms: 43.81 };
  const items = causeItems([cause, { ...cause, line: null }], "/home/me");
  assert.deepEqual(
    items.map(({ label, description, line }) => [label, description, line]),
    [["43.8 ms · compinit-twice", "~/.zshrc:10", 9]],
  );
});

test("a row has the text of its line, where that can be read", () => {
  const items = startupItems([ofRc, { ...ofRc, file: "/gone" }], "/home/me");
  const lines = [...Array<string>(40).fill(""), `  x=$(python3 ${"a".repeat(80)})`];
  assert.deepEqual(
    withTexts(items, new Map([["/home/me/.zshrc", lines]])).map(({ description }) => description),
    [`~/.zshrc:41  x=$(python3 ${"a".repeat(50)}`.slice(0, 13 + 60), "/gone:41"],
  );
});

test("the first that the shell says is wrong is told", () => {
  const wrong = { file: "/home/me/.zshrc", line: 5, message: "parse error" };
  assert.equal(errorText(undefined, "/home/me"), "");
  assert.equal(errorText([wrong], "/home/me"), ". ~/.zshrc:6: parse error");
  const nowhere = { ...wrong, file: "(zsh)", line: null };
  assert.equal(errorText([nowhere, wrong], "/home/me"), ". (zsh): parse error (+1)");
});

test("what starts left running is named", () => {
  assert.equal(endedText(), "");
  const left = [{ command: "ssh-agent -s" }, { command: "sleep 9" }];
  assert.equal(endedText(left), ". Left running, and ended: ssh-agent -s, sleep 9");
});

test("a line that has become slower says since when", () => {
  const since = [
    { file: "/home/me/.zshrc", line: 40, more_ms: 81.6, at: "2026-11-12T12:00:00+00:00" },
    { file: "(zsh)", line: null, more_ms: 12, at: "2026-11-12T12:00:00+00:00" },
  ];
  const [item] = startupItems([ofRc], "/home/me", since);
  assert.equal(item?.description, "~/.zshrc:41 · slower since 12 Nov: +82 ms");
  assert.equal(
    slowerText(since, "/home/me"),
    ". Slower since 12 Nov: +82 ms, ~/.zshrc:41. Slower since 12 Nov: +12 ms, (zsh)",
  );
  assert.equal(slowerText(undefined, "/home/me"), "");
});
