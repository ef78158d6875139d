"""Our subclass of pygls' protocol: every request gets exactly one response, whatever arrives.

pygls calls the handlers, sends what they answer or raise, cancels them, and keeps track of our own
requests to the client. This subclass does what pygls leaves undone; `docs/upstream.md` explains each
point, and `tests/upstream` reproduces it with pygls alone:

- `receive` decodes strictly. In pygls' loop a message that is not JSON is never answered, and a key
  `jsonrpc` within params makes a message of that part.
- `structure_message` answers what is no valid message, comes before `initialize` or after `shutdown`,
  and drops responses to requests that nobody sent. pygls stays silent, carries them out, or fails.
- `handle_message` tells requests from notifications faster, which halves what pygls' dispatch costs.
- `_send_response` sends results that their handlers have serialized: pygls drops one that is not JSON,
  and serializes a long one on the event loop.
- `lsp_initialize` reads raw params leniently, `lsp_exit` lets the last answers out. The other handlers
  that pygls brings along are removed: they count lines of documents otherwise than LSP does, and
  convert the arguments of commands.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, Any

from cattrs import Converter
from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.lsp.server import LanguageServer
from pygls.protocol import (
    JsonRPCNotification,
    JsonRPCRequestMessage,
    LanguageServerProtocol,
)

from zsh_ls.sidecar.documents.executor import run_in_thread
from zsh_ls.system.taking_down import take_down

from .frames import framed_pieces
from .long_answers import in_pieces, is_long

if TYPE_CHECKING:
    from pygls.io_ import Writer

MsgId = int | str
_NOT_A_MESSAGE = (
    "Invalid Request: expected one JSON-RPC 2.0 object with a method, a result or an error"
)


class NotJson(ValueError):
    """The content of a frame is not JSON, so that its length may be wrong as well."""


class JsonText(bytes):
    """The JSON text of a result."""


class ProtocolServer(LanguageServer):
    """What the protocol needs of its server, besides the registered features."""

    @property
    def is_started(self) -> bool:
        """Whether the client's `initialize` has been answered."""
        raise NotImplementedError

    def initialize(self, params: Any) -> dict[str, Any]:
        """The result of `initialize` with these JSON params; raises JsonRpcInvalidParams."""
        raise NotImplementedError


