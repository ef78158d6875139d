"""How two processes meet: the version they speak, and what is said beside the methods of `TaskService`."""

from __future__ import annotations

from zsh_ls import __version__

HELLO = "hello"
SHOWN = "shown"
"""Asks for commands as they may be shown, without their secrets (ALAN-7)."""
SUBSCRIBE = "subscribe"
UNSUBSCRIBE = "unsubscribe"
TRUST = "on_trust_changed"
# Raised when messages change their meaning; another version's sidecar is not joined.
LINK_VERSION = 5
RPC_VERSION = f"{__version__}/{LINK_VERSION}"

# A server that is stopped or stuck is none; a busy one answers in milliseconds.
PATIENCE_S = 2.0


def hello(
    *, colour: bool, only_news: bool = False, is_server: bool = False
) -> dict[str, str | bool]:
    """The params of HELLO."""
    return {
        "speaks": RPC_VERSION,
        "colour": colour,
        "only_news": only_news,
        "server": is_server,
    }


def is_understood_by_keeper(version: object) -> bool:
    """Whether who speaks `version` of this may ask a keeper, which is often older: an upgrade goes by."""
    return str(version).rpartition("/")[2] == str(LINK_VERSION)
