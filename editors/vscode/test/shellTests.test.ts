import assert from "node:assert/strict";
import { test } from "node:test";
import { commandOf, endOf, endsIn, foldersAround, runnerOf, testsIn } from "../src/shellTests";

const SPEC = `Describe 'calc'
  Include ./calc.sh
  Parameters
    1 2
  End
  Context "with two numbers" # often
    It 'adds'
      When call add 1 2
      The output should eq 3
    End
    xIt 'divides'
    End
  End
End
`;

test("files of tests are known by their names", () => {
  const names = ["a.bats", "b.zunit", "spec/c_spec.sh", "c_spec.zsh", "d.sh", "bats"];
  const runners = ["bats", "zunit", "shellspec", "shellspec", undefined, undefined];
  assert.deepEqual(
    names.map((name) => runnerOf(name)),
    runners,
  );
});

test("the folders around a file lead up to that of the workspace", () => {
  assert.deepEqual(foldersAround("/w/a/spec/x_spec.sh", "/w"), ["/w/a/spec", "/w/a", "/w"]);
  assert.deepEqual(foldersAround("/w/x.bats", "/w"), ["/w"]);
  assert.deepEqual(foldersAround("/elsewhere/x.bats", "/w"), ["/w"]);
});

test("tests of bats and zunit are found with their lines", () => {
  const text = "load x\n@test \"it's so\" {\n  true\n}\n# @test 'no' {\n@test 'two' {\n}\n";
  const found = testsIn(text, "bats");
  assert.deepEqual(
    found.map(({ path, line }) => [path, line]),
    [
      [["it's so"], 1],
      [["two"], 5],
    ],
  );
});

test("examples of shellspec stand in their groups", () => {
  const [group] = testsIn(SPEC, "shellspec");
  assert.deepEqual([group?.path, group?.line], [["calc"], 0]);
  const [context] = group?.children ?? [];
  assert.deepEqual(
    context?.children.map(({ path, line }) => [path, line]),
    [
      [["calc", "with two numbers", "adds"], 6],
      [["calc", "with two numbers", "divides"], 10],
    ],
  );
});

test("each runner is asked for one test in its own way", () => {
  const one = { path: ["group", "it's 1+1"], line: 4, children: [] };
  assert.equal(
    commandOf("bats", "/a b.bats", one),
    "bats --tap --filter '^it'\\''s 1\\+1$' '/a b.bats'",
  );
  assert.equal(commandOf("zunit", "/a.zunit", one), "zunit --tap '/a.zunit@it'\\''s 1+1'");
  assert.equal(commandOf("shellspec", "/a_spec.sh", one), "shellspec --format tap /a_spec.sh:5");
  assert.equal(commandOf("bats", "/a.bats"), "bats --tap /a.bats");
  assert.equal(commandOf("bats", "/a.bats", undefined, "/p q/bats"), "'/p q/bats' --tap /a.bats");
});

test("what a runner prints tells how each test ended", () => {
  const ends = endsIn(
    "1..4\nok 1 one\nnot ok 2 two\n# (in test file a.bats, line 7)\n#   `false' failed\nok 3 three # skip later\nnot ok 4 - calc adds # FAILED\n",
  );
  assert.deepEqual(
    ends.map(({ name, outcome, line }) => [name, outcome, line]),
    [
      ["one", "passed", undefined],
      ["two", "failed", 6],
      ["three", "skipped", undefined],
      ["calc adds", "failed", undefined],
    ],
  );
  assert.equal(ends[1]?.said, "`false' failed\n(in test file a.bats, line 7)");
  const nested = { path: ["calc", "adds"], line: 0, children: [] };
  assert.equal(endOf(nested, ends)?.name, "calc adds");
});
