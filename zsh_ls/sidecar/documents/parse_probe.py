"""Whether a long text can be read without holding up everybody: tried out in a process of its own.

Some texts cost out of all proportion: a construct over and over, nested or never closed.
"""

from __future__ import annotations

from zsh_ls.insights import static_of
from zsh_ls.machine.limited_process import completes
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.ide.folding import folds
from zsh_ls.shell.ide.runnable import runnable_lines
from zsh_ls.shell.ide.semantic_tokens import Around, tokens
from zsh_ls.shell.symbols.collect import names_of
from zsh_ls.shell.symbols.outline import outline
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.shell.syntax.parser import parse

# What an ordinary script takes on a slow machine, several times over; seconds of processor time.
ALLOWED_S = 5
ALLOWED_S_EACH_MB = 2


async def is_readable(text: str, dialect: Dialect) -> bool:
    """Whether `text` can be read at an ordinary cost; yes where that cannot be found out."""
    allowed_s = ALLOWED_S + round(ALLOWED_S_EACH_MB * len(text) / 1_000_000)
    function = f"{__name__}:{read_all.__name__}"
    return await completes(
        function, text, [dialect.value], warm_up="true | true", allowed_s=allowed_s
    )


def read_all(text: str, dialect: str) -> None:
    """All that editors ask of every open document."""
    script = parse(text, Dialect(dialect))
    names = names_of(script)
    static_of(script)
    list(runnable_lines(script))
    outline(names)
    list(tokens(names, Around(frozenset(), frozenset(), frozenset(), is_complete=False)))
    list(folds(script, LineIndex(text)))
