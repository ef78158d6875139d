"""What LSP calls the things a script defines."""

from __future__ import annotations

from collections.abc import Mapping

from lsprotocol.types import SymbolKind

from zsh_ls.shell.symbols.binding_commands import NameKind

SYMBOL_KINDS: Mapping[NameKind, SymbolKind] = {
    NameKind.FUNCTION: SymbolKind.Function,
    NameKind.VARIABLE: SymbolKind.Variable,
    NameKind.ALIAS: SymbolKind.Constant,
}
