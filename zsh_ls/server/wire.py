"""Converters of JSON params: our own for `zsh/*`, a strict one of lsprotocol for the rest.

The default one of lsprotocol would turn our names into camelCase and coerce values of wrong types.
"""

from __future__ import annotations

import cattrs
from lsprotocol import converters

from zsh_ls.sidecar.from_json import WrongType, made_strict, params_of, problems, shown

__all__ = ["WrongType", "params_of", "problems", "shown", "strict_lsp_converter"]


def strict_lsp_converter() -> cattrs.Converter:
    """The converter of lsprotocol, but refusing values of wrong types, such as `"7"` for an integer."""
    return made_strict(converters.get_converter())
