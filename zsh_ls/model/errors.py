"""Errors of a request; the frontends turn them into errors of their protocol."""

from __future__ import annotations


class SidecarError(Exception):
    """A request that has no result. The message says what is wrong and what was expected."""


class InvalidRequest(SidecarError):
    """A parameter is missing, of the wrong kind or out of range, or names nothing that is there."""


class RequestRejected(SidecarError):
    """The request was understood and is not carried out: the message says why, and what may be done."""
