"""A short notation for the tree of a script, used in tests of the parser."""

from zsh_ls.model.syntax import Dialect, Pipeline, Script
from zsh_ls.shell.syntax.parser import parse


def outline(text: str, dialect: Dialect = Dialect.ZSH) -> list[str]:
    """The source of each pipeline in order, its segments separated by ` ¦ `.

    Marks before: `!` negated, `t` timed, `c` coproc. After: the connector, the background sign.
    """
    script = parse(text, dialect)
    return [_line(script, pipeline) for pipeline in script.every_pipeline()]


def _line(script: Script, pipeline: Pipeline) -> str:
    marks = "!" * pipeline.negated + "t" * pipeline.timed + "c" * pipeline.coproc
    segments = " ¦ ".join(script.source(segment.span) for segment in pipeline.segments)
    return " ".join(
        part for part in (marks, segments, pipeline.connector.value, pipeline.background) if part
    )


def messages(text: str, dialect: Dialect = Dialect.ZSH) -> list[str]:
    return [problem.message for problem in parse(text, dialect).problems]
