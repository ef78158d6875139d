"""What is news of a command: the failure that its exit hides; nothing where none is hidden (HOOK-1)."""

from __future__ import annotations

import pytest

from zsh_ls.hooks.news import news_of
from zsh_ls.model.agent_run import AgentRun


# HOOK-1
@pytest.mark.parametrize(
    ("command", "output", "begins"),
    [
        (
            "cd x && make 2>&1 | tail -3",
            "make: *** [all] Error 2",
            "Exit 0 hides a failure of `make",
        ),
        ("git push 2>&1 | tail -3", "fatal: no remote", "Exit 0 hides a failure of `git push"),
        (
            "cat nope | wc -l",
            "cat: nope: No such file or directory\n0",
            "Exit 0 hides a failure of `cat",
        ),
        ("gti st | head", "bash: line 1: gti: command not found", "Exit 0 hides a failure of `gti"),
        (
            "x=$(git rev-parse HEAD); echo $x",
            "fatal: not a git repository",
            "Exit 0 hides a failure",
        ),
        (
            "python x.py; echo ok",
            "Traceback\nValueError: bad\nok",
            "Exit 0 hides a failure of `python",
        ),
        (
            "node x.js || true",
            "Error: Cannot find module '/work/x.js'\n    at Module._load",
            "Exit 0 hides a failure of `node",
        ),
        (
            "node --test a.js --test-reporter=spec 2>&1 | head",
            "Could not find '/work/--test-reporter=spec'",
            "Exit 0 hides a failure of `node",
        ),
        (
            "npm run lint; echo done",
            "> eslint .\n\nOops! Something went wrong! :(\n\ndone",
            "Exit 0 hides a failure of `npm run lint",
        ),
        (
            "make -C lib all || true",
            "make: *** No rule to make target 'all'.  Stop.",
            "Exit 0 hides a failure of `make",
        ),
        (
            "apt-get install -y shelf 2>&1 | tail -1",
            "E: Unable to locate package shelf",
            "Exit 0 hides a failure of `apt-get",
        ),
        ("tar -Q | head", "tar: illegal option -- Q", "Exit 0 hides a failure of `tar"),
        ("ninja | tail -1", "ninja: build stopped.", "Exit 0 hides a failure of `ninja"),
        (
            "npx mocha test 2>&1 | tail -3",
            "      at emitCloseNT (node:net:2344:8)\n      at run (node:internal/queues:81:21)\n\n",
            "Exit 0 hides a failure of `npx mocha test",
        ),
        (
            "node --test 2>&1 | tail -3",
            "# pass 400\n# fail 1\n# cancelled 0",
            "Exit 0 hides a failure of `node --test",
        ),
        *(
            (f"{command}; rm -f out.log", output, f"Exit 0 hides a failure of `{command}")
            for command, output in (
                (
                    "npm run lint",
                    "/a.js\n  3:8  error  Parsing error\n\n✖ 1 problem (1 error, 0 warnings)\n",
                ),
                ("ruff check .", "F401 unused\n --> a.py:1:8\nFound 1 error.\n"),
                ("mypy .", "a.py: note\nFound 2 errors in 1 file (checked 3 source files)\n"),
                ("pyright", "3 errors, 0 warnings, 0 informations\n"),
                ("rubocop", "a.rb:1:1: C: x\n\n3 files inspected, 1 offense detected\n"),
                (
                    "npx prettier --check .",
                    "[warn] a.js\n[warn] Code style issues found in 2 files.\n",
                ),
                ("black --check .", "would reformat a.py\n1 file would be reformatted.\n"),
                ("python3 -m pytest", "/usr/bin/python3: No module named pytest\n"),
            )
        ),
    ],
)
def test_a_failure_that_exit_0_hides_is_told(command: str, output: str, begins: str) -> None:
    (line,) = news_of(AgentRun(command, "/", output, exit=0))
    assert line.startswith(begins)


