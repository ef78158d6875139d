"""How one door starts another: the rooms of doors are strangers, and the command line opens them all."""

from __future__ import annotations

from typing import NoReturn


def serve_lsp() -> NoReturn:
    """Speak LSP on standard input and output; ends with the exit status."""
    from zsh_ls.server.main import main  # noqa: PLC0415  only the door that is opened is imported

    main()


def serve_mcp(*, colour: bool) -> int:
    """Speak MCP on standard input and output; gives the exit status."""
    from zsh_ls.mcp.main import main  # noqa: PLC0415

    return main(colour=colour)
