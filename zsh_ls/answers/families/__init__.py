"""The question families, one file each; a file here with a `FAMILY` is asked.

Their order is alphabetical and decides nothing: a question two families could
read goes to the one whose pattern needs more, else to neither.
"""

from __future__ import annotations

import importlib
import sys

from zsh_ls.answers.family import Family
from zsh_ls.system.packages import module_names

_MODULES = [importlib.import_module(name) for name in module_names(sys.modules[__name__])]
FAMILIES: tuple[Family, ...] = tuple(
    family
    for module in _MODULES
    for family in ((module.FAMILY,) if hasattr(module, "FAMILY") else module.FAMILIES)
)
