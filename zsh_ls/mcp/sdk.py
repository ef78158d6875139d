"""Loading of the SDK what a server on pipes uses, in two thirds of the processor time.

`mcp` and `mcp.server` import a client, a server on HTTP and a second server of their own, which nobody asks
for here: these packages are loaded when something of theirs is used. Of the four hundred message classes, of
three versions of the protocol, a session uses twenty: pydantic builds each when it is first used.
"""

from __future__ import annotations

from zsh_ls.lazy.modules import put_off


def load_little() -> None:
    """Load the SDK's server; its packages and messages are completed when they are used."""
    put_off(("mcp", "mcp.server"))
    from pydantic import BaseModel  # noqa: PLC0415

    BaseModel.model_config["defer_build"] = True
    try:
        import mcp.server.lowlevel  # noqa: PLC0415
        import mcp.server.stdio  # noqa: F401, PLC0415
    finally:
        del BaseModel.model_config["defer_build"]
