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


def refused_by_system(fault: Exception) -> RequestRejected | None:
    """What to answer where the operating system refused what a request needs; None for other faults.

    No descriptor, thread, memory or room is left, perhaps, a folder has gone, or a disk cannot be read.
    """
    match fault:
        case MemoryError():
            reason = "no memory is left"
        case OSError():
            named = f": {fault.filename}" if isinstance(fault.filename, str) else ""
            reason = (fault.strerror or str(fault) or type(fault).__name__) + named
        case RuntimeError() if "new thread" in str(fault):
            reason = "no thread is left"
        # Nobody who has not used SQLite has an error of it, so it need not be loaded to know one.
        case Exception() if code := getattr(fault, "sqlite_errorname", None):
            reason = f"the memory's database cannot be used: {fault} ({code})"
        case _:
            return None
    return RequestRejected(f"The system refused what this needs: {reason}")
