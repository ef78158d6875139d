"""The environment of a pytest that a test starts: of the installed plugins it loads xdist alone.

All of them would be loaded by each of its processes, at three times the cost of what is tested.
"""

from __future__ import annotations

ONLY_XDIST = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "xdist"}
