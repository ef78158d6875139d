"""Only regular files within a bound are read; nothing waits for a FIFO, a device or an endless pipe."""

from __future__ import annotations

import os
import socket
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from zsh_ls.system import bounded_files
from zsh_ls.system.bounded_files import (
    MIB,
    NotRead,
    in_units,
    read_bytes,
    read_named,
    refuse_programs,
)

GIB = 1 << 30


def sparse(path: Path, size_bytes: int) -> Path:
    """A file of that size that takes nothing on the disk."""
    with path.open("wb") as file:
        file.truncate(size_bytes)
    return path


def why(read: Callable[[str, int], bytes], path: object, limit_bytes: int = MIB) -> str:
    with pytest.raises(NotRead) as refused:
        read(str(path), limit_bytes)
    return str(refused.value)


def test_a_file_is_read_as_it_stands_up_to_the_bound(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes("é\r\nb".encode())
    assert read_bytes(file, 5) == "é\r\nb".encode()
    assert why(read_bytes, file, 4) == f"{file} is 5 bytes; at most 4 bytes is read"
    assert read_bytes("/proc/self/comm", MIB)  # its size is told as 0


@pytest.mark.parametrize("read", [read_bytes, read_named])
def test_what_is_no_regular_file_is_told_as_what_it_is(
    tmp_path: Path, read: Callable[[str, int], bytes]
) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        kinds = {
            tmp_path / "socket": "socket",
            tmp_path: "directory",
            Path("/dev/zero"): "character device",
        }
        for path, kind in kinds.items():
            assert why(read, path) == f"{path} is a {kind}, not a regular file"
    large = sparse(tmp_path / "large", 3 * GIB + GIB // 10)
    assert why(read, large) == f"{large} is 3.1 GiB; at most 1 MiB is read"
    assert why(read, tmp_path / "no") == f"{tmp_path / 'no'}: No such file or directory"
    assert why(read, tmp_path / "loop").endswith("Too many levels of symbolic links")
    assert "null" in why(read, "a\0b")


def test_a_fifo_is_never_opened_where_files_are_meant(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    assert why(read_bytes, fifo) == f"{fifo} is a FIFO, not a regular file"
    (tmp_path / "link").symlink_to(fifo)
    assert (
        why(read_bytes, tmp_path / "link") == f"{tmp_path / 'link'} is a FIFO, not a regular file"
    )


def test_a_file_that_grows_while_it_is_read_is_not_read_beyond_the_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"a")
    status = os.stat(file)
    file.write_bytes(b"a" * 100)
    monkeypatch.setattr(bounded_files.os, "fstat", lambda descriptor: status)
    assert why(read_bytes, file, 10) == f"{file} is over 10 bytes; at most 10 bytes is read"


def test_links_are_not_followed_where_they_may_not_be(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a")
    (tmp_path / "link").symlink_to("a")
    assert read_bytes(tmp_path / "link", 1) == b"a"
    with pytest.raises(NotRead, match="link is a symbolic link, not a regular file"):
        read_bytes(tmp_path / "link", 1, follow_links=False)


def test_a_pipe_that_a_person_names_is_read_to_its_end(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    writer = threading.Thread(target=fifo.write_bytes, args=(b"a" * 200_000,))
    writer.start()
    assert read_named(str(fifo), MIB) == b"a" * 200_000
    writer.join()
    reading, writing = os.pipe()
    os.close(writing)
    assert read_named(f"/dev/fd/{reading}", MIB) == b""
    os.close(reading)
    assert read_named(os.devnull, MIB) == b""


def test_a_fifo_that_nobody_writes_to_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_files, "FIRST_WRITER_WITHIN_S", 0.0)
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    assert why(read_named, fifo) == f"{fifo} is a FIFO that nobody writes to"


def test_an_endless_pipe_is_read_up_to_the_bound() -> None:
    with subprocess.Popen(["yes"], stdout=subprocess.PIPE) as endless:
        assert endless.stdout
        path = f"/dev/fd/{endless.stdout.fileno()}"
        assert why(read_named, path, 100_000) == (
            f"{path} is over 97.7 KiB; at most 97.7 KiB is read"
        )
        endless.kill()


def test_sizes_are_told_in_units() -> None:
    told = [in_units(size) for size in (0, 812, 64 * MIB, 3 * GIB + GIB // 10, 5 << 50)]
    assert told == ["0 bytes", "812 bytes", "64 MiB", "3.1 GiB", "5120 TiB"]


def test_a_program_is_no_script_and_data_behind_one_is_no_harm() -> None:
    with pytest.raises(NotRead, match="a: no script, but binary data"):
        refuse_programs("a", b"\x7fELF\2\1\1\0\0\n")
    refuse_programs("a", b"#!/bin/sh\ntail -n +3 $0 | tar xz; exit\n\x1f\x8b\0")
