"""The façade: run, poll, send, kill, output, insights, in the editor's words and no protocol's."""

from typing import TYPE_CHECKING, Any

from .config import Settings, SidecarOptions

if TYPE_CHECKING:
    from .service import Sidecar

__all__ = ["Settings", "Sidecar", "SidecarOptions"]


def __getattr__(name: str) -> Any:
    """`Sidecar`, loaded when somebody opens one: most of what a command loads is behind it."""
    if name != "Sidecar":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .service import Sidecar  # noqa: PLC0415

    return Sidecar
