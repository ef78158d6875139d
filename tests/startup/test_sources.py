"""What the text of a start-up file tells of a line (START-1)."""

from __future__ import annotations

import pytest

from zsh_ls.startup.sources import Sources

TEXT = """\
value="a $(one) b
c $(two)"
called() {
  local word
  if [[ $word == a ]]; then
    run 1
  fi
  run 1; run 2
  run 1
}
"""


@pytest.mark.parametrize("path", ["/proc/self/fd/15", "/dev/fd/63", "/dev/stdin", "/tmp/zshXk2a1B"])
def test_what_a_pipe_held_is_looked_up_nowhere(path: str) -> None:
    asked: list[str] = []
    assert Sources("zsh", lambda it: asked.append(it) or TEXT).of(path) is None
    assert asked == []


def test_a_command_over_several_lines_is_known_by_its_first_word() -> None:
    file = Sources("bash", lambda _: TEXT).of("/home/me/.bashrc")
    assert file is not None
    assert file.first_line(2) == 2, "the innermost is that of the substitution"
    assert file.first_line(2, "value=") == 1
    assert file.first_line(2, "other=") == 2


def test_a_command_whose_line_is_not_told_is_found_by_its_text() -> None:
    file = Sources("zsh", lambda _: TEXT).of("/home/me/.zshrc")
    assert file is not None
    assert file.line_of('if [[ "$word" = a ]]\nthen\n\trun 1\nfi', 3, 0) == 5
    assert [file.line_of("run 1", 3, after) for after in (0, 6, 8, 9)] == [6, 8, 9, 6]
    assert file.line_of("run 2", 3, 0) == 8
    assert file.line_of("%%", 3, 0) == 3, "none is like it: where the function is defined"


def test_a_command_is_found_in_the_statement_that_ends_before_a_line() -> None:
    """zsh tells that line of a file that `emulate sh -c 'source FILE'` reads, or the last one of a file."""
    file = Sources("zsh", lambda _: "run 1\nrun 1\nif x; then\n  run 1\n  run 1\nfi\n\nrun 1").of(
        "/a"
    )
    assert file is not None
    assert [file.line_before("run 1", *told) for told in ((2, 0), (3, 1))] == [1, 2]
    assert [file.line_before("run 1", 7, after) for after in (2, 4)] == [4, 5]
    assert file.line_before("run 1", 8, 5) == 8
    assert file.line_before("sleep 1", 7, 4) == 4, "of an eval that ran there"
    assert file.line_before("sleep 1", 7, 2) == 3
