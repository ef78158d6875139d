"""Converts what the client sends: commands to requests, and JSON params to values."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from cattrs import Converter
from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from .wire import shown


def as_request(method: str, raw: Any, zsh_methods: Container[str]) -> tuple[str, Any]:
    """The method and params of a request; command `zsh.x` is request `zsh/x` with its one argument.

    A `workDoneToken` of the command is used if the argument has none.
    """
    if method != types.WORKSPACE_EXECUTE_COMMAND:
        return method, raw
    if type(raw) is not dict:
        raise JsonRpcInvalidParams(f"params: expected an object, got {shown(raw)}")
    command = raw.get("command")
    named = command.replace(".", "/") if type(command) is str else ""
    if named not in zsh_methods:
        expected = "expected a command such as zsh.run"
        raise JsonRpcInvalidParams(f"params.command: {expected}, got {shown(command)}")
    return named, _with_token(_argument(raw.get("arguments")), raw.get("workDoneToken"))


def _argument(arguments: Any) -> Any:
    if arguments is None or arguments == []:
        return {}
    if type(arguments) is not list or len(arguments) > 1:
        raise JsonRpcInvalidParams(
            f"params.arguments: expected a list with one object, got {shown(arguments)}"
        )
    return arguments[0]


def _with_token(argument: Any, token: Any) -> Any:
    if token is None or type(argument) is not dict or "workDoneToken" in argument:
        return argument
    return {**argument, "workDoneToken": token}


def lsp_params(converter: Converter, method: str, raw: Any) -> Any:
    """The params of a method of LSP; raises the error of the converter if they are invalid."""
    kind: Any = types.METHOD_TO_TYPES[method][2]
    if kind is None:
        return None
    return converter.structure({} if raw is None else raw, kind)
