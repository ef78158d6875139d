"""Our ends of tasks' pipes outlive this process, and no longer than that is wanted (RUN-10).

That nothing begins behind a command that notices the server's death is tried by the kinds `printer` and
`watcher of its own output` of `behind.py`.
"""

from __future__ import annotations

import contextlib
import os
import resource
import select

import pytest

from zsh_ls.tasks.supervision.held_ends import HeldEnds

MANY = 60


def is_broken(writing: int) -> bool:
    """Whether nobody could read any more what is written."""
    state = select.poll()
    state.register(writing, 0)
    return any(mask & select.POLLERR for _, mask in state.poll(0))


def descriptors() -> int:
    return len(os.listdir("/dev/fd"))


def test_a_pipe_has_a_reader_until_its_end_is_released() -> None:
    ends = HeldEnds()
    reading, writing = os.pipe()
    ends.hold(reading)
    os.close(reading)
    assert not is_broken(writing)
    ends.release(reading)
    assert is_broken(writing)
    os.close(writing)


def test_the_ends_of_many_tasks_are_released_in_any_order_and_leave_nothing() -> None:
    ends = HeldEnds()
    before = descriptors()
    pipes = [os.pipe() for _ in range(MANY)]
    for reading, _ in pipes:
        ends.hold(reading)
    for reading, _ in pipes:
        os.close(reading)
    assert not any(is_broken(writing) for _, writing in pipes)
    left = list(pipes)
    while left:
        reading, writing = left.pop(len(left) // 3)
        ends.release(reading)
        assert is_broken(writing)
        assert not any(is_broken(other) for _, other in left)
        os.close(writing)
    assert descriptors() == before


def test_what_is_not_held_or_finds_no_room_is_no_error() -> None:
    ends = HeldEnds()
    ends.release(5)
    reading, writing = os.pipe()
    for _ in range(5_000):
        ends.hold(reading)
    os.close(reading)
    assert not is_broken(writing)
    while not is_broken(writing):
        ends.release(reading)
    os.close(writing)


def test_a_descriptor_that_is_none_is_no_error() -> None:
    HeldEnds().hold(2**31 - 1)


def test_an_end_is_let_go_where_the_process_has_no_descriptor_left() -> None:
    ends = HeldEnds()
    reading, writing = os.pipe()
    ends.hold(reading)
    os.close(reading)
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    taken = [os.dup(writing)]
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (taken[0] + 1, limits[1]))
        with contextlib.suppress(OSError):
            while True:
                taken.append(os.dup(writing))
        with pytest.raises(OSError, match="Too many open files"):
            os.dup(writing)
        ends.release(reading)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        for descriptor in taken:
            os.close(descriptor)
    assert is_broken(writing)
    os.close(writing)
