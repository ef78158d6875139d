"""The question families, one file each; a file here with a `FAMILY` is asked.

Their order is alphabetical and decides nothing: a question two families could
read goes to the one whose pattern needs more, else to neither.
"""

from __future__ import annotations

import importlib
import pkgutil

from zsh_ls.answers.family import Family


def _family_of(name: str) -> tuple[Family, ...]:
    module = importlib.import_module(f".{name}", __name__)
    return (module.FAMILY,) if hasattr(module, "FAMILY") else tuple(module.FAMILIES)


FAMILIES: tuple[Family, ...] = tuple(
    family
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name)
    for family in _family_of(module.name)
)
