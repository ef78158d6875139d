"""JSON-RPC errors for exceptions, without tracebacks or paths of this program."""

from __future__ import annotations

import logging
from typing import Any

from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from zsh_ls.answers.build import error_answer
from zsh_ls.model.errors import InvalidRequest, RequestRejected, SidecarError
from zsh_ls.sidecar.to_json import to_json

INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
REQUEST_FAILED = -32803
REQUEST_CANCELLED = -32800

log = logging.getLogger(__name__)


def error_of(fault: BaseException, method: str) -> dict[str, Any]:
    """The `error` of the response to a request for `method`."""
    match fault:
        case JsonRpcInvalidParams() | InvalidRequest():
            return _with_answer(INVALID_PARAMS, str(fault), method)
        case RequestRejected() | SidecarError():
            return _with_answer(REQUEST_FAILED, str(fault), method)
        case JsonRpcException():
            return {"code": fault.code, "message": fault.message}
    log.error("%s failed", method, exc_info=fault)
    return {
        "code": INTERNAL_ERROR,
        "message": f"Internal error in {method}: {type(fault).__name__}. The server's log says more.",
    }


def _with_answer(code: int, message: str, method: str) -> dict[str, Any]:
    answer = to_json(error_answer(method, message))
    return {"code": code, "message": message, "data": {"answer": answer}}
