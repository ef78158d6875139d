"""What an answer may say instead of a result, the same at both ends of a connection."""

from __future__ import annotations

from zsh_ls.model.errors import InvalidRequest, RequestRejected, SidecarError

LOST = "The zsh-ls server that this was asked of has gone, and its tasks with it."
CODES: dict[str, type[SidecarError]] = {
    "bad_request": InvalidRequest,
    "refused": RequestRejected,
    "fault": SidecarError,
}


class ConnectionLost(RequestRejected):
    """The other end closed the connection before it answered."""

    def __init__(self) -> None:
        super().__init__(LOST)


def error_of(code: str, message: str) -> SidecarError:
    """The error that was raised at the other end."""
    return CODES.get(code, RequestRejected)(message)
