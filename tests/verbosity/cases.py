"""Executions recorded for the resolver, labelled by hand before its rules were written.

`keep` is what a reader needs to see, `failed` whether the execution failed in
the resolver's sense (known normal exits are none). Every second case in order
of its name is held out: looked at only when the rules were done
(`record.held_out`).
"""

# ruff: noqa: E501 - one case a line: a table reads better than a wrapped one
from __future__ import annotations

from typing import NamedTuple

Files = dict[str, str]


class Case(NamedTuple):
    """One command to record in a fresh folder with `files`, after `setup`."""

    name: str
    command: str
    operation: str
    failed: bool = False
    keep: tuple[str, ...] = ()
    files: Files = {}  # noqa: RUF012 - a NamedTuple's default is a value, never changed
    setup: str = ""
    via: str = "pipe"
    shell: str = "bash"
    timeout_s: float = 60.0


def _py_suite(count: int, failing: tuple[int, ...]) -> str:
    cases = (
        f"def test_case_{n:03}():\n    rows = list(range({n}))\n"
        f"    assert len(rows) == {n + (n in failing)}, 'row count of batch {n}'\n"
        for n in range(count)
    )
    return "\n\n".join(cases)


def _unittest_suite(count: int, failing: int) -> str:
    methods = "".join(
        f"    def test_{n:02}(self):\n        self.assertEqual({n}, {n + (n == failing)})\n"
        for n in range(count)
    )
    return f"import unittest\nclass T(unittest.TestCase):\n{methods}\nif __name__ == '__main__':\n    unittest.main()\n"


def _mocha_suite(count: int, failing: int) -> str:
    tests = "".join(
        f"  it('adds {n}', () => assert.strictEqual({n} + 1, {n + 1 + (n == failing)}));\n"
        for n in range(count)
    )
    return f"const assert = require('assert');\ndescribe('sum', () => {{\n{tests}}});\n"


def _log(lines: int, at: int, odd: str) -> str:
    """A shell script that prints a long log with one informative line."""
    return (
        f'for i in $(seq {lines}); do\n  if [ "$i" = {at} ]; then echo "{odd}"; fi\n'
        '  echo "2026-11-20T10:00:$((i % 60)) worker $((i % 7)) processed batch $i in $((i % 13)) ms"\n'
        "done\n"
    )


def _c_modules(count: int, broken: tuple[int, ...]) -> Files:
    sources = {
        f"m{n}.c": f"int m{n}(int a) {{\n  int unused_{n} = 3;\n"
        + (f"  return missing_{n} + a;\n" if n in broken else "  return a;\n")
        + "}\n"
        for n in range(count)
    }
    objects = " ".join(f"m{n}.o" for n in range(count))
    return {**sources, "Makefile": f"CFLAGS = -Wall -Wextra\nall: {objects}\n"}


SUITE = {"test_rows.py": _py_suite(40, (17,))}
BIG_SUITE = {"test_rows.py": _py_suite(400, tuple(range(5, 400, 9)))}
GREEN = {"test_rows.py": _py_suite(40, ())}
ROW_17 = ("row count of batch 17", "1 failed, 39 passed")
CARGO = "[package]\nname = 'ledger'\nversion = '0.1.0'\nedition = '2021'\n"
RUST_TESTS = "".join(
    f"#[test] fn adds_{n}() {{ assert_eq!({n} + 1, {n + 1 + (n == 9)}); }}\n" for n in range(30)
)
CTEST = (
    "cmake_minimum_required(VERSION 3.10)\nproject(p C)\nenable_testing()\n"
    "add_executable(check check.c)\n"
    + "".join(f"add_test(NAME case_{n} COMMAND check {n})\n" for n in range(12))
)
CHECK_C = (
    "#include <stdio.h>\n#include <stdlib.h>\n"
    'int main(int c, char **v) { int n = atoi(v[1]); printf("checking %d\\n", n);'
    ' if (n == 7) { printf("vault is empty\\n"); return 3; } return 0; }\n'
)
COMMITS = (
    "git init -q . && git config user.email a@example.org && git config user.name A && "
    "for n in $(seq {n}); do echo $n > f$n.txt; git add -A; git commit -qm 'step '$n; done"
)
TS = {
    "tsconfig.json": '{"compilerOptions": {"strict": true, "outDir": "out"}, "include": ["*.ts"]}',
    "a.ts": "const n: number = 'seven';\nexport function f(x: string) { return x.foo; }\n",
}
PY_LINT = {
    f"p{n}.py": f"import os\nimport sys\n\n\ndef f{n}(a: int) -> str:\n    return a\n"
    for n in range(30)
}

