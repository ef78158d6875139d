"""What becomes of a script when one of its commands fails, worked out from the text alone."""

from .analysis import fates
from .fate import Fate, FateKind

__all__ = ["Fate", "FateKind", "fates"]
