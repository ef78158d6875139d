"""The JSON-RPC protocol: every request gets exactly one response, whatever happens.

pygls keeps the table of features and sends requests to the client. What it leaves
unanswered (invalid params, requests before `initialize`, results that are not
JSON) is answered here, and no params reach a handler unchecked.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from functools import partial
from typing import Any

from cattrs import Converter
from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from zsh_ls.sidecar.documents.executor import run_in_thread, take_down

from .errors import REQUEST_CANCELLED, error_of
from .frames import framed, framed_pieces
from .long_answers import in_pieces, is_long
from .requests import as_request, lsp_params
from .wire import params_of, problems

log = logging.getLogger(__name__)

MsgId = int | str
Handler = Callable[[Any], Coroutine[Any, Any, Any]]


class NotJson(ValueError):
    """The content of a frame is not JSON, so that its length may be wrong as well."""


class ProtocolServer(LanguageServer):
    """What the protocol needs of its server, besides the registered features."""

    def initialize(self, params: dict[str, Any]) -> dict[str, Any] | None:
        """The result of `initialize`; None if it has been sent already."""
        raise NotImplementedError

    def has_spoken_zsh(self) -> None:
        """Called when the client has sent a `zsh/*` request."""
        raise NotImplementedError

    def shown(self, method: str, result: Any) -> None:
        """Called with the result of each `zsh/*` request that came as a command."""
        raise NotImplementedError


class Protocol(LanguageServerProtocol):
    """One client's conversation, from `initialize` to `exit`."""

    _server: ProtocolServer

    def __init__(self, server: ProtocolServer, converter: Converter) -> None:
        super().__init__(server, converter)
        # The handlers of pygls keep documents whose lines are not those of LSP.
        self.fm.builtin_features.clear()
        self.params: dict[str, type] = {}
        self.send: Callable[[bytes], None] = lambda _: None
        self.on_exit: Callable[[], None] = lambda: None
        self._encoder = json.JSONEncoder(default=self._serialize_message, separators=(",", ":"))
        self._unanswered: dict[MsgId, asyncio.Task[Any]] = {}
        self._handlers: dict[str, Handler] = {}
        self._initialized = False

    @property
    def was_shut_down(self) -> bool:
        """Whether the client has sent `shutdown`: only then the exit status is 0."""
        return self._shutdown

    # Incoming messages

    def receive(self, content: bytes) -> None:
        """Handle one message. Raises NotJson; all other errors are answered or logged."""
        try:
            message = _DECODER.decode(content.decode())
        except (ValueError, RecursionError) as wrong:
            raise NotJson(str(wrong)) from None
        if type(message) is not dict or message.get("jsonrpc") != "2.0":
            self._fail(_id_of(message), JsonRpcInvalidRequest(_NOT_A_MESSAGE))
        elif "method" in message:
            self._called(message)
        else:
            self._answered(message)

    def damaged(self, reason: str) -> None:
        """Answer bytes that are not a message, without an id."""
        self._fail(None, JsonRpcParseError(f"Parse Error: {reason}"))

    def _called(self, message: dict[str, Any]) -> None:
        method, msg_id = message["method"], _id_of(message)
        if type(method) is not str:
            self._fail(
                msg_id, JsonRpcInvalidRequest("Invalid Request: expected method as a string")
            )
        elif "id" not in message:
            self._notified(method, message.get("params"))
        elif msg_id is None:
            self._fail(
                None,
                JsonRpcInvalidRequest("Invalid Request: expected id as an integer or a string"),
            )
        elif msg_id in self._unanswered:
            again = (
                f"Invalid Request: id {json.dumps(msg_id)} is that of a request not yet answered"
            )
            self._fail(msg_id, JsonRpcInvalidRequest(again))
        else:
            self._requested(msg_id, method, message.get("params"))

    def _requested(self, msg_id: MsgId, method: str, raw: Any) -> None:
        try:
            self._check_turn(method)
            if method == types.INITIALIZE:
                self._initialize(msg_id, raw)
            elif method == types.SHUTDOWN:
                self._shut_down(msg_id)
            else:
                named, raw = as_request(method, raw, self.params)
                handler, params = self._handler(named), self._params(named, raw)
                work = self._work(msg_id, named, handler, params, as_command=named != method)
                self._start(msg_id, named, work)
        except JsonRpcException as refused:
            self._fail(msg_id, refused, method)

    def _check_turn(self, method: str) -> None:
        if self._shutdown:
            raise JsonRpcInvalidRequest("Invalid Request: the server is shut down")
        if method == types.INITIALIZE:
            if self._initialized:
                raise JsonRpcInvalidRequest("Invalid Request: the server is initialized already")
        elif not self._initialized:
            raise JsonRpcServerNotInitialized(
                f"Server not initialized: {method} came before initialize"
            )

    def _initialize(self, msg_id: MsgId, raw: Any) -> None:
        if type(raw) is not dict or type(raw.get("capabilities")) is not dict:
            raise JsonRpcInvalidParams("params.capabilities: expected an object")
        self._initialized = True
        self._handlers = {
            name: handler
            for name, handler in self.fm.features.items()
            if asyncio.iscoroutinefunction(handler)
        }
        result = self._server.initialize(raw)
        if result is not None:
            self._succeed(msg_id, result)

    def _shut_down(self, msg_id: MsgId) -> None:
        self._shutdown = True
        for task in self._unanswered.values():
            task.cancel()
        self._succeed(msg_id, None)

    def _handler(self, method: str) -> Handler:
        handler = self._handlers.get(method)
        if handler is None:
            raise JsonRpcMethodNotFound.of(method)
        return handler

    def _params(self, method: str, raw: Any) -> Any:
        try:
            if method in self.params:
                self._server.has_spoken_zsh()
                return params_of(self.params[method], raw)
            return lsp_params(self._converter, method, raw)
        except Exception as wrong:  # cattrs lets any error of a hook through
            raise JsonRpcInvalidParams(problems(wrong, is_ours=method in self.params)) from None

    async def _work(
        self, msg_id: MsgId, method: str, handler: Handler, params: Any, *, as_command: bool
    ) -> None:
        """Run the handler and send the result at once, not in a callback of the task."""
        result = await handler(params)
        if as_command:
            self._server.shown(method, result)
        if is_long(result):
            held = [result]
            del result
            response = await run_in_thread(partial(self._long_response, msg_id, held))
            self._unanswered.pop(msg_id, None)
            self.send(response)
        else:
            self._unanswered.pop(msg_id, None)
            self._succeed(msg_id, result, method)

    def _start(self, msg_id: MsgId, method: str, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._unanswered[msg_id] = task
        task.add_done_callback(partial(self._ended, msg_id, method))

    def _ended(self, msg_id: MsgId, method: str, task: asyncio.Task[None]) -> None:
        fault = None if task.cancelled() else task.exception()
        if self._unanswered.get(msg_id) is not task:
            return  # answered already; its id may belong to another request by now
        del self._unanswered[msg_id]
        if fault is not None:
            self._fail(msg_id, fault, method)
        else:
            self._cancelled(msg_id, method)

    def _cancelled(self, msg_id: MsgId, method: str) -> None:
        message = f"Request Cancelled: {method}"
        self._answer(msg_id, {"error": {"code": REQUEST_CANCELLED, "message": message}})

    def _notified(self, method: str, raw: Any) -> None:
        if method == types.EXIT:
            self.on_exit()
        elif method == types.CANCEL_REQUEST:
            self._cancel(raw)
        elif self._initialized and not self._shutdown:
            self._notify_feature(method, raw)

    def _notify_feature(self, method: str, raw: Any) -> None:
        handler = self.fm.features.get(method)
        if handler is None or method in self._handlers:
            return
        try:
            params = self._params(method, raw)
        except JsonRpcInvalidParams as wrong:
            log.info("the notification %s was dropped: %s", method, wrong)
            return
        try:
            handler(params)
        except Exception:  # nobody can be sent the error, and later notifications must be handled
            log.exception("the notification %s was dropped", method)

    def _cancel(self, raw: Any) -> None:
        msg_id = _id_of(raw)
        if msg_id is not None and (task := self._unanswered.get(msg_id)) is not None:
            task.cancel()

    def _answered(self, message: dict[str, Any]) -> None:
        """Handle a response to a request of ours; late and unknown ones are dropped."""
        if not message.keys() & {"result", "error"}:
            self._fail(_id_of(message), JsonRpcInvalidRequest(_NOT_A_MESSAGE))
            return
        msg_id = _id_of(message)
        future = self._request_futures.pop(msg_id, None) if msg_id is not None else None
        expected = self._result_types.pop(msg_id, None) if msg_id is not None else None
        if future is None or not future.set_running_or_notify_cancel():
            return
        try:
            future.set_result(_result(self._converter, expected, message))
        except Exception as wrong:
            future.set_exception(wrong)

    # Outgoing messages

    def _succeed(self, msg_id: MsgId, result: Any, method: str = "") -> None:
        try:
            self._answer(msg_id, {"result": result})
        except (TypeError, ValueError, AttributeError, RecursionError) as unserialisable:
            self._fail(msg_id, unserialisable, method)

    def _fail(self, msg_id: MsgId | None, fault: BaseException, method: str = "request") -> None:
        self._answer(msg_id, {"error": error_of(fault, method)})

    def _answer(self, msg_id: MsgId | None, outcome: dict[str, Any]) -> None:
        self._send_data({"jsonrpc": "2.0", "id": msg_id, **outcome})

    def _send_data(self, data: Any) -> None:
        self.send(self._framed(data))

    def _framed(self, data: Any) -> bytes:
        return framed(self._encoder.encode(data).encode())

    def tell(self, method: str, params: dict[str, Any]) -> None:
        """Send a notification with JSON params."""
        self._send_data({"jsonrpc": "2.0", "method": method, "params": params})

    async def long_news(self, method: str, params: Any) -> Callable[[], None]:
        """Serialize a long notification in a thread; gives a function that sends it."""
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        return partial(self.send, await run_in_thread(partial(self._framed_in_pieces, message)))

    def _long_response(self, msg_id: MsgId, held: list[object]) -> bytes:
        """The response whose result is the item of `held`, which is freed in pieces."""
        answer = {"jsonrpc": "2.0", "id": msg_id, "result": held[0]}
        response = self._framed_in_pieces(answer)
        del answer
        take_down(held)
        return response

    def _framed_in_pieces(self, data: Any) -> bytes:
        plain = [self._converter.unstructure(data)]
        message = framed_pieces([piece.encode() for piece in in_pieces(plain[0], self._encoder)])
        take_down(plain)
        return message

    async def finish(self, patience_s: float) -> None:
        """Wait `patience_s` for the responses to open requests, then cancel those that are left."""
        waiting: list[asyncio.Task[Any]] = list(self._unanswered.values())
        if waiting:
            await asyncio.wait(waiting, timeout=patience_s)
        for task in waiting:
            task.cancel()
        if waiting:
            await asyncio.wait(waiting, timeout=patience_s)
        futures: list[Future[Any]] = list(self._request_futures.values())
        for future in futures:
            future.cancel()


_NOT_A_MESSAGE = (
    "Invalid Request: expected one JSON-RPC 2.0 object with a method, a result or an error"
)


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)


def _id_of(message: Any) -> MsgId | None:
    """The id of a message, if it has a valid one."""
    found = message.get("id") if type(message) is dict else None
    return found if type(found) in (int, str) else None


def _result(converter: Converter, expected: Any, message: dict[str, Any]) -> Any:
    """The result in a client's response, structured if its type is known; raises its error."""
    if "error" in message:
        raise JsonRpcException.from_error(
            converter.structure(message["error"], types.ResponseError)
        )
    if expected is None:
        return message["result"]
    return converter.structure(message, expected).result
