"""The two converters of the wire: ours for params of `zsh/*`, lsprotocol's made strict for the rest.

lsprotocol's own would turn our names into camelCase and coerce what does not fit.
"""

from __future__ import annotations

import cattrs
from lsprotocol import converters

from zsh_ls.sidecar.from_json import WrongType, made_strict, params_of, problems, shown

__all__ = ["WrongType", "params_of", "problems", "shown", "strict_lsp_converter"]


def strict_lsp_converter() -> cattrs.Converter:
    """The converter of lsprotocol, but that it refuses a `"7"` where an integer is wanted."""
    return made_strict(converters.get_converter())
