import assert from "node:assert/strict";
import { test } from "node:test";
import {
  commandOf,
  endOf,
  endsIn,
  foldersAround,
  runnerOf,
  shownName,
  testsIn,
  type FoundTest,
} from "../src/shellTests";

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

const leaves = (test: FoundTest): FoundTest[] =>
  test.children.length === 0 ? [test] : test.children.flatMap(leaves);

const ALL_OF_SHELLSPEC = String.raw`
Describe 'calc'
  Data "one line"
  Describe 'still empty'
  End
  Mock date
    echo 1
  End
  Context 'small numbers'
    Data
      #|given
    End
    It 'fails here'
      When call expr 1 + 2
      The output should eq 4
    End
    xIt "is left \"out\"" tag
      When call expr 1 + 2
    End
    Todo 'later'
    It 'is pending  '
      Pending 'not yet'
    End
    It
      When call true
    End
  End
  Describe
    Parameters:value 1 2
    It "takes $1" # twice
      When call test "$1"
      The status should be success
    End
  End
  Parameters
    1 2 3
    2 3 6
  End
  Example "adds $1 and $2"
    When call expr $1 + $2
    The output should eq $3
  End
End
Describe 'names'
  Specify 'same'
    When call true
    The status should be success
  End
  Specify 'same'
  End
End
`;
// As shellspec 0.29.0-dev printed it.
const TOLD_BY_SHELLSPEC = `1..11
not ok 1 - calc small numbers fails here # FAILED
# (in specfile spec/calc_spec.sh, line 14)
# When call expr 1 + 2
# The output should eq 4
#
#   expected: 4
#        got: 3
#
ok 2 - calc small numbers is left "out" # SKIP Temporarily skipped
not ok 3 - calc small numbers later # TODO later
# (in specfile spec/calc_spec.sh, line 19, WARNING)
# Not found any expectation
#
not ok 4 - calc small numbers is pending   # TODO not yet
# (in specfile spec/calc_spec.sh, line 20, WARNING)
# Not found any expectation
#
not ok 5 - calc small numbers <example:23-25> # WARNED
# (in specfile spec/calc_spec.sh, line 23, WARNING)
# When call true
# Not found any expectation
#
not ok 6 - calc takes 1 # FAILED
# (in specfile spec/calc_spec.sh, line 31)
# When call test
# The status should be success
#
#   expected: success (zero)
#        got: failure (non-zero) [status: 1]
#
not ok 7 - calc takes 2 # FAILED
# (in specfile spec/calc_spec.sh, line 31)
# When call test
# The status should be success
#
#   expected: success (zero)
#        got: failure (non-zero) [status: 1]
#
ok 8 - calc adds 1 and 2
not ok 9 - calc adds 2 and 3 # FAILED
# (in specfile spec/calc_spec.sh, line 40)
# When call expr 2 + 3
# The output should eq 6
#
#   expected: 6
#        got: 5
#
ok 10 - names same
not ok 11 - names same # TODO Not yet implemented
`;

test("every example of shellspec is known by its line, and its end by its name", () => {
  const found = testsIn(ALL_OF_SHELLSPEC.slice(1), "shellspec").flatMap(leaves);
  const ends = endsIn(TOLD_BY_SHELLSPEC);
  assert.deepEqual(
    found.map((one) => [one.line + 1, shownName(one), endOf(one, ends, found)?.outcome]),
    [
      [12, "fails here", "failed"],
      [16, 'is left "out"', "skipped"],
      [19, "later", "skipped"],
      [20, "is pending  ", "skipped"],
      [23, "<example:23-…>", "failed"],
      [29, "takes …", "failed"],
      [38, "adds … and …", "failed"],
      [44, "same", "passed"],
      [48, "same", "skipped"],
    ],
  );
  const worst = found[6] && endOf(found[6], ends, found);
  assert.deepEqual([worst?.line, worst?.name], [39, "calc adds 2 and 3"]);
});

// As zunit 0.8.2 printed it.
const TOLD_BY_ZUNIT = `TAP version 13
not ok 1 - Failure: plain failure
  ---
  message: '1' is not equal to '2'
  severity: fail
  ...
ok 2 - # SKIP skips it
  ---
  message: because
  severity: comment
  ...
not ok 3 - Error: errs
  ---
  message: boom
  severity: fail
  ...
ok 4 - Warning: risky
  ---
  message: No assertions were run, test is risky
  severity: comment
  ...
1..4
`;

test("what zunit prints is told without its YAML, and a skipped test by its name", () => {
  const names = ["plain failure", "skips it", "errs", "risky"];
  const found = testsIn(names.map((name) => `@test '${name}' {\n}\n`).join(""), "zunit");
  const ends = found.map((one) => endOf(one, endsIn(TOLD_BY_ZUNIT), found));
  assert.deepEqual(
    ends.map((end) => end?.outcome),
    ["failed", "skipped", "failed", "passed"],
  );
  assert.equal(ends[0]?.said, "'1' is not equal to '2'");
});

test("tests of bats have any name that bats takes", () => {
  const text =
    "@test \"it \\`runs\\`\" {\n}\n@test unquoted name {\n}\n@test '--filter x' { true; }\nfunction f { #@test\n}\n";
  const found = testsIn(text, "bats");
  const ends = endsIn("1..4\nok 1 it `runs`\nok 2 unquoted name\nok 3 --filter x\nok 4 f\n");
  assert.deepEqual(
    found.map((one) => [one.line, endOf(one, ends, found)?.name]),
    [
      [0, "it `runs`"],
      [2, "unquoted name"],
      [4, "--filter x"],
      [5, "f"],
    ],
  );
});
