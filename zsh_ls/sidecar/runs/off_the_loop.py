"""What is done with a run's output, beside the loop where there is much of it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

# So much takes 4 ms at most, where each character of it was written over; of plain lines it takes 0.04 ms.
LARGE_BYTES = 16 * 1024
# So much takes some 60 ms.
HUGE_BYTES = 256 * 1024
Made = TypeVar("Made")
log = logging.getLogger(__name__)

# Python runs one thread at a time: each more that works is one more that the loop stands in line with,
# several times for each request. Two outputs read at once would both take as long as one after the other.
_one_huge = ThreadPoolExecutor(max_workers=1, thread_name_prefix="huge output")


async def off_the_loop(size_bytes: int, work: Callable[[], Made]) -> Made:
    """A short text is rendered faster than a thread is woken; a long one must not stall the loop."""
    if size_bytes > LARGE_BYTES:
        pool = _one_huge if size_bytes > HUGE_BYTES else None
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, work)
        except RuntimeError:  # no thread can be had
            log.info("a long text is read on the loop")
    return work()
