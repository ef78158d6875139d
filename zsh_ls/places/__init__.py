"""Places that tools name in their output, found as it flows; text in, values out.

`formats.json` says what tools print; one entry is one tool, or one shape that several share. Nothing
here reads the disk: who scans says which files there are.
"""

from .scanner import PlaceScanner
from .surroundings import Surroundings

__all__ = ["PlaceScanner", "Surroundings"]