class Protocol(LanguageServerProtocol):
    """One client's conversation, from `initialize` to `exit`."""

    writer: Writer
    _server: ProtocolServer
    # The client's unanswered requests, which are tasks of ours, and our own, which are futures of threads.
    _request_futures: dict[MsgId, Any]

    def __init__(self, server: ProtocolServer, converter: Converter) -> None:
        super().__init__(server, converter)
        self.fm.builtin_features.clear()
        self.fm.add_builtin_feature(types.INITIALIZE, self.lsp_initialize)
        self.fm.add_builtin_feature(types.SHUTDOWN, self.lsp_shutdown)
        self.fm.add_builtin_feature(types.EXIT, self.lsp_exit)
        self._encoder = json.JSONEncoder(default=converter.unstructure, separators=(",", ":"))

    @property
    def was_shut_down(self) -> bool:
        """Whether the client has sent `shutdown`: only then the exit status is 0."""
        return self._shutdown

    def lsp_initialize(self, params: Any) -> Any:
        """Answer from the raw params; pygls would refuse a client with one wrong capability."""
        return self._server.initialize(params)

    def lsp_exit(self, *args: Any) -> None:  # type: ignore[override]
        """End the session; pygls would end the process here, with answers not yet written."""
        self.writer.close()

    # Incoming messages

    def receive(self, content: bytes) -> None:
        """Handle one message. Raises NotJson; all other errors are answered or logged."""
        try:
            message = _DECODER.decode(content.decode())
        except (ValueError, RecursionError) as wrong:
            raise NotJson(str(wrong)) from None
        try:
            structured = self.structure_message(message)
        except JsonRpcException as refused:
            self._send_response(_id_of(message), error=refused.to_response_error())
            return
        if structured is not None:
            self.handle_message(structured)

    def damaged(self, reason: str) -> None:
        """Answer bytes that are not a message, without an id."""
        error = JsonRpcParseError(f"Parse Error: {reason}").to_response_error()
        self._send_response(None, error=error)

    def structure_message(self, data: Any) -> Any:
        """The message that `data` is, with raw params; None for one that is to be ignored.

        Raises the JsonRpcException that answers what cannot be handled.
        """
        if type(data) is not dict or data.get("jsonrpc") != "2.0":
            raise JsonRpcInvalidRequest(_NOT_A_MESSAGE)
        if "method" not in data:
            return self._response(data)
        method, params = data["method"], data.get("params")
        if type(method) is not str:
            raise JsonRpcInvalidRequest("Invalid Request: expected method as a string")
        if "id" in data:
            self._check_request(data["id"], method)
            return JsonRPCRequestMessage(data["id"], method, self.VERSION, params)
        if method == types.CANCEL_REQUEST:
            msg_id = _id_of(params)
            if msg_id is None:
                return None
            return JsonRPCNotification(method, self.VERSION, types.CancelParams(msg_id))
        if method == types.EXIT or (self._server.is_started and not self._is_request(method)):
            return JsonRPCNotification(method, self.VERSION, params)
        return None

    def handle_message(self, message: Any) -> None:
        """Hand a message to its handler, as pygls does.

        pygls finds out what kind a message is by checking which attributes it has, against
        runtime-checkable protocols: a quarter of the time that a small request takes.
        """
        if type(message) is JsonRPCRequestMessage:
            self._handle_request(message.id, message.method, message.params)
        elif type(message) is JsonRPCNotification and not self._shutdown:
            self._handle_notification(message.method, message.params)
        else:
            super().handle_message(message)

    def _check_request(self, msg_id: Any, method: str) -> None:
        """Raise the error that answers a request out of turn."""
        if type(msg_id) not in (int, str):
            raise JsonRpcInvalidRequest("Invalid Request: expected id as an integer or a string")
        if msg_id in self._request_futures:
            raise JsonRpcInvalidRequest(
                f"Invalid Request: id {json.dumps(msg_id)} is that of a request not yet answered"
            )
        if self._shutdown:
            raise JsonRpcInvalidRequest("Invalid Request: the server is shut down")
        if method == types.INITIALIZE:
            if self._server.is_started:
                raise JsonRpcInvalidRequest("Invalid Request: the server is initialized already")
        elif not self._server.is_started:
            raise JsonRpcServerNotInitialized(
                f"Server not initialized: {method} came before initialize"
            )
        elif method != types.SHUTDOWN and not self._is_request(method):
            raise JsonRpcMethodNotFound.of(method)

    def _is_request(self, method: str) -> bool:
        """Whether `method` is a request of ours: handlers of notifications are plain functions."""
        return asyncio.iscoroutinefunction(self.fm.features.get(method))

    def _response(self, data: dict[str, Any]) -> Any:
        """The client's response to a request of ours; None if nobody waits for it."""
        if not data.keys() & {"result", "error"}:
            raise JsonRpcInvalidRequest(_NOT_A_MESSAGE)
        msg_id = _id_of(data)
        future = None if msg_id is None else self._request_futures.get(msg_id)
        if msg_id is None or not isinstance(future, Future):
            return None
        # One that has stopped waiting would make pygls fail, as a result can no longer be set.
        if future.cancelled():
            del self._request_futures[msg_id]
            return None
        try:
            return super().structure_message(data)
        except JsonRpcException as wrong:
            return types.ResponseErrorMessage(id=msg_id, error=wrong.to_response_error())

    # Outgoing messages

    async def json_text(self, held: list[Any]) -> JsonText:
        """The JSON text of the item of `held`, made in a thread if it is long; empties `held`."""
        if is_long(held[0]):
            return await run_in_thread(partial(self._long_text, held))
        return JsonText(self._encoder.encode(held.pop()).encode())

    async def long_notification(self, method: str, params: Any) -> Callable[[], None]:
        """Serialize a long notification in a thread; gives a function that sends it."""
        held = [{"jsonrpc": self.VERSION, "method": method, "params": params}]
        text = await run_in_thread(partial(self._long_text, held))
        return lambda: self.writer.write(framed_pieces([text]))

    def _long_text(self, held: list[Any]) -> JsonText:
        plain = [self._converter.unstructure(held[0])]
        take_down(held)
        text = JsonText().join(piece.encode() for piece in in_pieces(plain[0], self._encoder))
        take_down(plain)
        return JsonText(text)

    def _send_response(
        self, msg_id: MsgId | None, result: Any = None, error: types.ResponseError | None = None
    ) -> None:
        """Send a response; JsonText goes as it is, and an error for no id with `"id": null`."""
        if type(result) is JsonText:
            head = b'{"jsonrpc":"2.0","id":%b,"result":' % json.dumps(msg_id).encode()
            self.writer.write(framed_pieces([head, result, b"}"]))
        elif msg_id is None:
            self._send_data({"jsonrpc": self.VERSION, "id": None, "error": error})
        else:
            super()._send_response(msg_id, result, error)

    async def finish(self, patience_s: float) -> None:
        """Wait `patience_s` for the responses to open requests, then cancel those that are left."""
        pending = list(self._request_futures.values())
        tasks = [each for each in pending if isinstance(each, asyncio.Task)]
        if tasks:
            await asyncio.wait(tasks, timeout=patience_s)
        for each in pending:
            each.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=patience_s)


def _is_fault(record: logging.LogRecord) -> bool:
    """Whether a log record of pygls is about more than a refused request or a late cancellation.

    pygls logs those as well, refused requests with a traceback, and editors show what is on stderr.
    """
    fault = record.exc_info[1] if record.exc_info else None
    return record.levelno > logging.WARNING and not isinstance(fault, JsonRpcException)


logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_fault)


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)


def _id_of(message: Any) -> MsgId | None:
    """The id of a message, if it has a valid one."""
    found = message.get("id") if type(message) is dict else None
    return found if type(found) in (int, str) else None
