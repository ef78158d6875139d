"""What a shell itself says is wrong in a start (START-1)."""

from __future__ import annotations

import pytest

from zsh_ls.model.startup import StartError
from zsh_ls.startup.errors import errors_of
from zsh_ls.startup.profile import Place, Profile, Row


def profile(kind: str, rows: tuple[Row, ...] = (), **begins: Place) -> Profile:
    return Profile((kind,), 0.1, 0, rows, (), (), frozenset(), None, (), begins)


def row(line: int, text: str) -> Row:
    place = Place("/home/me/.bashrc", line)
    return Row(place, 0.001, 0.001, 1, 1, 1, line, (text,), frozenset(), (), "bash")


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("/rc:6: parse error near `\\n'", StartError("/rc", 6, "parse error near `\\n'", "zsh")),
        (
            "\x1b[1mgot:2: command not found: x\x1b[0m",
            StartError("/a", 42, "command not found: x", "zsh"),
        ),
        (
            "/rc:source:2: no such file or directory: /b:c",
            StartError("/rc", 2, "source: no such file or directory: /b:c", "zsh"),
        ),
        ("/rc: nothing is told of a line", None),
        ("other:3: a function that was not traced", None),
        ("/gone:3: a file that is not there", None),
        ("/rc:0: no line of a file has that number", None),
        ("12:30: lunch", None),
    ],
)
def test_what_zsh_says_is_told_at_its_file_and_line(written: str, told: StartError | None) -> None:
    output = f"hello\r\n{written}\r\n{written}\r\n".encode()
    found = errors_of(output, profile("zsh", got=Place("/a", 40)), lambda it: it == "/rc")
    assert found == (() if told is None else (told,))


def test_what_bash_says_of_a_word_is_told_where_that_was_traced() -> None:
    output = b"bash: nope: command not found\r\nbash: other: command not found\r\n"
    found = errors_of(output, profile("bash", (row(7, "ls"), row(9, "nope -a"))), lambda _: True)
    assert found == (StartError("/home/me/.bashrc", 9, "nope: command not found", "bash"),)


def test_what_bash_says_of_a_file_is_told_where_that_was_read() -> None:
    """oh-my-bash looks for a file of completions, which a later line of the .bashrc reads unasked."""
    output = b"bash: /a/file: No such file or directory\r\nbash: tool: command not found\r\n"
    rows = (
        row(3, "[[ -f /a/file ]]"),
        row(5, "echo tool"),
        row(7, ". /a/file"),
        row(9, "command tool"),
    )
    found = errors_of(output, profile("bash", rows), lambda _: True)
    assert [it.line for it in found] == [7, 9]
    told_by_none = errors_of(output, profile("bash", rows[:2]), lambda _: True)
    assert [it.line for it in told_by_none] == [3, 5]
