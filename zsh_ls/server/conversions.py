"""What crosses between JSON-RPC and the sidecar: params in, errors out.

For `zsh/*` our own converter is used, for the rest that of lsprotocol made strict: as it is, it turns our
names into camelCase and coerces values of wrong types. No error holds a traceback or a path of this program.
"""

from __future__ import annotations

import logging
from collections.abc import Container
from typing import Any, TypeVar

import cattrs
from lsprotocol import converters, types
from pygls.exceptions import JsonRpcException, JsonRpcInternalError, JsonRpcInvalidParams

from zsh_ls.model.errors import InvalidRequest, RequestRejected, SidecarError, refused_by_system
from zsh_ls.sidecar.faults import fault_answer
from zsh_ls.sidecar.params import made_strict, params_of, problems, shown
from zsh_ls.sidecar.to_json import to_json

REQUEST_FAILED = -32803

Params = TypeVar("Params")
log = logging.getLogger(__name__)


def strict_lsp_converter() -> cattrs.Converter:
    """The converter of lsprotocol, but refusing values of wrong types, such as `"7"` for an integer."""
    return made_strict(converters.get_converter())


def lsp_params(converter: cattrs.Converter, method: str, raw: Any) -> Any:
    """The params of a method of LSP; raises JsonRpcInvalidParams."""
    try:
        kind: Any = types.METHOD_TO_TYPES[method][2]
        return converter.structure({} if raw is None else raw, kind)
    except Exception as wrong:  # cattrs lets any error of a hook through
        raise JsonRpcInvalidParams(problems(wrong, is_ours=False)) from None


def zsh_params(kind: type[Params], raw: Any) -> Params:
    """The params of a `zsh/*` request; raises JsonRpcInvalidParams."""
    try:
        return params_of(kind, raw)
    except Exception as wrong:  # as above
        raise JsonRpcInvalidParams(problems(wrong, is_ours=True)) from None


def request_of_command(raw: Any, zsh_methods: Container[str]) -> tuple[str, Any]:
    """The method and params that `workspace/executeCommand` asks for: `zsh.run` is `zsh/run`.

    Its one argument are the params. They get the command's `workDoneToken` if they have none.
    Raises JsonRpcInvalidParams.
    """
    if type(raw) is not dict:
        raise JsonRpcInvalidParams(f"params: expected an object, got {shown(raw)}")
    command, arguments = raw.get("command"), raw.get("arguments")
    method = command.replace(".", "/") if type(command) is str else ""
    if method not in zsh_methods:
        expected = "expected a command such as zsh.run"
        raise JsonRpcInvalidParams(f"params.command: {expected}, got {shown(command)}")
    if arguments is None or arguments == []:
        arguments = [{}]
    if type(arguments) is not list or len(arguments) > 1:
        raise JsonRpcInvalidParams(
            f"params.arguments: expected a list with one object, got {shown(arguments)}"
        )
    [params], token = arguments, raw.get("workDoneToken")
    if token is not None and type(params) is dict:
        params = {"workDoneToken": token, **params}
    return method, params


def json_rpc_error(fault: Exception, method: str) -> JsonRpcException:
    """What pygls is to answer when a request for `method` has failed."""
    if refused := refused_by_system(fault):
        log.warning("%s was refused by the system", method, exc_info=fault)
        fault = refused
    match fault:
        case JsonRpcInvalidParams() | InvalidRequest():
            return JsonRpcInvalidParams(str(fault), data=_answer(fault, method))
        case RequestRejected() | SidecarError():
            return JsonRpcException(str(fault), REQUEST_FAILED, _answer(fault, method))
        case JsonRpcException():
            return fault
    log.error("%s failed", method, exc_info=fault)
    return JsonRpcInternalError(
        f"Internal error in {method}: {type(fault).__name__}. The server's log says more."
    )


def _answer(fault: Exception, method: str) -> dict[str, Any]:
    return {"answer": to_json(fault_answer(method, fault))}
