"""A program that is started to learn a fact is limited in time and in the length of its output."""

from __future__ import annotations

import os
import time

from zsh_ls.system.bounded_probe import printed_by

GENEROUS_S = 60.0


def test_what_a_program_prints_is_given_where_it_succeeds() -> None:
    assert printed_by(["echo", "a"], timeout_s=GENEROUS_S) == b"a\n"
    assert printed_by(["sh", "-c", "echo a; exit 1"], timeout_s=GENEROUS_S) == b""
    assert printed_by(["/nowhere/program"], timeout_s=GENEROUS_S) == b""


def test_one_that_prints_for_ever_is_ended_at_the_bound() -> None:
    began = time.monotonic()
    assert printed_by(["yes"], timeout_s=GENEROUS_S, limit_bytes=100_000) == b""
    assert time.monotonic() - began < GENEROUS_S


def test_one_that_hangs_is_ended_with_what_it_started() -> None:
    mark = f"314{os.getpid()}"
    hanging = ["sh", "-c", f"sleep {mark} & sleep {mark}"]
    assert printed_by(hanging, timeout_s=0.3) == b""
    # KILL is sent when it answers; the kernel takes a moment to end them.
    gives_up_at = time.monotonic() + GENEROUS_S
    while _running(mark) and time.monotonic() < gives_up_at:
        os.sched_yield()
    assert _running(mark) == []


def _running(mark: str) -> list[str]:
    return [pid for pid in os.listdir("/proc") if pid.isdecimal() and mark in _arguments(pid)]


def _arguments(pid: str) -> list[str]:
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return file.read().decode(errors="replace").split("\0")
    except OSError:
        return []
