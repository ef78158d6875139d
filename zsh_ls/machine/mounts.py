"""Mounted file systems on the disks of this machine."""

from __future__ import annotations

import os
import re

from zsh_ls.model.machine import Filesystem, Unavailable

from .unavailable import unreadable

# File systems on disks; asking one over a network could hang for as long as its server is away.
_ON_DISK = {
    "ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "f2fs", "bcachefs", "jfs", "reiserfs", "vfat",
    "exfat", "ntfs", "ntfs3", "fuseblk", "apfs", "hfs", "hfsplus", "ufs", "9p", "virtiofs",
}  # fmt: skip
_OCTAL = re.compile(r"\\([0-7]{3})")


def filesystems(mounts: str) -> list[Filesystem] | Unavailable:
    """Those in the file `mounts` (fstab(5) has its format) that lie on disks, and the root, each once."""
    try:
        with open(mounts, encoding="utf-8", errors="surrogateescape") as file:
            rows = [line.split() for line in file]
    except OSError as problem:
        return unreadable(problem, mounts, "df -h")
    found: dict[tuple[str, int], Filesystem] = {}
    for device, mount, kind, *_ in rows:
        if kind in _ON_DISK or mount == "/":
            _add(found, _plain(device), _plain(mount), kind)
    return list(found.values())


def _add(found: dict[tuple[str, int], Filesystem], device: str, mount: str, kind: str) -> None:
    """A device mounted at several places, as by `mount --bind`, counts once, at the first."""
    try:
        use = os.statvfs(mount)
        if use.f_blocks and os.path.isdir(mount):
            found.setdefault((device, use.f_fsid), of_statvfs(device, mount, kind, use))
    except OSError:
        # Unmounted meanwhile, or not ours to see: df(1) leaves it out as well.
        return


def of_statvfs(device: str, mount: str, kind: str, use: os.statvfs_result) -> Filesystem:
    """Sizes as df(1) has them: what is reserved for root is neither used nor available."""
    return Filesystem(
        device=device,
        mount=mount,
        kind=kind,
        total_bytes=use.f_blocks * use.f_frsize,
        used_bytes=(use.f_blocks - use.f_bfree) * use.f_frsize,
        available_bytes=use.f_bavail * use.f_frsize,
    )


def _plain(name: str) -> str:
    """A name of /proc/mounts without its octal escapes."""
    return _OCTAL.sub(lambda found: chr(int(found[1], 8)), name)
