"""What a script reads from its standard input, in each of its runs (REH-1)."""

from __future__ import annotations

import os
from pathlib import Path

from zsh_ls.rehearsal.answers import MOST_BYTES, Answers


def read_all(descriptor: int) -> bytes:
    with os.fdopen(descriptor, "rb") as file:
        return file.read()


def test_each_run_gets_all_of_it_from_the_beginning() -> None:
    ours, theirs = os.pipe()
    answers = Answers(ours)
    first = answers.pipe()
    os.write(theirs, b"yes\n")
    second = answers.pipe()
    os.write(theirs, b"no\n")
    os.close(theirs)
    assert read_all(first) == read_all(second) == read_all(answers.pipe()) == b"yes\nno\n"
    os.close(ours)


def test_what_never_ends_ends_at_the_limit() -> None:
    with open("/dev/zero", "rb") as zeros:
        assert len(read_all(Answers(zeros.fileno()).pipe())) >= MOST_BYTES


def test_what_cannot_be_read_is_empty(tmp_path: Path) -> None:
    folder = os.open(tmp_path, os.O_RDONLY)
    assert read_all(Answers(folder).pipe()) == b""
    os.close(folder)