CASES: tuple[Case, ...] = (
    # Tests that fail, run in every way people run them.
    Case("mocha-fail", "npx mocha", "test", True, ("20 passing", "1 failing", "adds 13"), {"test/sum.js": _mocha_suite(21, 13)}),
    Case("mocha-pass-npm-t", "npm t", "test", False, ("30 passing",), {"test/sum.js": _mocha_suite(30, -1), "package.json": '{"scripts": {"test": "mocha"}}'}),
    Case("ava-fail", "npx ava", "test", True, ("vault", "1 test failed"), {"package.json": "{}", "test.js": "const test = require('ava');\nfor (let n = 0; n < 9; n++) test('case ' + n, t => t.is(n, n));\ntest('vault', t => t.is(1, 2));\n"}),
    Case("tape-fail", "npx tape test/*.js", "test", True, ("not ok 4 vault", "# fail  1"), {"test/a.js": "const t = require('tape');\nt('sum', a => { a.equal(1,1); a.equal(2,2); a.equal(3,3); a.equal(1,2,'vault'); a.end(); });\n"}),
    Case("jasmine-fail", "npx jasmine 'spec/*.js'", "test", True, ("Expected 1 to be 2", "3 specs, 1 failure"), {"spec/a.spec.js": "describe('v', () => { it('a', () => expect(1).toBe(1)); it('b', () => expect(1).toBe(2)); it('c', () => expect(3).toBe(3)); });\n"}),
    Case("uvu-fail", "npx uvu tests", "test", True, ("vault", "Total:     2"), {"tests/a.js": "const {test} = require('uvu'); const assert = require('uvu/assert');\ntest('ok', () => assert.is(1,1)); test('vault', () => assert.is(1,2)); test.run();\n"}),
    Case("vitest-run-fail", "npx vitest run", "test", True, ("Tests  1 failed | 11 passed (12)", "expected 7 to be 8"), {"a.test.js": "import {test, expect} from 'vitest';\nfor (let n = 0; n < 12; n++) test('case ' + n, () => expect(n).toBe(n === 7 ? 8 : n));\n"}),
    Case("vitest-pass", "npx vitest run --reporter=verbose", "test", False, ("Tests  60 passed (60)",), {"a.test.js": "import {test, expect} from 'vitest';\nfor (let n = 0; n < 60; n++) test('case ' + n, () => expect(n).toBe(n));\n"}),
    Case("jest-tail-masked", "npx jest 2>&1 | tail -n 12", "test", True, ("Tests:       1 failed, 20 passed, 21 total",), {"test/sum.test.js": _mocha_suite(21, 13), "package.json": "{}"}),
    Case("node-test-fail", "node --test", "test", True, ("# fail 1", "not the right vault"), {"a.test.js": "const {test} = require('node:test'); const a = require('assert');\nfor (let n = 0; n < 40; n++) test('case ' + n, () => a.ok(n !== 21, 'not the right vault'));\n"}),
    Case("nose2-fail", "nose2 -v", "test", True, ("5 != 6", "FAILED (failures=1)"), {"test_u.py": _unittest_suite(20, 5)}),
    Case("behave-fail", "behave", "test", True, ("the vault is empty", "0 features passed, 1 failed"), {"features/a.feature": "Feature: vault\n  Scenario: open\n    Given a vault\n    Then it opens\n", "features/steps/s.py": "from behave import given, then\n@given('a vault')\ndef g(c): pass\n@then('it opens')\ndef t(c): assert False, 'the vault is empty'\n"}),
    Case("tox-fail", "tox -q -e py", "test", True, ROW_17, {**SUITE, "tox.ini": "[tox]\nskipsdist = true\n[testenv]\nskip_install = true\nallowlist_externals = pytest\ncommands = pytest -q -p no:cacheprovider\n"}),
    Case("nox-fail", "nox -s tests", "test", True, ROW_17, {**SUITE, "noxfile.py": "import nox\n@nox.session(venv_backend='none')\ndef tests(s): s.run('pytest', '-q')\n"}),
    Case("ctest-fail", "ctest --test-dir b --output-on-failure", "test", True, ("vault is empty", "92% tests passed, 1 tests failed out of 12"), {"CMakeLists.txt": CTEST, "check.c": CHECK_C}, "cmake -S . -B b && cmake --build b"),
    Case("cmake-build-ctest-pass", "cmake --build b --target test", "test", True, ("92% tests passed, 1 tests failed out of 12",), {"CMakeLists.txt": CTEST, "check.c": CHECK_C}, "cmake -S . -B b && cmake --build b"),
    Case("meson-test-fail", "meson test -C b", "test", True, ("Fail:              1",), {"meson.build": "project('p', 'c')\ne = executable('check', 'check.c')\nforeach n : ['1', '2', '7', '9']\n test('case ' + n, e, args: [n])\nendforeach\n", "check.c": CHECK_C}, "meson setup b"),
    Case("prove-fail", "prove -v t/", "test", True, ("not ok 3 - vault", "Result: FAIL"), {"t/a.t": "use Test::More tests => 4;\nok(1, 'one'); ok(1, 'two'); ok(0, 'vault'); ok(1, 'four');\n"}),
    Case("prove-pass", "prove t", "test", False, ("All tests successful.", "Result: PASS"), {f"t/{n:02}.t": "use Test::More tests => 2;\nok(1); ok(1);\n" for n in range(40)}),
    Case("perl-t-file", "perl t/a.t", "test", True, ("not ok 3 - vault",), {"t/a.t": "use Test::More tests => 4;\nok(1, 'one'); ok(1, 'two'); ok(0, 'vault'); ok(1, 'four');\n"}),
    Case("cargo-test-fail", "cargo test", "test", True, ("adds_9", "test result: FAILED. 29 passed; 1 failed"), {"Cargo.toml": CARGO, "src/lib.rs": RUST_TESTS}),
    Case("cargo-t-tail", "cargo t 2>&1 | tail -5", "test", True, ("test result: FAILED. 29 passed; 1 failed",), {"Cargo.toml": CARGO, "src/lib.rs": RUST_TESTS}),
    Case("cargo-test-no-compile", "cargo test", "test", True, ("cannot find value `lost`",), {"Cargo.toml": CARGO, "src/lib.rs": "pub fn f() -> i32 { lost }\n"}),
    Case("invoke-test-fail", "invoke test", "test", True, ROW_17, {**SUITE, "tasks.py": "from invoke import task\n@task\ndef test(c): c.run('pytest -q')\n"}),
    Case("doit-test-fail", "doit test", "test", True, ROW_17, {**SUITE, "dodo.py": "def task_test(): return {'actions': ['pytest -q'], 'verbosity': 2}\n"}),
    Case("robot-fail", "robot suite.robot", "test", True, ("the vault is empty", "2 tests, 1 passed, 1 failed"), {"suite.robot": "*** Test Cases ***\nOne\n    Log    hello\nTwo\n    Fail    the vault is empty\n"}),
    Case("xdist-pty-fail", "pytest -n 2", "test", True, ROW_17, SUITE, via="pty"),
    Case("pytest-or-true", "pytest -q || true", "test", True, ROW_17, SUITE),
    Case("pytest-semicolon-echo", "pytest -q; echo finished", "test", True, (*ROW_17, "finished"), SUITE),
    Case("pytest-big-fail", "pytest", "test", True, ("44 failed, 356 passed", "row count of batch 203"), BIG_SUITE),
    Case("pytest-big-tail", "pytest 2>&1 | tail -60 | cat", "test", True, ("44 failed, 356 passed",), BIG_SUITE),
    Case("pytest-timeout-124", "timeout 3 pytest -v", "test", True, ("test_h.py::test_waits",), {"test_h.py": "import time\ndef test_one(): pass\ndef test_waits(): time.sleep(30)\n"}),
    Case("find-exec-pytest", "find . -name 'test_*.py' -exec python -m pytest -q {} +", "test", True, ROW_17, SUITE),
    Case("xargs-pytest", "ls test_*.py | xargs -n1 pytest -q", "test", True, ROW_17, SUITE),
    Case("env-i-pytest", 'env -i PATH="$PATH" HOME="$HOME" pytest -q', "test", True, ROW_17, SUITE),
    Case("nice-pytest-pass", "nice -n 5 pytest -v", "test", False, ("40 passed",), GREEN),
    Case("subshell-pytest", "(cd . && pytest -q)", "test", True, ROW_17, SUITE),
    Case("script-runs-pytest", "bash scripts/ci.sh", "test", True, ROW_17, {**SUITE, "scripts/ci.sh": "set -e\necho linting\npytest -q\n"}),
    Case("make-check-fail", "make check", "test", True, ROW_17, {**SUITE, "Makefile": "check:\n\t@pytest -q\n"}),
    Case("make-all-runs-tests", "make -s", "test", True, ROW_17, {**SUITE, "Makefile": "all:\n\t@pytest -q\n"}),
    Case("coverage-run-pytest", "coverage run -m pytest -q && coverage report", "test", False, ("40 passed", "TOTAL"), GREEN),
    Case("unittest-discover", "PYTHONPATH=. python3 -W error -m unittest discover -s . -p 'test_*.py'", "test", True, ("5 != 6", "FAILED (failures=1)"), {"test_u.py": _unittest_suite(20, 5)}),
    Case("python-test-file", "python test_u.py", "test", True, ("5 != 6", "FAILED (failures=1)"), {"test_u.py": _unittest_suite(20, 5)}),
    Case("python-m-doctest", "python -m doctest m.py", "test", True, ("Expected:", "***Test Failed*** 1 failures."), {"m.py": 'def f():\n    """\n    >>> f()\n    2\n    """\n    return 1\n'}),
    Case("django-pass", "python manage.py test -v 2", "test", False, ("Ran 12 tests", "OK"), {"manage.py": "import os, sys\nos.environ['DJANGO_SETTINGS_MODULE'] = 'conf'\nfrom django.core.management import execute_from_command_line\nexecute_from_command_line(sys.argv)\n", "conf.py": "SECRET_KEY = 'x'\nINSTALLED_APPS = []\n", "test_u.py": _unittest_suite(12, -1)}),
    Case("npm-ci-composite", "npm run verify", "test", True, ("1 failing", "adds 13"), {"test/sum.js": _mocha_suite(21, 13), "package.json": '{"scripts": {"verify": "echo checking && mocha"}}'}),
    Case("zsh-loop-pytest", "for d in a b; do (cd $d && pytest -q); done", "test", True, ROW_17, {"a/test_rows.py": SUITE["test_rows.py"], "b/test_g.py": GREEN["test_rows.py"]}, shell="zsh"),
    Case("pytest-collect-error", "pytest -q tests", "test", True, ("No module named 'ledgerlib'",), {"tests/test_a.py": "import ledgerlib\n\ndef test_a(): pass\n"}),
    Case("pytest-no-tests", "pytest -q", "test", True, ("no tests ran",), {"a.py": "x = 1\n"}),
    Case("pytest-pass-says-fail", "pytest -v", "test", False, ("25 passed",), {"test_f.py": "".join(f"def test_fail_path_{n}(): pass\n" for n in range(25))}),
    # Builds.
    Case("make-broken-two", "make -k", "build", True, ("missing_21", "missing_44"), _c_modules(60, (21, 44))),
    Case("make-tee-masked", "make -k 2>&1 | tee build.log", "build", True, ("missing_21",), _c_modules(40, (21,))),
    Case("make-semicolon", "make -k; ls *.o | wc -l", "build", True, ("missing_21", "39"), _c_modules(40, (21,))),
    Case("make-warnings-ok", "make -j2", "build", False, ("m49",), _c_modules(50, ())),
    Case("gpp-template", "g++ -c a.cpp", "build", True, ("error: no match for",), {"a.cpp": "#include <map>\n#include <iostream>\nstruct K {};\nint main() { std::map<int, K> m; std::cout << m; K a, b; bool c = a < b; }\n"}),
    Case("gcc-link", "gcc a.c -o app", "build", True, ("undefined reference to `lost'",), {"a.c": "int lost(void);\nint main(void) { return lost(); }\n"}),
    Case("cargo-many-errors", "cargo build", "build", True, tuple(f"cannot find value `lost_{n}`" for n in (0, 9, 19)), {"Cargo.toml": CARGO, "src/lib.rs": "".join(f"pub fn f{n}() -> i32 {{ lost_{n} }}\nfn unused_{n}() {{}}\n" for n in range(20))}),
    Case("cargo-build-warn", "cargo build --offline", "build", False, ("Finished",), {"Cargo.toml": CARGO, "src/lib.rs": "".join(f"fn unused_{n}() {{}}\n" for n in range(30))}),
    Case("javac-fail", "javac -d out *.java", "build", True, ("cannot find symbol", "lost"), {"A.java": "class A { int f() { return lost; } }\n", "B.java": "class B { }\n"}),
    Case("cmake-configure-fail", "cmake -S . -B b", "build", True, ("nowherelib",), {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(p C)\nfind_package(nowherelib REQUIRED)\n"}),
    Case("tsc-build-fail", "npx tsc", "build", True, ("TS2322", "TS2339"), TS),
    Case("webpack-fail", "npx webpack --mode production", "build", True, ("Can't resolve './lost.js'",), {"src/index.js": "import x from './lost.js'; console.log(x);\n", "package.json": "{}"}),
    Case("rollup-tail-masked", "npx rollup -i main.js -o out.js -f es 2>&1 | tail -14", "build", True, ("lost.js",), {"main.js": "import x from './lost.js'; console.log(x);\n"}),
    Case("rollup-ok", "npx rollup -i main.js -o out.js -f es", "build", False, ("created out.js",), {"main.js": "console.log(1);\n"}),
    Case("mkdocs-strict", "mkdocs build --strict", "build", True, ("nowhere.md",), {"mkdocs.yml": "site_name: s\nplugins: []\n", "docs/index.md": "[x](nowhere.md)\n"}),
    Case("ninja-ok", "ninja -C b", "build", False, (), {"CMakeLists.txt": CTEST, "check.c": CHECK_C}, "cmake -G Ninja -S . -B b"),
    # Lints.
    Case("mypy-fail", "mypy .", "lint", True, ("Found 30 errors in 30 files", "p17.py:6: error"), PY_LINT),
    Case("flake8-fail", "python -m flake8", "lint", True, ("F401", "p29.py"), PY_LINT),
    Case("flake8-head-masked", "flake8 | head -4", "lint", True, ("F401",), PY_LINT),
    Case("black-check-fail", "black --check .", "lint", True, ("would reformat",), {"a.py": "x = {  'a':1 }\n"}),
    Case("black-clean", "black --check .", "lint", False, (), {"a.py": "x = 1\n"}),
    Case("tsc-noemit-fail", "npx tsc --noEmit", "lint", True, ("TS2322",), TS),
    Case("shellcheck-fail", "find . -name '*.sh' | xargs shellcheck", "lint", True, ("SC2086",), {"a.sh": "#!/bin/sh\nrm $1\n"}),
    Case("yamllint-fail", "yamllint .", "lint", True, ("syntax error",), {"a.yml": "a: [1, 2\nb: 3\n"}),
    Case("pylint-notes", "pylint --exit-zero p1.py", "lint", False, ("W0611",), PY_LINT),
    Case("ruff-clean", "ruff check", "lint", False, (), {"a.py": "x = 1\n"}),
    Case("ruff-xargs-fail", "git ls-files '*.py' | xargs ruff check", "lint", True, ("F401", "Found 60 errors"), PY_LINT, "git init -q . && git add -A"),
    Case("eslint-warnings", "npx eslint .", "lint", False, ("no-unused-vars",), {".eslintrc.json": '{"root": true, "parserOptions": {"ecmaVersion": 2020}, "rules": {"no-unused-vars": 1}}', "a.js": "var unused = 1;\n"}),
    # Reading, listing, history.
    Case("cat-700", "cat app.py", "file_read", False, ("line_0 =",), {"app.py": "".join(f"line_{n} = {n}\n" for n in range(700))}),
    Case("cat-300", "cat app.py", "file_read", False, ("line_99 =", "line_299 ="), {"app.py": "".join(f"line_{n} = {n}\n" for n in range(300))}),
    Case("head-n-300", "head -n 300 app.py", "file_read", False, ("line_150 =", "line_299 ="), {"app.py": "".join(f"line_{n} = {n}\n" for n in range(700))}),
    Case("cat-toml-300", "cat conf.toml", "file_read", False, ("key_150 =",), {"conf.toml": "".join(f"key_{n} = {n}\n" for n in range(300))}),
    Case("ls-R-600", "ls -R", "listing", False, ("f1.txt",), {}, "touch $(seq -f 'f%g.txt' 600)"),
    Case("git-diff-stat", "git diff --stat HEAD~5", "listing", False, ("5 files changed",), {}, COMMITS.format(n=8)),
    Case("git-log-60", "git --no-pager log", "git_log", False, ("step 60",), {}, COMMITS.format(n=60)),
    Case("git-log-graph-pipe", "git log --oneline --graph | cat", "git_log", False, ("step 45",), {}, COMMITS.format(n=45)),
    Case("git-show-big", "git show", "command", False, ("+line 40",), {}, "git init -q . && git config user.email a@example.org && git config user.name A && seq -f 'line %g' 90 > f && git add f && git commit -qm one"),
    # Everything else.
    Case("log-odd-number-ok", "bash sync.sh", "command", False, ("processed batch 733 in 48211 ms",), {"sync.sh": _log(1500, 733, "2026-11-20T10:00:13 worker 5 processed batch 733 in 48211 ms")}),
    Case("log-german-fail", "./sync.sh", "command", True, ("Zertifikat des Zielsystems abgelaufen",), {"sync.sh": "#!/bin/bash\n" + _log(2500, 1250, "2026-11-20T10:00:50 worker 4 Zertifikat des Zielsystems abgelaufen") + "exit 4\n"}, "chmod +x sync.sh"),
    Case("jsonl-fatal-fail", "python svc.py", "command", True, ("lease lost to node-9",), {"svc.py": "import json, sys\nfor n in range(1200):\n    print(json.dumps({'level': 'info', 'seq': n, 'msg': 'heartbeat', 'latency': n % 17}))\n    if n == 611:\n        print(json.dumps({'level': 'fatal', 'seq': n, 'msg': 'lease lost to node-9'}))\nsys.exit(3)\n"}),
    Case("py-chained-traceback", "python -u job.py 2>&1", "command", True, ("KeyError: 'quota'", "RuntimeError: plan not loaded", "direct cause"), {"job.py": "def load():\n    try:\n        return {}['quota']\n    except KeyError as e:\n        raise RuntimeError('plan not loaded') from e\nfor n in range(400): print('prepared shard', n)\ntry:\n    load()\nexcept RuntimeError:\n    import traceback; traceback.print_exc()\nfor n in range(400): print('released shard', n)\nraise SystemExit(1)\n"}),
    Case("node-throw", "node app.js", "command", True, ("quota is undefined", "app.js:3"), {"app.js": "for (let n = 0; n < 300; n++) console.log('tick', n);\nfunction load() {\n  throw new Error('quota is undefined');\n}\nload();\n"}),
    Case("java-exception", "java App.java", "command", True, ("IllegalStateException: pool closed",), {"App.java": "class App { public static void main(String[] a) { for (int n = 0; n < 200; n++) System.out.println(\"step \" + n); throw new IllegalStateException(\"pool closed\"); } }\n"}),
    Case("masked-then-true", "bash deploy.sh | grep -v processed; true", "command", False, ("copied 40",), {"deploy.sh": "for i in $(seq 40); do echo copied $i; done\n"}),
    Case("pipe-first-fails", "bash deploy.sh | tail -3", "command", True, ("gateway refused the lease",), {"deploy.sh": "for i in $(seq 90); do echo copied $i; done; echo gateway refused the lease; exit 5\n"}),
    Case("grep-nothing", "grep -r nosuchword .", "command", False, (), {"a.txt": "hello\n"}),
    Case("git-merge-conflict", "git merge other", "command", True, ("CONFLICT (content)",), {}, "git init -qb main . && git config user.email a@example.org && git config user.name A && echo 1 > f && git add f && git commit -qm a && git checkout -qb other && echo 2 > f && git commit -qam b && git checkout -q main && echo 3 > f && git commit -qam c"),
    Case("kubectl-no-server", "kubectl get pods", "command", True, ("refused",)),
    Case("docker-ps-no-daemon", "docker ps", "command", True, ("Cannot connect to the Docker daemon",)),
    Case("psql-no-server", "psql -h 127.0.0.1 -p 9 -c 'select 1'", "command", True, ("Connection refused",)),
    Case("sqlite-error", "sqlite3 x.db 'select * from nowhere'", "command", True, ("no such table: nowhere",)),
    Case("npm-run-missing-dep", "npm ls leftpadzz", "command", True, ("(empty)",), {"package.json": '{"name": "x"}'}),
    Case("timeout-build-log", "for i in $(seq 400); do echo linking object $i; done; sleep 30", "command", True, ("linking object 200",), timeout_s=2.0),
    Case("curl-progress-pty", "curl -o x.txt file:///etc/hostname", "command", False, ("100",), via="pty"),
    Case("seq-1000", "seq -f 'row %g' 1000", "command", False, ("row 1000",)),
    Case("echo-pytest-words", "echo 'pytest: 3 failed, 2 passed'", "command", False, ("3 failed",)),
    Case("pytest-version", "pytest --version", "command", False, ("pytest",)),
    Case("contest-script", "./contest.sh", "command", False, ("winner",), {"contest.sh": "#!/bin/bash\necho winner: team 4\n"}, "chmod +x contest.sh"),
    Case("rg-like-or", "grep -q zzz a.txt || echo absent", "command", False, ("absent",), {"a.txt": "x\n"}),
    Case("stderr-900-fail", "bash noisy.sh", "command", True, ("disk quota exceeded on /srv/9",), {"noisy.sh": "for i in $(seq 900); do echo \"retrying chunk $i\" >&2; [ $i = 450 ] && echo 'disk quota exceeded on /srv/9' >&2; done; exit 1\n"}),
    Case("http-server-running", "python -u -m http.server 8791", "dev_server", False, ("8791",), timeout_s=-2.0),
    Case("vite-running", "npx vite --port 8792", "dev_server", False, ("http://localhost:8792/",), {"index.html": "<p>x"}, timeout_s=-4.0),
)  # fmt: skip

# Written and recorded after the rules of the first day, to see how they do on what they had not met.
LATER: tuple[Case, ...] = (
    Case("py-argparse-usage", "python tool.py --bogus", "command", True, ("unrecognized arguments: --bogus",), {"tool.py": "import argparse\np = argparse.ArgumentParser()\n[p.add_argument(f'--option-{n}', help='does thing ' * 9) for n in range(60)]\np.print_help()\np.parse_args()\n"}),
    Case("import-error-after-noise", "python main.py", "command", True, ("ModuleNotFoundError: No module named 'ledgerlib'", "loader.py"), {"main.py": "import logging\nlogging.basicConfig(level=logging.INFO)\nfor n in range(300): logging.info('registered handler %d for topic %d', n, n % 9)\nimport loader\n", "loader.py": "import ledgerlib\n"}),
    Case("asyncio-error-log", "python -u srv.py 2>&1", "command", True, ("ConnectionResetError: peer went away", "in pump"), {"srv.py": "import asyncio\nasync def pump(n):\n    if n == 40: raise ConnectionResetError('peer went away')\nasync def main():\n    for n in range(90):\n        print('request', n, 'served in', n % 4, 'ms')\n        try: await pump(n)\n        except Exception:\n            import traceback; traceback.print_exc()\n    raise SystemExit(9)\nasyncio.run(main())\n"}),
    Case("french-log-fail", "./migre.sh", "command", True, ("la table clients est verrouillée par une autre session",), {"migre.sh": "#!/bin/bash\n" + _log(800, 411, "2026-11-20T10:00:51 ouvrier 4 : la table clients est verrouillée par une autre session") + "exit 3\n"}),
    Case("number-differs-fail", "./verify.sh", "command", True, ("shard 388 rows 0",), {"verify.sh": "#!/bin/bash\nfor i in $(seq 600); do if [ $i = 388 ]; then echo \"shard $i rows 0\"; else echo \"shard $i rows 1000\"; fi; done\nexit 1\n"}),
    Case("replica-differs-fail", "bash status.sh", "command", True, ("pod web-77 ready 1/2",), {"status.sh": "for i in $(seq 150); do if [ $i = 77 ]; then echo \"pod web-$i ready 1/2 restarts 0\"; else echo \"pod web-$i ready 2/2 restarts 0\"; fi; done; exit 1\n"}),
    Case("uuid-log-fail", "python job.py", "command", True, ("lease expired before commit",), {"job.py": "import random, uuid, sys\nr = random.Random(7)\nfor n in range(700):\n    u = uuid.UUID(int=r.getrandbits(128))\n    print(f'job {u} commit ok' if n != 350 else f'job {u} lease expired before commit')\nsys.exit(1)\n"}),
    Case("access-log-500-ok", "bash replay.sh", "command", False, ('"GET /pay HTTP/1.1" 503',), {"replay.sh": "for i in $(seq 900); do if [ $i = 512 ]; then echo '10.0.0.9 - - \"GET /pay HTTP/1.1\" 503 12'; else echo \"10.0.0.$((i % 9)) - - \\\"GET /item/$i HTTP/1.1\\\" 200 $((i % 700))\"; fi; done\n"}),
    Case("git-rebase-conflict", "git rebase main", "command", True, ("CONFLICT (content): Merge conflict in f",), {}, "git init -qb main . && git config user.email a@example.org && git config user.name A && echo 1 > f && git add f && git commit -qm a && git checkout -qb other && echo 2 > f && git commit -qam b && git checkout -q main && echo 3 > f && git commit -qam c && git checkout -q other"),
    Case("git-pull-no-remote", "git pull", "command", True, ("no tracking information",), {}, COMMITS.format(n=1)),
    Case("tar-missing", "tar czf x.tgz nowhere", "command", True, ("nowhere: Cannot stat",)),
    Case("find-permission", "find /proc/1/fd /etc/hostname -maxdepth 1 -name 'h*'; ls /nowhere", "command", True, ("/nowhere",)),
    Case("npm-install-404", "npm install --no-audit left-padzzz-nowhere", "command", True, ("left-padzzz-nowhere",), {"package.json": '{"name": "x"}'}),
    Case("node-reject", "node app.mjs", "command", True, ("quota exceeded",), {"app.mjs": "for (let n = 0; n < 120; n++) console.log(JSON.stringify({n, ok: true}));\nawait Promise.reject(new Error('quota exceeded'));\n"}),
    Case("perl-warn-die", "perl job.pl", "command", True, ("no ledger at job.pl line 2",), {"job.pl": "for (1..200) { print STDERR \"retry $_\\n\" }\ndie 'no ledger';\n"}),
    Case("c-abort", "gcc a.c -o a 2>/dev/null && ./a", "build", True, ("a.c:3: main: Assertion `x == 2' failed",), {"a.c": "#include <assert.h>\n#include <stdio.h>\nint main(void) { int x = 1; for (int i = 0; i < 90; i++) puts(\"tick\"); fflush(stdout); assert(x == 2); return 0; }\n"}),
    Case("rust-panic-run", "cargo run", "command", True, ("ledger is empty", "src/main.rs"), {"Cargo.toml": CARGO, "src/main.rs": "fn main() { for n in 0..150 { println!(\"row {n}\"); } panic!(\"ledger is empty\"); }\n"}),
    Case("make-recipe-fails-mid", "make all", "build", True, ("gateway refused the lease", "Error 7"), {"Makefile": "all: one two\none:\n\t@for i in $$(seq 120); do echo copied $$i; done\ntwo:\n\t@echo gateway refused the lease; exit 7\n"}),
    Case("cmake-build-error", "cmake --build b -j2", "build", True, ("missing_name",), {"CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(p C)\nadd_executable(check check.c)\n", "check.c": "int main(void) { return missing_name; }\n"}, "cmake -S . -B b"),
    Case("meson-setup-fail", "meson setup b", "build", True, ("nowherelib",), {"meson.build": "project('p', 'c')\ndependency('nowherelib')\n"}),
    Case("pip-wheel-build", "python -m pip wheel --no-deps --no-build-isolation .", "command", True, ("no ledger",), {"setup.py": "raise SystemExit('no ledger')\n"}),
    Case("tsc-many", "npx tsc -p .", "build", True, ("m39.ts(1,7)", "m1.ts(1,7)"), {"tsconfig.json": '{"compilerOptions": {"strict": true, "outDir": "out"}, "include": ["*.ts"]}', **{f"m{n}.ts": "const n: number = 'x';\nexport {};\n" for n in range(80)}}),
    Case("javac-many", "javac -d out A.java", "build", True, ("lost_3", "lost_49"), {"A.java": "class A {\n" + "".join(f"int f{n}() {{ return lost_{n}; }}\n" for n in range(50)) + "}\n"}),
    Case("eslint-json", "npx eslint -f json .", "lint", True, ("no-unused-vars",), {".eslintrc.json": '{"root": true, "rules": {"no-unused-vars": 2}}', "a.js": "var unused = 1;\n"}),
    Case("mypy-clean-tail", "mypy . | tail -1", "lint", False, (), {"a.py": "x: int = 1\n"}),
    Case("pylint-fail", "pylint --disable=all --enable=W p*.py", "lint", True, ("W0611",), PY_LINT),
    Case("mocha-json", "npx mocha --reporter json", "test", True, ("adds 13",), {"test/sum.js": _mocha_suite(21, 13)}),
    Case("mocha-grep-pipe", "npx mocha 2>&1 | grep -E 'passing|failing'", "test", True, ("1 failing",), {"test/sum.js": _mocha_suite(21, 13)}),
    Case("jest-pass-pty", "npx jest", "test", False, ("Tests:       21 passed, 21 total",), {"test/sum.test.js": _mocha_suite(21, -1), "package.json": "{}"}, via="pty"),
    Case("jest-fail-pty", "npx jest", "test", True, ("Tests:       1 failed, 20 passed, 21 total",), {"test/sum.test.js": _mocha_suite(21, 13), "package.json": "{}"}, via="pty"),
    Case("cargo-test-pty", "cargo test", "test", True, ("test result: FAILED. 29 passed; 1 failed",), {"Cargo.toml": CARGO, "src/lib.rs": RUST_TESTS}, via="pty"),
    Case("cargo-build-pty", "cargo build", "build", True, ("cannot find value `lost`",), {"Cargo.toml": CARGO, "src/lib.rs": "pub fn f() -> i32 { lost }\n"}, via="pty"),
    Case("unittest-pass-tail", "python -m unittest -v 2>&1 | tail -3", "test", False, ("Ran 20 tests", "OK"), {"test_u.py": _unittest_suite(20, -1)}),
    Case("pytest-xml-quiet", "pytest -q --junitxml=o.xml >/dev/null 2>&1; cat o.xml", "test", True, ('failures="1"',), SUITE),
    Case("npm-test-silent-fail", "npm --silent test", "test", True, ("1 failing",), {"test/sum.js": _mocha_suite(21, 13), "package.json": '{"scripts": {"test": "mocha"}}'}),
    Case("yarnless-run-all", "sh -c 'npm run lint; npm run unit'", "test", True, ("1 failing",), {"test/sum.js": _mocha_suite(21, 13), "package.json": '{"scripts": {"lint": "echo linted", "unit": "mocha"}}'}),
    Case("script-tests-ignored-exit", "./ci.sh", "test", False, ("1 failed",), {**SUITE, "ci.sh": "#!/bin/sh\npytest -q\nexit 0\n"}),
    Case("own-tap-script", "./conformance.zsh", "test", True, ("not ok 17",), {"conformance.zsh": "#!/bin/sh\necho 1..30\nfor i in $(seq 30); do if [ $i = 17 ]; then echo not ok $i - vault; else echo ok $i - case; fi; done\nexit 1\n"}, "chmod +x conformance.zsh"),
    Case("health-report-ok", "./health.sh", "command", False, ("Timeout:   30",), {"health.sh": "#!/bin/sh\nfor i in $(seq 12); do echo \"ok $i service-$i\"; done\necho 'Timeout:   30'\necho '  Total:     2'\n"}),
    Case("deploy-report-3-failed", "./deploy.sh", "command", True, ("3 failed",), {"deploy.sh": "#!/bin/sh\nfor i in $(seq 80); do echo \"host-$i done\"; done\necho '77 done, 3 failed'\nexit 1\n"}),
    Case("cat-yaml-260", "cat values.yaml", "file_read", False, ("key_130:",), {"values.yaml": "".join(f"key_{n}: {n}\n" for n in range(260))}),
    Case("cat-head-pipe-300", "cat app.py | head -300", "file_read", False, ("line_150 =",), {"app.py": "".join(f"line_{n} = {n}\n" for n in range(700))}),
    Case("git-diff-big", "git diff", "command", False, ("+line 40",), {}, COMMITS.format(n=1) + "; seq -f 'line %g' 400 > f1.txt"),
    Case("git-status-many", "git status --short", "listing", False, ("?? new_200.txt",), {}, COMMITS.format(n=1) + "; touch $(seq -f 'new_%g.txt' 300)"),
    Case("help-long", "git help -a", "command", False, ("Main Porcelain Commands",)),
    Case("seq-40", "seq 40", "command", False, ("1\n2\n", "20\n", "40")),
    Case("stderr-warn-ok", "bash sync.sh", "command", False, ("disk almost full on /srv/9",), {"sync.sh": "for i in $(seq 200); do echo chunk $i; [ $i = 99 ] && echo 'warning: disk almost full on /srv/9' >&2; done; exit 0\n"}),
    Case("second-of-two-fails", "python a.py | python b.py", "command", True, ("ValueError: bad row 7",), {"a.py": "for n in range(50): print(n)\n", "b.py": "import sys\nfor line in sys.stdin:\n    if int(line) == 7: raise ValueError('bad row 7')\n"}),
    Case("http-server-fails", "python -m http.server notaport", "dev_server", True, ("invalid int value",)),
)  # fmt: skip

LAST: tuple[Case, ...] = (
    Case("bash-x-fail", "bash -x migrate.sh", "command", True, ("cp: cannot stat 'plan.sql'",), {"migrate.sh": "set -e\nfor i in $(seq 70); do echo step $i; done\ncp plan.sql /tmp/\necho done\n"}),
    Case("sql-script-mid", "sqlite3 x.db < all.sql", "command", True, ("no such table: ledger",), {"all.sql": "create table t(a);\n" + "".join(f"insert into t values({n}); select 'row {n}';\n" for n in range(120)) + "insert into ledger values(1);\n" + "".join(f"select 'more {n}';\n" for n in range(120))}),
    Case("tar-corrupt", "tar xvzf a.tgz", "command", True, ("stdin: unexpected end of file",), {}, "mkdir d && touch $(seq -f 'd/f%g' 300) && tar czf all.tgz d && head -c 1200 all.tgz > a.tgz"),
    Case("ld-undefined-many", "gcc a.c -o app", "build", True, ("undefined reference to `lost_0'", "undefined reference to `lost_59'"), {"a.c": "".join(f"int lost_{n}(void);\n" for n in range(60)) + "int main(void) { return 0" + "".join(f" + lost_{n}()" for n in range(60)) + "; }\n"}),
    Case("java-suppressed", "java App.java", "command", True, ("Caused by: java.lang.IllegalStateException: plan not loaded", "Suppressed: java.lang.RuntimeException: close failed"), {"App.java": "class App { public static void main(String[] a) throws Exception { for (int n = 0; n < 400; n++) System.out.println(\"warming cache \" + n); Exception e = new Exception(\"start failed\", new IllegalStateException(\"plan not loaded\")); e.addSuppressed(new RuntimeException(\"close failed\")); throw e; } }\n"}),
    Case("curl-verbose-refused", "curl -v https://127.0.0.1:9/x", "command", True, ("Failed to connect to 127.0.0.1 port 9",)),
    Case("xargs-one-fails", "seq 200 | xargs -n1 bash -c 'echo checking $0; [ $0 != 77 ] || { echo vault 77 is empty; exit 9; }'", "command", True, ("vault 77 is empty",)),
    Case("tox-two-envs", "tox -q", "test", True, ("row count of batch 17",), {**SUITE, "tox.ini": "[tox]\nskipsdist = true\nenvlist = a, b\n[testenv]\nskip_install = true\nallowlist_externals = pytest\n  echo\ncommands = a: echo fine\n  b: pytest -q -p no:cacheprovider\n"}),
    Case("git-bisect-run", "git bisect run sh -c 'test $(cat n) -lt 9'", "command", False, ("is the first bad commit",), {}, "git init -q . && git config user.email a@example.org && git config user.name A && for n in $(seq 16); do echo $n > n; git add n; git commit -qm c$n; done && git bisect start HEAD HEAD~15"),
    Case("parallel-logs-one-dead", "bash fleet.sh", "command", True, ("node-31 heartbeat missed 5 times",), {"fleet.sh": "for i in $(seq 60); do echo \"[node-$i] boot ok\"; echo \"[node-$i] heartbeat 0 missed\"; [ $i = 31 ] && echo \"[node-31] node-31 heartbeat missed 5 times\"; done; exit 1\n"}),
    Case("table-one-bad-row", "python report.py", "command", True, ("| vault-44   |  FAULTY |",), {"report.py": "for n in range(120): print(f'| vault-{n:<4} | {\" FAULTY\" if n == 44 else \"healthy\"} |')\nraise SystemExit(2)\n"}),
    Case("yaml-dump-ok", "python -c \"[print(f'key_{n}: value') for n in range(150)]\"", "command", False, ("key_149: value",)),
    Case("npm-audit-like", "npm pkg get", "command", False, ('"name": "x"',), {"package.json": '{"name": "x"}'}),
    Case("ctest-many-pass", "ctest --test-dir b", "test", False, ("100% tests passed, 0 tests failed out of 11",), {"CMakeLists.txt": CTEST.replace("add_test(NAME case_7 COMMAND check 7)\n", ""), "check.c": CHECK_C}, "cmake -S . -B b && cmake --build b"),
    Case("node-test-spec-pass", "node --test --test-reporter=spec", "test", False, ("ℹ pass 40",), {"a.test.js": "const {test} = require('node:test');\nfor (let n = 0; n < 40; n++) test('case ' + n, () => {});\n"}),
    Case("ava-pass", "npx ava", "test", False, ("12 tests passed",), {"package.json": "{}", "test.js": "const test = require('ava');\nfor (let n = 0; n < 12; n++) test('case ' + n, t => t.pass());\n"}),
    Case("tape-pass", "npx tape test/*.js", "test", False, ("# pass  30",), {"test/a.js": "const t = require('tape');\nt('sum', a => { for (let n = 0; n < 30; n++) a.equal(n, n); a.end(); });\n"}),
    Case("behave-pass", "behave", "test", False, ("1 feature passed, 0 failed",), {"features/a.feature": "Feature: vault\n  Scenario: open\n    Given a vault\n", "features/steps/s.py": "from behave import given\n@given('a vault')\ndef g(c): pass\n"}),
    Case("robot-pass", "robot suite.robot", "test", False, ("2 tests, 2 passed, 0 failed",), {"suite.robot": "*** Test Cases ***\nOne\n    Log    hello\nTwo\n    Log    hello\n"}),
    Case("cargo-test-doc-pass", "cargo test -q", "test", False, ("test result: ok. 29 passed",), {"Cargo.toml": CARGO, "src/lib.rs": RUST_TESTS.replace("assert_eq!(9 + 1, 11)", "assert_eq!(9 + 1, 10)").replace("#[test] fn adds_29() { assert_eq!(29 + 1, 30); }", "")}),
    Case("pytest-benchmarkish", "pytest -q --durations=5", "test", False, ("40 passed",), GREEN),
    Case("meson-pass", "meson test -C b", "test", False, ("Ok:                3",), {"meson.build": "project('p', 'c')\ne = executable('check', 'check.c')\nforeach n : ['1', '2', '9']\n test('case ' + n, e, args: [n])\nendforeach\n", "check.c": CHECK_C}, "meson setup b"),
    Case("make-verbose-recursive-fail", "make -w -C top", "build", True, ("widget.c:1:", "missing_piece"), {"top/Makefile": "all:\n\tfor d in a b c; do $(MAKE) -C $$d || exit 1; done\n", **{f"top/{d}/Makefile": "all: $(patsubst %,x%.o,$(shell seq 30))" + (" widget.o" if d == "b" else "") + "\n" for d in "abc"}, **{f"top/{d}/x{n}.c": f"int x{n};\n" for d in "abc" for n in range(1, 31)}, "top/b/widget.c": "int f(void) { return missing_piece; }\n"}),
    Case("pip-resolve-conflict", "pip install --dry-run 'six==1.16.0' 'six==1.15.0'", "command", True, ("conflicting",)),
    Case("ruff-statistics", "ruff check --statistics .", "lint", True, ("F401",), PY_LINT),
    Case("isort-check", "isort --check-only .", "lint", True, ("Imports are incorrectly sorted",), {"a.py": "import sys\nimport os\n"}),
    Case("bandit-ok", "bandit -q a.py", "lint", False, (), {"a.py": "x = 1\n"}),
    Case("find-errors-hidden", "find /proc/1 -name 'x*' | head -3", "command", False, (), {}),
    Case("du-many", "du -a d", "command", False, ("d/f300",), {}, "mkdir d && touch $(seq -f 'd/f%g' 300)"),
    Case("git-grep-many", "git grep -n line", "command", False, ("f.txt:400:line 400",), {}, "git init -q . && seq -f 'line %g' 400 > f.txt && git add f.txt"),
)  # fmt: skip

CASES = CASES + LATER + LAST
