"""Results as what JSON knows; every frontend writes the same names.

None is left out where the field has a default: a field that is declared
without one is always there, null where it has nothing to say. One whose
default is NOT_ASKED is left out where nobody asked, and else null.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from types import MappingProxyType
from typing import Any

import attrs
import cattrs
from cattrs.gen import make_dict_unstructure_fn, override

from zsh_ls.model.reports import CommandStats
from zsh_ls.model.results import NOT_ASKED, MatchedLine, NotAsked, Progress, Sent, TaskResult

# Fields for the frontends themselves, never sent to their clients.
KEPT_BACK: dict[type, set[str]] = {
    Progress: {"tag"},
    Sent: {"from_byte"},
    TaskResult: {"ends_at_s"},
    CommandStats: {"runs_elsewhere", "scope"},
}


def to_json(value: object) -> Any:
    """`value`, a result of the sidecar, as dictionaries, lists, texts and numbers."""
    return _CONVERTER.unstructure(value)


def leave_out_none(
    converter: cattrs.Converter, kept_back: Mapping[type, Set[str]] = MappingProxyType({})
) -> None:
    """Have a converter leave out None where the field has a default, and all that is `kept_back`."""

    @converter.register_structure_hook
    def matched(value: Any, _: Any) -> MatchedLine | NotAsked | None:
        return None if value is None else MatchedLine(value["line"], value["text"])

    @converter.register_unstructure_hook_factory(attrs.has)
    def without_none(cls: type) -> Any:
        held = kept_back.get(cls, set())
        optional = {
            field.name: override(omit_if_default=True, omit=field.name in held or None)
            for field in attrs.fields(cls)
            if field.default in (None, NOT_ASKED) or field.name in held
        }
        return make_dict_unstructure_fn(cls, converter, **optional)  # type: ignore[arg-type]


_CONVERTER = cattrs.Converter()
leave_out_none(_CONVERTER, KEPT_BACK)
