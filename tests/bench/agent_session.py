"""A session of an agent: thirty commands, and what must be found in each. Written before any tuning.

A needle is a regular expression that what the agent was shown must match. `waits` are commands
that want an input, `hangs` such that never end; `expected_s` is about how long a command takes.
"""

from __future__ import annotations

from typing import NamedTuple


class Step(NamedTuple):
    """A command, what must be found, and what kind of command it is."""

    command: str
    needle: str
    expected_s: float = 0.0
    waits: bool = False
    hangs: bool = False


_FILES = 'for i in {1..40}; do echo "def f$i(): return $i" > m$i.py; done'
_TESTS = (
    'for i in {1..120}; do echo "tests/test_a.py::test_$i PASSED [ $((i * 100 / 120))%]"; done;'
)
_FAILED_TEST = (
    "print '=================== FAILURES ==================='; print '____ test_total ____';"
    ' for i in {1..60}; do print "    line $i of the traceback"; done;'
    " print 'E       assert 41 == 42'; print 'tests/test_a.py:17: AssertionError';"
    " print 'FAILED tests/test_a.py::test_total - assert 41 == 42'; print '1 failed, 120 passed in 3.21s'"
)
_LOG = 'for i in {1..4000}; do echo "2026-11-20 10:00:$((i % 60)) INFO request $i served"; done'

SESSION = (
    Step("git init -q . && git status", "No commits yet|nothing to commit"),
    Step(_FILES, "(?s).*"),
    Step("ls", "m17.py"),
    Step("cat m7.py", "return 7"),
    Step("grep -rn 'return 39' .", "m39.py"),
    Step("grep -rn 'no such thing' .", "no match|exit=1|status 1"),
    Step("sleep 3; true", "exit=0|exit status 0|COMPLETED", 3),
    Step(f"pytest() {{ {_TESTS} print '120 passed in 3.20s' }}; sleep 2; pytest", "120 passed", 2),
    Step(
        f"pytest() {{ {_TESTS} {_FAILED_TEST}; return 1 }}; sleep 2; pytest", "assert 41 == 42", 2
    ),
    Step(
        f"pytest() {{ {_TESTS} {_FAILED_TEST}; return 1 }}; pytest | tail -2", r"1 failed|\[1,0\]"
    ),
    Step(
        'for i in {1..300}; do echo "[$i/300] Building C object a$i.o"; sleep 0.01; done',
        "300/300",
        3,
    ),
    Step(
        'for i in {1..200}; do echo "[$i/300] Building C object a$i.o"; done;'
        " echo \"a201.c:7:5: error: unknown type name 'in'\" >&2; echo 'ninja: build stopped'; exit 1",
        "unknown type name",
    ),
    Step("make 2>&1 | tee build.log", r"No targets|\[2,0\]|masked"),
    Step(
        'for i in {1..25}; do echo "Collecting package$i"; sleep 0.1; done; echo Successfully installed',
        "Successfully",
        2.5,
    ),
    Step(
        "npm() { sleep 4; print 'added 312 packages in 4s' }; npm install", "added 312 packages", 4
    ),
    Step(
        "read -q 'x?Overwrite config? [y/N] '; print; print answered $x", "answered y", waits=True
    ),
    Step("python3 -c \"input('Name: ')\"", "Name|[Ww]aiting for input|EOF", waits=True),
    Step("cat", "exit=0|COMPLETED|exit status 0"),
    Step("sleep 1000", "TIMEOUT|KILLED|timed out", hangs=True),
    Step(_LOG, "request 4000 served"),
    Step(f"{_LOG}; echo 'ERROR worker 7 died'; {_LOG}", "worker 7 died"),
    Step("git diff --stat", "(?s).*"),
    Step(
        "git add -A && git -c user.name=a -c user.email=a@b commit -qm first && git log --oneline",
        "first",
    ),
    Step("ls /nowhere | wc -l", r"No such file|\[2,0\]"),
    Step("false | true", r"\[1,0\]|masked"),
    Step(
        "curl() { print 'curl: (7) Failed to connect to localhost port 9' >&2; return 7 };"
        " curl localhost:9",
        "Failed to connect",
    ),
    Step("nosuchcommand --help", "not found"),
    Step("diff m1.py m2.py", "return 2"),
    Step(
        "sleep 2; echo 'Traceback (most recent call last):' >&2; echo 'ValueError: bad input' >&2; exit 1",
        "ValueError",
        2,
    ),
    Step("wc -l *.py | tail -1", "40 total"),
)
