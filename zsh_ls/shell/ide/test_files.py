"""Files of tests that no shell runs: those of bats, zunit and shellspec, whole or one test of them."""

from __future__ import annotations

import shlex
from bisect import bisect_right
from typing import Literal

from zsh_ls.lazy import re
from zsh_ls.model.span import Span
from zsh_ls.shell.syntax.dialect import interpreter_of, is_preprocessed

Runner = Literal["bats", "zunit", "shellspec"]

_SPEC = re.compile(r"_spec\.(?:sh|bash|zsh|ksh)\Z")
_GROUP = re.compile(
    r"^\s*[xf]?(?:Describe|Context|ExampleGroup|It|Specify|Example)\b", re.MULTILINE
)
_TEST = re.compile(r"^[ \t]*@test[ \t]+(\S.*?)[ \t]+\{[ \t]*$", re.MULTILINE)
_SIGN_OF_PATTERN = re.compile(r"[\\^$.|?*+()\[\]{}]")


def runner_of(text: str, name: str) -> Runner | None:
    """What runs the tests of a text whose file has this name or URI; None where it is no file of tests."""
    if _SPEC.search(name):
        return "shellspec" if _GROUP.search(text) else None
    if not is_preprocessed(text, name):
        return None
    interpreter = interpreter_of(text)
    is_zunit = name.endswith(".zunit") or (interpreter is not None and interpreter.name == "zunit")
    return "zunit" if is_zunit else "bats"


def command_of(runner: Runner, path: str) -> str:
    """The command that runs all tests of a file."""
    return f"{runner} {shlex.quote(path)}"


def test_at(runner: Runner, path: str, text: str, offset: int) -> tuple[Span, str] | None:
    """The line that begins the test around a place, and the command that runs it; None between tests."""
    if runner == "shellspec":
        line = text.count("\n", 0, offset) + 1
        start = text.rfind("\n", 0, offset) + 1
        end = text.find("\n", offset)
        whole = Span(start, len(text) if end < 0 else end)
        first = _GROUP.search(text)
        if first is None or first.start() > whole.end:
            return None
        return whole, f"shellspec {shlex.quote(f'{path}:{line}')}"
    tests = list(_TEST.finditer(text))
    line_end = text.find("\n", offset)
    at = bisect_right(tests, len(text) if line_end < 0 else line_end, key=lambda it: it.start()) - 1
    if at < 0:
        return None
    closed = text.find("\n}", tests[at].end())
    if 0 <= closed < offset - len("\n}"):
        return None
    name = _unquoted(tests[at][1])
    if runner == "zunit":
        command = f"zunit {shlex.quote(f'{path}@{name}')}"
    else:
        pattern = _SIGN_OF_PATTERN.sub(r"\\\g<0>", name)
        command = f"bats --filter {shlex.quote(f'^{pattern}$')} {shlex.quote(path)}"
    return Span(tests[at].start(), tests[at].end()), command


def _unquoted(written: str) -> str:
    """A name as the runner has it: what is escaped in double quotes is the sign itself."""
    if len(written) > 1 and written[0] == written[-1] and written[0] in "'\"":
        inner = written[1:-1]
        return re.sub(r'\\([$`"\\])', r"\1", inner) if written[0] == '"' else inner
    return written