# HOOK-1
@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("cat build.log | tail -3", "make: *** [all] Error 2"),
        ("grep -rn error: src | head", "src/a.c:3: error: x"),
        ("git log --oneline | head -3", "abc fatal: error in parser"),
        ("make 2>&1 | tail -3", "cc -c error_handling.c\n0 errors, 0 warnings"),
        ("set -o pipefail; make | tail -3", "0 errors"),
        ("if grep -q x f; then echo y; fi", "grep: f: No such file or directory"),
        ("make || echo 'make failed'; echo on", "on"),
        ("node report.js | tail -3", "      at emitCloseNT (node:net:2344:8)"),
        ("diff a b", ""),
        ("ls", "a\nb"),
        ("cat test.log", "FAILED tests/test_a.py::test_0 - assert 0\n1 failed in 0.1s"),
        ("unfinished ' quote", "error: x"),
        ("node --test 2>&1 | tail -3", "# pass 400\n# fail 0\n# cancelled 0"),
        ("npx eslint .; rm -f x", "\n✖ 2 problems (0 errors, 2 warnings)\n"),
        ("ruff check --exit-zero .; rm -f x", "Found 3 errors.\n"),
        ("black --check .; rm -f x", "9 files would be left unchanged.\n"),
    ],
)
def test_where_nothing_is_hidden_nothing_is_said(command: str, output: str) -> None:
    assert news_of(AgentRun(command, "/", output, exit=0)) == ()


# HOOK-1
def test_tests_that_failed_although_the_exit_is_0_are_named() -> None:
    output = "FAILED tests/test_a.py::test_0 - assert 0\n1 failed in 0.1s\n"
    line = "for d in a b; do (cd $d && pytest -q); done"
    (told,) = news_of(AgentRun(line, "/", output, exit=0))
    assert told == "Exit 0, but 1 test failed: tests/test_a.py::test_0."


# HOOK-1
def test_many_failed_tests_are_counted_and_the_first_named() -> None:
    output = "".join(f"FAILED tests/test_a.py::test_{it} - assert 0\n" for it in range(9))
    (line,) = news_of(AgentRun("pytest", "/", f"{output}9 failed in 0.1s\n", exit=1))
    assert line.startswith("9 tests failed: tests/test_a.py::test_0, ")
    assert line.endswith("tests/test_a.py::test_4 and 4 more.")


# HOOK-1
def test_the_limit_of_timeout_is_told_and_an_exit_of_124_alone_is_not() -> None:
    (line,) = news_of(AgentRun("timeout 60 npm test", "/", "ok 1", exit=124))
    assert line == "exit 124 = `timeout` stopped it at its limit"
    assert news_of(AgentRun("./run", "/", "ok 1", exit=124)) == ()


# HOOK-1
@pytest.mark.parametrize(
    ("command", "status", "says"),
    [
        ("curl -sf http://127.0.0.1:1/", 7, "curl exit 7 = no connection to the host"),
        ("for n in 1 2; do curl -sf http://a/; done", 7, "curl exit 7 = no connection to the host"),
        ("make -q || curl -s http://a/", 28, "curl exit 28 = the time limit was reached"),
    ],
)
def test_an_exit_without_a_word_is_told_as_its_program_means_it(
    command: str, status: int, says: str
) -> None:
    assert news_of(AgentRun(command, "/", " \n", exit=status)) == (says,)
    assert news_of(AgentRun(command, "/", "an error: it says why", exit=status)) == ()


# HOOK-1
def test_an_exit_is_told_where_only_other_commands_of_the_line_printed_something() -> None:
    line = "curl -s http://a/ | head -3; curl -sf http://a/nope"
    [said] = news_of(AgentRun(line, "/", "<html>\n<head>\n", exit=22))
    assert said.startswith("curl exit 22 = ")
    assert (
        news_of(AgentRun(line, "/", "curl: (22) The requested URL returned error: 404\n", 22)) == ()
    )


# HOOK-1
@pytest.mark.parametrize(
    ("command", "status"),
    [("python3 a.py", 1), ("./curl.sh", 7), ("curl -sf a || exit 7", 7), ("frob", 3)],
)
def test_an_exit_that_no_manual_explains_is_not_told(command: str, status: int) -> None:
    assert news_of(AgentRun(command, "/", "", exit=status)) == ()
