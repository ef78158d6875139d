"""A line is run, remembered and explained: the zsh-ls sidecar.

The rooms and who may import whom are drawn in `docs/architecture.md`.
"""

__version__ = "0.1.0"
