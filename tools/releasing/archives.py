"""Archives that are the same bytes whenever and by whomever they are made."""

from __future__ import annotations

import gzip
import tarfile
from pathlib import Path

from tools.releasing.results import run


def commit_time() -> int:
    """The time of the last commit in seconds: it stands in a release in place of now."""
    return int(run(["git", "log", "-1", "--format=%ct"]).stdout)


def pack(folder: Path, archive: Path, name: str) -> None:
    """Pack a folder under a name as .tar.gz, without owners, in the order of its names."""
    time = commit_time()

    def plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.mtime, member.uid, member.gid, member.uname, member.gname = time, 0, 0, "", ""
        member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
        return member

    with (
        archive.open("wb") as file,
        gzip.GzipFile("", "wb", fileobj=file, mtime=time) as packed,
        tarfile.open(fileobj=packed, mode="w") as made,
    ):
        made.add(folder, name, filter=plain)


def unpack(archive: Path, folder: Path) -> None:
    """Unpack a .tar.gz into a folder, which is made; `tarfile` of Debian 12 has no safe way yet."""
    folder.mkdir(parents=True, exist_ok=True)
    run(["tar", "-xzf", archive, "-C", folder])
