"""A command without any sign is read by a pattern of its own, with the result of the grammar."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.shell.syntax.parser.commands import RESERVED

WORDS = st.sampled_from(
    sorted(
        {word for words in RESERVED.values() for word in words}
        | {"true", "ls", "-l", ".", "1", "%1", "a:b", "a@b", "+x", "time", "coproc", "-", "a,b"}
    )
) | st.text("abF09_./@%:,+-", min_size=1, max_size=5)


# CLI-26
@given(
    st.lists(WORDS, min_size=1, max_size=4).map(" ".join),
    st.sampled_from([Dialect.ZSH, Dialect.BASH]),
)
@example("function", Dialect.ZSH)
@example("repeat 3", Dialect.ZSH)
@example("true", Dialect.BASH)
def test_it_is_read_as_the_same_line_with_an_end(text: str, dialect: Dialect) -> None:
    bare, with_end = parse(text, dialect), parse(f"{text}\n", dialect)
    assert bare.pipelines == with_end.pipelines
    assert [it.message for it in bare.problems] == [it.message for it in with_end.problems]


# CLI-26
@pytest.mark.parametrize("command", ["true", "make test", "git push origin main"])
def test_no_large_pattern_is_compiled_for_it(command: str) -> None:
    text = (
        "import re\n"
        "compiled = []\n"
        "whole = re._compiler.compile\n"
        "def compile(pattern, flags=0):\n"
        "    compiled.append(pattern)\n"
        "    return whole(pattern, flags)\n"
        "re._compiler.compile = compile\n"
        "from zsh_ls.shell.template.identity import identify\n"
        "before = len(compiled)\n"
        f"identify({command!r})\n"
        "print(max(map(len, compiled[before:])))\n"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 200
