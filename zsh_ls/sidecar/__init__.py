"""The façade: run, poll, send, kill, output, insights, in the editor's words and no protocol's."""

from .options import Settings, SidecarOptions
from .sidecar import Sidecar

__all__ = ["Settings", "Sidecar", "SidecarOptions"]
