"""A server of pygls as its documentation shows it, for the reproductions beside this file."""

import asyncio
import pathlib
import time
from typing import Any

import attrs
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter


@attrs.define
class EchoParams:
    """What `test/echo` takes."""

    some_text: str = "nothing"
    is_loud: bool = False


@attrs.define
class EchoRequest:
    """A request whose params are typed, as pygls asks for."""

    id: int | str
    method: str
    jsonrpc: str
    params: EchoParams


@attrs.define
class CountParams:
    """What `test/count` takes; the field is needed."""

    count: int


@attrs.define
class CountRequest:
    """A request with a needed field."""

    id: int | str
    method: str
    jsonrpc: str
    params: CountParams


class TypedProtocol(LanguageServerProtocol):
    """The documented way to give custom requests a type."""

    def get_message_type(self, method: str) -> type | None:
        """The type of our requests' messages, else what lsprotocol knows."""
        if method == "test/count":
            return CountRequest
        if method.startswith("test/") and method != "test/lines":
            return EchoRequest
        return super().get_message_type(method)


server = LanguageServer(
    "stock", "1", protocol_cls=TypedProtocol, converter_factory=default_converter
)


@server.feature("test/echo")
async def echo(params: EchoParams) -> dict[str, object]:
    """Give back what arrived, as it arrived."""
    return {"text": params.some_text, "loud": params.is_loud}


@server.feature("test/count")
async def count(params: CountParams) -> int:
    """Give back the number."""
    return params.count


@server.feature("test/typed")
async def typed(params: EchoParams) -> EchoParams:
    """Give back the structure itself."""
    return params


@server.feature("test/object")
async def an_object(params: EchoParams) -> object:
    """Give what JSON cannot hold."""
    return object()


@server.feature("test/lines")
async def lines(params: Any) -> int:
    """How many lines the one open document has."""
    [document] = server.workspace.text_documents.values()
    return len(document.lines)


@server.feature("test/slow")
@server.thread()
def slow(params: EchoParams) -> str:
    """Work in a thread of pygls until the file named appears, or for one second."""
    deadline = time.monotonic() + 1
    while not pathlib.Path(params.some_text).exists():
        if time.monotonic() > deadline:
            return "nobody came"
        time.sleep(0.01)
    return "heard"


@server.feature("test/touch")
def touch(params: EchoParams) -> str:
    """Make the file that `test/slow` waits for."""
    pathlib.Path(params.some_text).touch()
    return "touched"


@server.feature("test/long")
async def long(params: EchoParams) -> str:
    """Answer more than a pipe holds."""
    return "x" * 1_000_000


@server.feature("test/ask")
async def ask(params: EchoParams) -> str:
    """Ask the client something, and stop waiting for the answer."""
    question = server.protocol.send_request_async("test/question", None, msg_id="asked")
    question.cancel()
    await asyncio.wait([question])
    return "asked"


@server.command("test.wait")
async def wait(folder: str) -> None:
    """Wait until there is a file `go`, then make a file `done`."""
    while not (pathlib.Path(folder) / "go").exists():
        await asyncio.sleep(0.01)
    (pathlib.Path(folder) / "done").touch()


if __name__ == "__main__":
    server.start_io()
