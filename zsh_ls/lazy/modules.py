"""Modules of Python that are loaded when something of them is first used, not where they are imported.

`asyncio` imports the module that reads sources, the one that speaks TLS and more, for a debug mode, an error
or a connection that a short command never sees. A module that is put off stands in `sys.modules` with
nothing in it but what the import system knows; the first attribute that is asked for loads it. (As
`importlib.util.LazyLoader` does, which in Python 3.11 is not safe where two threads ask at once.)
"""

from __future__ import annotations

import importlib.util
import sys
import threading
from collections.abc import Iterable
from importlib.machinery import PathFinder
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from typing import Any

# One for all: of the modules that are put off none waits for another thread while it is loaded.
_lock = threading.RLock()


class PutOff(ModuleType):
    """A module that is not loaded yet."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name not in ("__all__", "__doc__"):
            raise AttributeError(name)  # what importing, copying and inspecting try
        with _lock:
            if type(self) is PutOff:
                _load(self)
        return getattr(self, name)


class _BeingLoaded(PutOff):
    """One whose text is being run. Who asks from another thread waits until that is over."""

    def __getattr__(self, name: str) -> Any:
        with _lock:
            if type(self) is not _BeingLoaded:
                return getattr(self, name)
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r} yet")


def put_off(names: Iterable[str]) -> None:
    """Load these modules, if somebody imports them from now on, when they are first used."""
    for name in names:
        if name in sys.modules:
            continue
        spec = _spec_of(name)
        if spec is None or spec.loader is None:
            continue  # another version of Python has no such module
        module = PutOff(name)
        module.__spec__ = spec
        module.__loader__ = spec.loader
        module.__file__ = spec.origin
        module.__package__ = spec.parent
        if spec.submodule_search_locations is not None:
            module.__path__ = spec.submodule_search_locations
        sys.modules[name] = module


def _spec_of(name: str) -> ModuleSpec | None:
    """Where the module is; unlike `importlib.util.find_spec` without loading the package that it is in."""
    package, _, _ = name.rpartition(".")
    if not package:
        return importlib.util.find_spec(name)
    found = _spec_of(package)
    folders = found and found.submodule_search_locations
    return PathFinder.find_spec(name, folders) if folders else None


def is_put_off(name: str) -> bool:
    """Whether the module stands in `sys.modules` and nothing of it has been used."""
    return type(sys.modules.get(name)) is PutOff


def _load(module: PutOff) -> None:
    spec = module.__spec__
    assert spec is not None
    assert spec.loader is not None
    module.__class__ = _BeingLoaded
    try:
        spec.loader.exec_module(module)
    except BaseException:
        module.__class__ = PutOff
        raise
    module.__class__ = ModuleType  # type: ignore[assignment]
