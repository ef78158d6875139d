"""Refresh requests to the client, at most one per second."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from pygls.exceptions import JsonRpcException

SHORTEST_GAP_S = 1.0

log = logging.getLogger(__name__)


class Refresh:
    """One kind of refresh request."""

    def __init__(self, ask: Callable[[], Awaitable[object]]) -> None:
        """`ask` sends the request and waits for the client's answer."""
        self._ask = ask
        self._is_wanted = False
        self._asking: asyncio.Task[None] | None = None

    def wanted(self) -> None:
        """Send the request now, or when the last one is long enough ago."""
        self._is_wanted = True
        if self._asking is None:
            self._asking = asyncio.get_running_loop().create_task(self._while_wanted())

    async def _while_wanted(self) -> None:
        while self._is_wanted:
            self._is_wanted = False
            try:
                await self._ask()
            except JsonRpcException as refused:
                log.info("the client did not refresh: %s", refused)
            await asyncio.sleep(SHORTEST_GAP_S)
        self._asking = None
