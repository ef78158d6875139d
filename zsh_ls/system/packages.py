"""The modules of a package, from the names of its files.

`pkgutil.iter_modules` tells the same; it loads the module that reads sources, for the ending of a name.
"""

from __future__ import annotations

import os
from types import ModuleType


def module_names(package: ModuleType) -> list[str]:
    """The full names of the modules in a package, without those of packages within it, sorted."""
    files = (os.path.splitext(name) for folder in package.__path__ for name in os.listdir(folder))
    return sorted(
        f"{package.__name__}.{name}"
        for name, ending in files
        if ending == ".py" and name != "__init__"
    )
