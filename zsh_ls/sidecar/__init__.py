"""The façade: run, poll, send, kill, output, insights, in the editor's words and no protocol's."""

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .config import Settings, SidecarOptions
    from .service import Sidecar

__all__ = ["Settings", "Sidecar", "SidecarOptions"]

_MODULES = {"Settings": "config", "Sidecar": "service", "SidecarOptions": "config"}


def __getattr__(name: str) -> "Any":
    """What opens a sidecar, loaded when somebody does: most of what a command loads is behind it."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f".{_MODULES[name]}", __name__), name)
    return found
