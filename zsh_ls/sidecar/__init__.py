"""The façade: run, poll, send, kill, output, insights, in the editor's words and no protocol's."""

from .config import Settings, SidecarOptions
from .service import Sidecar

__all__ = ["Settings", "Sidecar", "SidecarOptions"]
