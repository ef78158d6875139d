"""Outline, folds, selection ranges and semantic tokens, of small scripts and of any text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.ide.folding import Fold, folds, within_limit
from zsh_ls.shell.ide.selection_range import selections
from zsh_ls.shell.ide.semantic_tokens import Around, Sort, tokens
from zsh_ls.shell.symbols.collect import names_of
from zsh_ls.shell.symbols.outline import OutlineItem, outline
from zsh_ls.shell.symbols.symbols import Names
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.shell.syntax.parser import parse

from .hostile import TOKENS


def read(text: str, dialect: Dialect = Dialect.ZSH) -> Names:
    return names_of(parse(text, dialect))


def tree(items: tuple[OutlineItem, ...] | list[OutlineItem]) -> list[object]:
    return [(it.name, tree(it.children)) if it.children else it.name for it in items]


def folded(text: str) -> list[tuple[int, int, str]]:
    return [(*fold,) for fold in folds(parse(text), LineIndex(text))]


def test_functions_hold_what_is_defined_within_them() -> None:
    text = (
        "a=1\nf() {\n g() { alias x=y; z=1 }\n local b\n}\nfunction h i { }\na=2 c=3\nalias ll=ls\n"
    )
    assert tree(outline(read(text))) == ["a", ("f", [("g", ["x"])]), "h", "i", "c", "ll"]


def test_folds_leave_their_first_line_and_a_closing_word() -> None:
    text = """\
f() {
  if a; then
    b
  elif c; then
    d
  else
    e
  fi
  while x; do
    y; done
}
{ a
  b }
cat <<E
1
2
E
x=(
  1
)
one line; f() { a }
"""
    assert folded(text) == [
        (0, 9, ""),
        (1, 2, ""),
        (3, 4, ""),
        (5, 6, ""),
        (8, 9, ""),
        (11, 12, ""),
        (13, 15, ""),
        (17, 18, ""),
    ]


def test_comments_fold_as_blocks_and_regions() -> None:
    text = (
        "# one\n# two\n\n# alone\na # no\n# no\n#region R\na\n# region\nb\n#endregion\n#endregion\n"
    )
    assert folded(text) == [(0, 1, "comment"), (6, 11, "region"), (8, 10, "region")]


def test_of_too_many_folds_the_longest_stay() -> None:
    found = [Fold(0, 9), Fold(1, 2), Fold(3, 8)]
    assert within_limit(found, 2) == [Fold(0, 9), Fold(3, 8)]
    assert within_limit(found, 0) == []


def test_a_selection_grows_from_the_name_to_the_file() -> None:
    text = 'f() {\n  a && print "x $(ls -l y)" | cat\n  b\n}\n'
    at = text.index("-l") + 1
    assert [text[slice(*span)] for span in selections(parse(text), at)] == [
        "l",
        "-l",
        "ls -l y",
        "$(ls -l y)",
        "x $(ls -l y)",
        '"x $(ls -l y)"',
        'print "x $(ls -l y)"',
        'print "x $(ls -l y)" | cat',
        'a && print "x $(ls -l y)" | cat',
        'a && print "x $(ls -l y)" | cat\n  b',
        text.rstrip(),
        text,
    ]


def test_a_selection_in_a_heredoc_knows_its_body() -> None:
    text = "cat <<E\nsome words\nE\n"
    found = [text[slice(*span)] for span in selections(parse(text), 9)]
    assert found == ["some", "some words\n", "some words\nE", text]


AROUND = Around(frozenset({"ls", "git"}), frozenset({"theirs"}), is_complete=True)


def sorts(text: str, around: Around = AROUND, dialect: Dialect = Dialect.ZSH) -> dict[str, Sort]:
    names = read(text, dialect)
    return {names.script.source(it.span): it.sort for it in tokens(names, around)}


def test_a_command_is_what_the_shell_would_run() -> None:
    found = sorts("#!/bin/zsh\nls() { git }\nls; theirs; cd; nothing; ./own; alias a=b; a\n")
    assert found == {
        "ls": Sort.FUNCTION,
        "git": Sort.PROGRAM,
        "theirs": Sort.FUNCTION,
        "cd": Sort.BUILTIN,
        "nothing": Sort.MISSING,
        "alias": Sort.BUILTIN,
        "a": Sort.ALIAS,
    }


def test_nothing_is_called_missing_that_may_be_there() -> None:
    script = "#!/bin/zsh\nnothing\n"
    assert sorts(script)["nothing"] is Sort.MISSING
    for unsure in (
        "nothing\n",
        script + "PATH=/x:$PATH\n",
        script + "path+=(/x)\n",
        script + 'source "$x"\n',
        script + 'eval "$x"\n',
        script + "autoload -Uz nothing\n",
        script + "if command -v nothing; then ls; fi\n",
        script + "if command \n -v nothing; then ls; fi\n",
        script + "# which of them:\nls\nif type ls nothing; then ls; fi\n",
        script + "(( $+commands[nothing] )) && ls\n",
        script + "echo 'unfinished\n",
    ):
        assert sorts(unsure).get("nothing") is not Sort.MISSING, unsure
    assert "nothing" not in sorts(script, Around(is_complete=False))


def test_parameters_are_told_apart() -> None:
    found = sorts('x=1; print $1 $@ $? $PATH "${x}"')
    assert found == {
        "x": Sort.VARIABLE,
        "print": Sort.BUILTIN,
        "1": Sort.POSITIONAL,
        "@": Sort.POSITIONAL,
        "?": Sort.SPECIAL,
        "PATH": Sort.SPECIAL,
    }


@given(
    st.lists(st.sampled_from([*TOKENS, "x=(\n", "# region\n", "f", "$x"]), max_size=40), st.data()
)
def test_any_text_has_structure(pieces: list[str], data: st.DataObject) -> None:
    text = "".join(pieces)
    names = read(text)
    lines = LineIndex(text)
    assert all(0 <= a < b < lines.line_count for a, b, _ in folds(names.script, lines))
    spans = [it.span for it in tokens(names, AROUND)]
    assert spans == sorted(spans)
    assert all("\n" not in text[slice(*span)] for span in spans)
    offset = data.draw(st.integers(-1, len(text) + 1))
    assert selections(names.script, offset)[-1] == Span(0, len(text))
    assert all(item.extent.end <= len(text) for item in outline(names))
