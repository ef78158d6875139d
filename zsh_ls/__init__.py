"""A line is run, remembered and explained: the zsh-ls sidecar.

`docs/architecture.md` draws the packages and says which may import which.
"""

__version__ = "0.1.0"
