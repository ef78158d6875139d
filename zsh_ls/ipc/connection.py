"""A connection, the same at both ends: requests with responses, and notifications.

`{"id", "method", "params"}` is a request, `{"id", "result"}` or `{"id",
"error": {"code", "message"}}` its response, `{"method", "params"}` a notification;
`{"cancel": id}` cancels a request. Errors are raised at the other end as they
were here. Nothing ever waits for the other end to read: no requests are read from
an end that reads too slowly, and notifications to it should be held back
(`is_slow`, `on_drained`).
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from zsh_ls.model.errors import InvalidRequest, SidecarError, refused_by_system

from .errors import CODES, LOST, ConnectionLost, error_of
from .framing import HEADER_BYTES, Malformed, framed, length_of, parsed

if TYPE_CHECKING:
    from .framing import Message

__all__ = ["LOST", "Connection", "ConnectionLost", "read_message"]

Handle = Callable[[str, Mapping[str, Any]], Awaitable[Any]]
NotificationHandler = Callable[[str, Mapping[str, Any]], None]

SLOW_BYTES = 1024 * 1024
INTERNAL = "internal"

log = logging.getLogger(__name__)


class Connection:
    """A connected socket; `serve` must be running for messages to be received.

    `handle` answers requests of the other end, `on_notification` gets its notifications.
    `on_drained` is called when a slow reader has caught up, `on_closed` once when
    either end has closed. With `paces`, an end that does not read its responses is
    not read from; only one end may do so, or both could wait for each other.
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        paces: bool = False,
    ) -> None:
        self.handle: Handle = _handles_nothing
        self.on_notification: NotificationHandler = lambda _, __: None
        self.on_drained: Callable[[], None] = lambda: None
        self.on_closed: Callable[[], None] = lambda: None
        self._reader = reader
        self._writer = writer
        self._paces = paces
        self._ids = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._answering: dict[int, asyncio.Task[None]] = {}
        self._draining: asyncio.Task[None] | None = None
        self.is_lost = False
        writer.transport.set_write_buffer_limits(high=SLOW_BYTES, low=SLOW_BYTES // 4)

    @property
    def is_slow(self) -> bool:
        """Whether the other end still has much to read."""
        return self._draining is not None

    async def request(self, method: str, params: Mapping[str, Any]) -> Any:
        """The result; raises the error of the other end, or ConnectionLost."""
        if self.is_lost:
            raise ConnectionLost
        number = next(self._ids)
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        self._send({"id": number, "method": method, "params": params})
        try:
            return await answer
        except asyncio.CancelledError:
            self._send({"cancel": number})
            raise
        finally:
            del self._waiting[number]

    def notify(self, method: str, params: Mapping[str, Any]) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    async def serve(self) -> None:
        """Receive messages until either end closes; requests that still wait then are lost."""
        try:
            while (message := await read_message(self._reader)) is not None:
                self._take(message)
                if self._paces:
                    await self._writer.drain()
        except Malformed as wrong:
            log.warning("a connection is closed: %s", wrong)
        except ConnectionError as gone:
            log.info("a connection has gone: %s", gone)
        finally:
            self.close()
            with contextlib.suppress(ConnectionError):  # it is closed in any case
                await self._writer.wait_closed()

    def close(self) -> None:
        """Close this end: requests of the other end are cancelled, ours raise ConnectionLost."""
        if self.is_lost:
            return
        self.is_lost = True
        if self._writer.transport.get_write_buffer_size():
            self._writer.transport.abort()  # it may never read the rest
        else:
            self._writer.close()
        for answering in self._answering.values():
            answering.cancel()
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(ConnectionLost())
        self.on_closed()

    def _take(self, message: Message) -> None:
        match message:
            case {"id": int(number), "method": str(method), "params": dict(params)}:
                self._answer(number, method, params)
            case {"id": int(number), **rest}:
                self._answered(number, rest)
            case {"method": str(method), "params": dict(params)}:
                self.on_notification(method, params)
            case {"cancel": int(number)}:
                if number in self._answering:
                    self._answering[number].cancel()
            case _:
                raise Malformed("neither a request nor an answer nor news")

    def _answer(self, number: int, method: str, params: Mapping[str, Any]) -> None:
        if number in self._answering:
            raise Malformed(f"request {number} is asked twice")
        task = asyncio.get_running_loop().create_task(self._work(number, method, params))
        self._answering[number] = task
        task.add_done_callback(lambda _: self._answering.pop(number))

    async def _work(self, number: int, method: str, params: Mapping[str, Any]) -> None:
        try:
            self._send({"id": number, "result": await self.handle(method, params)})
        except SidecarError as fault:
            code = next((code for code, kind in CODES.items() if isinstance(fault, kind)), "fault")
            self._send({"id": number, "error": {"code": code, "message": str(fault)}})
        except Exception as broken:
            log.exception("%s failed", method)
            text = (
                f"Internal error in {method}: {type(broken).__name__}. The server's log says more."
            )
            text = str(refused_by_system(broken) or text)
            self._send({"id": number, "error": {"code": INTERNAL, "message": text}})

    def _answered(self, number: int, answer: Message) -> None:
        waiting = self._waiting.get(number)
        if waiting is None or waiting.done():
            return  # it has been cancelled
        match answer:
            case {"error": {"code": str(code), "message": str(message)}}:
                waiting.set_exception(error_of(code, message))
            case {"result": result}:
                waiting.set_result(result)
            case _:
                raise Malformed("an answer without result or error")

    def _send(self, message: Message) -> None:
        if self._writer.is_closing():
            return
        self._writer.write(framed(message))
        if self._draining is None and self._writer.transport.get_write_buffer_size() > SLOW_BYTES:
            self._draining = asyncio.get_running_loop().create_task(self._drain())

    async def _drain(self) -> None:
        try:
            await self._writer.drain()
        except ConnectionError:
            return  # `serve` gets the same error and ends
        self._draining = None
        self.on_drained()


async def _handles_nothing(method: str, _: Mapping[str, Any]) -> Any:
    raise InvalidRequest(f"Unknown method: {method}")


async def read_message(reader: asyncio.StreamReader) -> Message | None:
    """The next message, or None at the end. Raises Malformed."""
    try:
        length = length_of(await reader.readexactly(HEADER_BYTES))
        return parsed(await reader.readexactly(length))
    except asyncio.IncompleteReadError as cut:
        if cut.partial:
            raise Malformed("the connection ended inside a message") from None
        return None
