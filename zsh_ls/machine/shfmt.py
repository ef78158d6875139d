"""Formatting by shfmt, where it is installed (DOC-11). Of files it reads `.editorconfig` alone."""

from __future__ import annotations

import asyncio
import contextlib
import os
from pathlib import PurePath

from zsh_ls.lazy import re
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.syntax.dialect import SUFFIXES, shebang_dialect
from zsh_ls.system import programs

NAME = "shfmt"
LIMIT_S = 10.0
EDITOR_CONFIG = ".editorconfig"
NAMED = {Dialect.ZSH: "zsh", Dialect.BASH: "bash", Dialect.SH: "posix"}
_WHERE = re.compile(r"^.*?:(\d+):(\d+): ", re.MULTILINE)


class NotFormatted(Exception):
    """shfmt gave no text; the words say why."""


class NotInstalled(NotFormatted):
    """There is no shfmt."""


async def formatted(text: str, dialect: Dialect, path: str | None, indent: int) -> str:
    """The text as shfmt writes it: by the `.editorconfig` files above `path`, else with that `indent`.

    `indent` is a number of blanks, 0 for tabs. Raises NotFormatted.
    """
    program = await asyncio.to_thread(programs.find, NAME)
    if program is None:
        raise NotInstalled("shfmt is not installed.")
    # With options of a parser or a printer shfmt looks at no .editorconfig.
    options = ["-ln", NAMED[dialect], "-i", str(indent)]
    if path is not None and await asyncio.to_thread(_has_editor_config, path):
        tells = shebang_dialect(text) or PurePath(path).suffix in SUFFIXES
        options = ["--filename", path if tells else f"{path}.{NAMED[dialect]}"]
    try:
        process = await programs.start(
            [program, *options],
            cwd="/",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
    except OSError as refused:
        raise NotFormatted(f"shfmt could not be started: {refused.strerror}.") from None
    try:
        async with asyncio.timeout(LIMIT_S):
            out, complained = await process.communicate(text.encode())
    except TimeoutError:
        raise NotFormatted(f"shfmt took longer than {LIMIT_S:g} seconds.") from None
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    if process.returncode != 0:
        words = complained.decode("utf-8", "replace").strip().partition("\n")[0]
        words = _WHERE.sub(r"line \1: ", words)
        raise NotFormatted(f"shfmt cannot read this text: {words}")
    return out.decode("utf-8", "replace")


def _has_editor_config(path: str) -> bool:
    return any(os.path.isfile(os.path.join(it, EDITOR_CONFIG)) for it in PurePath(path).parents)
