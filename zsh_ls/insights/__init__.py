"""Insights about runs and scripts; each rule is a module under `rules` and a pure function.

`before_run`, `after_run`, `options_insight`, `static` and `history.on_history` return
insights. Nothing here reads a clock, a file or a database, and nothing raises.
"""

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .judging import after_run, before_run, options_insight
    from .judging_scripts import static, static_of
    from .news import still_news

__all__ = ["after_run", "before_run", "options_insight", "static", "static_of", "still_news"]


def __getattr__(name: str) -> "Any":
    """What judges, loaded when it is asked: who shows a result needs none of it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = {"still_news": "news", "static": "judging_scripts", "static_of": "judging_scripts"}
    found = globals()[name] = getattr(
        import_module(f".{module.get(name, 'judging')}", __name__), name
    )
    return found
