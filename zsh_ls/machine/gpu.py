"""Graphics cards: NVIDIA's own tool, the amdgpu driver's files, macOS's profiler."""

from __future__ import annotations

import glob
import json
import os
import sys
from collections.abc import Sequence

from zsh_ls.model.answer import ProposedCommand
from zsh_ls.model.machine import Gpu, Unavailable

from .tools import output_of

MIB = 1024 * 1024
_QUERY = "--query-gpu=name,memory.total,memory.used,utilization.gpu"
_NVIDIA = ("nvidia-smi", _QUERY, "--format=csv,noheader,nounits")
_PROFILER = ("system_profiler", "SPDisplaysDataType", "-json")


def gpus(drm: str = "/sys/class/drm") -> Sequence[Gpu] | Unavailable:
    """The cards whose drivers report their use."""
    found = [*_nvidia(), *_amd(drm), *(_apple() if sys.platform == "darwin" else ())]
    return found or _NONE


_NONE = Unavailable(
    reason="nvidia-smi command not found, and no amdgpu driver is there",
    missing="a graphics card whose driver tells its memory",
    collect=(
        ProposedCommand("nvidia-smi --query-gpu=memory.used,memory.total --format=csv"),
        ProposedCommand("lspci -d ::0300"),
    ),
)


def _nvidia() -> list[Gpu]:
    """Parse one line per card: name, MiB, MiB, per cent; `[N/A]` if the driver does not report it."""
    rows = (line.split(", ") for line in output_of(_NVIDIA).splitlines())
    return [_nvidia_gpu(*row) for row in rows if len(row) == 4]


def _nvidia_gpu(name: str, total: str, used: str, busy: str) -> Gpu:
    percent = _number(busy)
    return Gpu(
        name,
        _scaled(_number(total), MIB),
        _scaled(_number(used), MIB),
        None if percent is None else percent / 100,
    )


def _amd(drm: str) -> list[Gpu]:
    """Read the files of https://docs.kernel.org/gpu/amdgpu/driver-misc.html."""
    found = []
    for total in sorted(glob.glob(f"{drm}/card*/device/mem_info_vram_total")):
        device = os.path.dirname(total)
        busy = _number(_text(f"{device}/gpu_busy_percent"))
        found.append(
            Gpu(
                _text(f"{device}/product_name") or "AMD graphics card",
                _number(_text(total)),
                _number(_text(f"{device}/mem_info_vram_used")),
                None if busy is None else busy / 100,
            )
        )
    return found


def _apple() -> list[Gpu]:
    """The names only, as Apple's chips share main memory."""
    try:
        displays = json.loads(output_of(_PROFILER))["SPDisplaysDataType"]
        return [Gpu(str(card["sppci_model"])) for card in displays]
    except (ValueError, LookupError, TypeError):
        return []


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return ""


def _number(text: str) -> int | None:
    return int(text) if text.strip().isdecimal() else None


def _scaled(number: int | None, unit: int) -> int | None:
    return None if number is None else number * unit
