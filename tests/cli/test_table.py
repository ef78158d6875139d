"""Tables that are aligned without rich look as rich's do."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.table import Table as RichTable

from zsh_ls.cli.table import Table, print_rows

WORDS = st.text("abcXYZ019 %.-/:'\"[]", max_size=8).map(str.strip)


def by_rich(table: Table) -> str:
    rich_one = RichTable(*table.headings, box=None, pad_edge=False)
    for row in table.rows:
        rich_one.add_row(*row)
    console = Console(file=io.StringIO(), width=200, highlight=False, markup=False, emoji=False)
    console.print(rich_one)
    return str(console.file.getvalue())  # type: ignore[attr-defined]


def printed(table: Table) -> str:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout", found := io.StringIO())
        print_rows([table])
    return found.getvalue()


@given(st.integers(1, 5).flatmap(lambda n: st.lists(st.tuples(*[WORDS] * n), min_size=1)))
def test_a_table_is_aligned_as_rich_aligns_it(lines: list[tuple[str, ...]]) -> None:
    table = Table(tuple(f"h{it}" for it in lines[0]), lines[1:])
    assert printed(table) == by_rich(table)


def test_wide_characters_are_measured_by_rich() -> None:
    table = Table(("name", "n"), [("日本", "1"), ("a", "2")])
    assert printed(table) == by_rich(table)


def test_what_a_command_holds_is_printed_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    print_rows(["echo :bug: [bold]\a", Table(("command",), [("echo :bug: é",)])])
    assert capsys.readouterr().out.split("\n")[::2] == ["echo :bug: [bold]", "echo :bug: é"]
