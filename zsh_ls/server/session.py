"""The event loop of one server process, from the first message to its exit.

The server also ends when the editor's process has ended, even if the pipes stay open. A thread watches
for that, so that a stuck event loop does not outlive its editor.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import select
import signal
import threading
from collections.abc import Callable
from functools import partial

from zsh_ls.system.exiting import LOST, PATIENCE_S, leave_with, leave_within
from zsh_ls.system.process_ids import is_there

from .boot import InitialHandshake, Wire
from .frames import Content, FrameReader
from .pipes import TOO_MANY_BYTES, Incoming, Outgoing
from .protocol import NotJson
from .server import ShellLanguageServer

# How long open requests may take when the client has closed its end.
LAST_ANSWERS_S = 0.1
LAST_BYTES_S = 1.0
COLLECTS_AFTER = (20_000, 10, 10)
# How often the ends of processes are looked for that give no notice.
LOOK_EVERY_S = 5.0


class Session:
    """Connects the descriptors of one client to its server."""

    def __init__(self, server: ShellLanguageServer, wire: Wire) -> None:
        self._server = server
        self._wire = wire
        self._loop = asyncio.get_running_loop()
        self._frames = FrameReader()
        self._outgoing = Outgoing(wire.outgoing, self._loop)
        self._incoming = Incoming(wire.incoming, self._loop, self._received)
        self._over = asyncio.Event()
        self._lost = LOST
        self._outgoing.on_drained = self._drained
        server.protocol.set_writer(self)

    async def run(self, beginning: InitialHandshake) -> int:
        """Serve until the client sends `exit`, closes its end or dies; returns the exit status."""
        if beginning.client is not None:
            self._server.start(beginning.client)
            self._server.diagnostics.published_before(beginning.published)
        if beginning.received:
            self._received(beginning.received)
        # Objects of now live until the exit: exclude them from later garbage collections.
        gc.freeze()
        # A keystroke can create tens of thousands of tuples of syntax trees, which are freed without the
        # garbage collector: with the thresholds of the start it took half of the time of a response.
        gc.set_threshold(*COLLECTS_AFTER)
        end = partial(self._loop.call_soon_threadsafe, self._over.set)
        watch_client(self._server.client.process_id, end)
        leave_with(self._wire.incoming)
        self._incoming.resume()
        with contextlib.suppress(RuntimeError, ValueError):  # not in the main thread (in tests)
            self._loop.add_signal_handler(signal.SIGTERM, self._on_sigterm)
        await self._over.wait()
        status = 0 if self._server.protocol.was_shut_down else self._lost
        leave_within(PATIENCE_S, status)
        self._incoming.pause()
        await self._server.protocol.finish(LAST_ANSWERS_S)
        await self._server.close()
        await self._outgoing.finish(LAST_BYTES_S)
        return status

    def _on_sigterm(self) -> None:
        """End the session regularly, so that running tasks are recorded as killed."""
        self._lost = 128 + signal.SIGTERM
        self._over.set()

    def _received(self, piece: bytes) -> None:
        if not piece:
            self._over.set()
            return
        protocol = self._server.protocol
        for frame in self._frames.feed(piece):
            match frame:
                case Content(content):
                    try:
                        protocol.receive(content)
                    except NotJson as wrong:
                        protocol.damaged(str(wrong))
                        self._frames.reject(content)
                case damage:
                    protocol.damaged(damage.reason)

    def write(self, data: bytes) -> None:
        """Send `data`; pygls calls this with each message."""
        self._outgoing.write(data)
        if self._outgoing.broken:
            self._over.set()
        elif self._outgoing.is_slow:
            self._server.hold(True)
            if self._outgoing.unsent_bytes > TOO_MANY_BYTES:
                self._incoming.pause()

    def close(self) -> None:
        """End the session; pygls calls this when the client sends `exit`."""
        self._over.set()

    def _drained(self) -> None:
        if self._outgoing.broken:
            self._over.set()
            return
        self._server.hold(False)
        if not self._over.is_set():
            self._incoming.resume()


def serve(server: ShellLanguageServer, wire: Wire, beginning: InitialHandshake) -> int:
    """Run a session to its end; returns the exit status.

    The loop is not closed: that would wait for every thread, and one may be stuck.
    """

    async def session() -> int:
        return await Session(server, wire).run(beginning)

    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    return loop.run_until_complete(session())


def watch_client(process_id: int | None, leave: Callable[[], object]) -> None:
    """Call `leave` when the client's process or our parent has ended; exit if that does not help."""
    parent = os.getppid()
    # On Linux a pidfd gives the end of the process at once, whether it is reaped or not, and even if
    # its id is reused. Elsewhere, and for another user's process, `is_there` is polled.
    watched = {parent} if process_id is None else {parent, process_id}
    end, unwatched = select.poll(), set(watched)
    for process in watched if hasattr(os, "pidfd_open") else ():
        with contextlib.suppress(OSError):  # it has just ended, or is another user's
            end.register(os.pidfd_open(process), select.POLLIN)
            unwatched.remove(process)
    # Where each is watched there is nothing to look at again, and a machine at rest sleeps on.
    look_ms = LOOK_EVERY_S * 1000 if unwatched else None

    def watch() -> None:
        while os.getppid() == parent and (process_id is None or is_there(process_id)):
            if end.poll(look_ms):
                break
        leave_within(PATIENCE_S, LOST)
        leave()

    threading.Thread(target=watch, daemon=True).start()
