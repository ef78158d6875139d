"""Errors of a request; the frontends turn them into errors of their protocol."""

from __future__ import annotations


class SidecarError(Exception):
    """A request failed. The message says what is wrong and what was expected.

    `missing_program` is the name of a program for want of which it failed.
    """

    def __init__(self, message: str = "", *, missing_program: str | None = None) -> None:
        super().__init__(message)
        self.missing_program = missing_program


class InvalidRequest(SidecarError):
    """A parameter is missing, of the wrong type, out of range, or names something unknown."""


class RequestRejected(SidecarError):
    """The request is valid but refused; the message says why and what the user may do."""
