"""Results as what JSON knows; every frontend writes the same names.

None is left out where the field has a default: a field that is declared
without one is always there, null where it has nothing to say.
"""

from __future__ import annotations

from typing import Any

import attrs
import cattrs
from cattrs.gen import make_dict_unstructure_fn, override

from zsh_ls.model.results import Progress

# Fields for the frontends themselves, never sent to their clients.
KEPT_BACK: dict[type, set[str]] = {Progress: {"tag"}}


def to_json(value: object) -> Any:
    """`value`, a result of the sidecar, as dictionaries, lists, texts and numbers."""
    return _CONVERTER.unstructure(value)


_CONVERTER = cattrs.Converter()


@_CONVERTER.register_unstructure_hook_factory(attrs.has)
def _without_none(cls: type) -> Any:
    kept_back = KEPT_BACK.get(cls, set())
    optional = {
        field.name: override(omit_if_default=True, omit=field.name in kept_back or None)
        for field in attrs.fields(cls)
        if field.default is None
    }
    return make_dict_unstructure_fn(cls, _CONVERTER, **optional)  # type: ignore[arg-type]
