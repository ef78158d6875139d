"""Only regular files of modest size are read; nothing waits for a pipe."""

from __future__ import annotations

import os
from pathlib import Path

from zsh_ls.machine.small_files import LARGEST_BYTES, read_text


def test_a_text_is_read_as_it_stands(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes("é\r\nb".encode())
    found = read_text(str(file))
    assert found == ("é\r\nb", file.stat().st_mtime_ns)


def test_what_is_no_small_text_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    (tmp_path / "large").write_bytes(b"a" * (LARGEST_BYTES + 1))
    (tmp_path / "loop").symlink_to("loop")
    for name in ("fifo", "binary", "large", "loop", "nothing", "."):
        assert read_text(str(tmp_path / name)) is None
    assert read_text("/dev/zero") is None
    assert read_text("a\0b") is None
