"""Parser of zsh, bash and sh: a script becomes pipelines, segments and what nests in them.

`parse` never raises, takes time in proportion to the text whatever that holds,
and keeps what it can where something is wrong: missing closing words are taken
as if they were there, stray ones are skipped, an unclosed quote ends with its
line. The grammar is that of zsh's Src/lex.c and Src/parse.c, and of bash where
the dialect says so; aliases and options that change the grammar are not modelled
(RC_QUOTES needs no knowledge: both readings end at the same place).
"""

from .parser import parse

__all__ = ["parse"]
