"""What stands between a client and its server: a delay, a cut, a hole, somebody who answers rubbish."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Self


class Listener:
    """Serves each connection to a port of the loopback interface on a thread."""

    def __init__(self) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = int(self.socket.getsockname()[1])
        self.accepted = threading.Event()
        self.ended = threading.Event()
        self._open: list[socket.socket] = []

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        for each in (self.socket, *self._open):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self.socket.accept()
                self._open.append(client)
                self.accepted.set()
                threading.Thread(target=self._serve_quietly, args=(client,), daemon=True).start()

    def _serve_quietly(self, client: socket.socket) -> None:
        with suppress(OSError):
            self.serve(client)
        self.ended.set()

    def serve(self, client: socket.socket) -> None:
        """Reads and never answers."""
        while client.recv(65536):
            pass


class Rubbish(Listener):
    """Answers everything with random bytes."""

    def serve(self, client: socket.socket) -> None:
        while client.recv(65536):
            client.sendall(os.urandom(4096))


class Proxy(Listener):
    """Passes on to a server, each part after `delay_s`; `lets_pass` may end the connection instead."""

    def __init__(
        self,
        port: int,
        delay_s: float = 0.0,
        lets_pass: Callable[[bytes, bool], bool] = lambda _data, _is_answer: True,
    ) -> None:
        super().__init__()
        self._target = port
        self._delay_s = delay_s
        self._lets_pass = lets_pass

    def serve(self, client: socket.socket) -> None:
        server = socket.create_connection(("127.0.0.1", self._target))
        self._open.append(server)
        back = threading.Thread(target=self._pass, args=(server, client, True), daemon=True)
        back.start()
        self._pass(client, server, False)

    def _pass(self, source: socket.socket, target: socket.socket, is_answer: bool) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if not self._lets_pass(data, is_answer):
                    break
                time.sleep(self._delay_s)  # the distance that is tried
                target.sendall(data)
        for each in (source, target):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
