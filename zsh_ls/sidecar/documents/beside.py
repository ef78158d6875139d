"""What is worked out about long documents in a process beside this one (`machine/side_process.py`).

It keeps the last documents as they were parsed, and what is known of their functions, so that after an
edit only what is different is looked at again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Set

from zsh_ls.answers.failures import failures_of
from zsh_ls.insights import static_of
from zsh_ls.model.insight import Insight
from zsh_ls.model.syntax import Dialect, Script
from zsh_ls.shell.fates import Fate
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.shell.syntax.parser.reparse import reparse

# Several times what the longest text takes that rules follow, on a slow machine; processor time.
ALLOWED_S = 30
# Documents whose last version the process keeps.
MOST_KEPT = 4

_scripts: OrderedDict[str, Script] = OrderedDict()


def findings_beside(uri: str, text: str, dialect: Dialect, rules_on: Set[str]) -> list[Insight]:
    """What the static rules say of the text that a document has now."""
    return static_of(_parsed(uri, text, dialect), None, rules_on)


def fates_beside(uri: str, text: str, dialect: Dialect) -> list[Fate]:
    """The fates of its commands, without `command`, which the text has."""
    return [it._replace(command="") for it in failures_of(_parsed(uri, text, dialect)).commands]


def _parsed(uri: str, text: str, dialect: Dialect) -> Script:
    script = _scripts.pop(uri, None)
    if script is None:
        script = parse(text, dialect)
    elif script.text != text or script.dialect is not dialect:
        script = reparse(script, text, dialect)
    _scripts[uri] = script
    if len(_scripts) > MOST_KEPT:
        _scripts.popitem(last=False)
    return script
