"""What an editor says first: its `initialize`, recorded from the real one, without paths and processes.

`python -m tests.editors.hello.recorder [NAME…]` writes `tests/data/initialize/NAME.json`, which the
server is tested with; a test of each real editor says whether it still says that.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.editors.emacs.program import emacs_at
from tests.editors.environment import EDITORS, ROOT, EditorEnvironment, editor_environment
from tests.editors.helix.program import configure, helix_program
from tests.editors.nvim.neovim import Neovim
from tests.editors.screen import Screen, wait_until

RECORDED = ROOT / "tests/data/initialize"
PROJECT = "/project"
SCRIPT = "#!/bin/zsh\nprint hi\n"

Hello = dict[str, Any]


def _helix(environment: EditorEnvironment, script: str) -> Screen:
    configure(environment)
    return Screen([str(helix_program()), script], environment.env, environment.project)


def _emacs(environment: EditorEnvironment, script: str) -> Screen:
    command, env = emacs_at(environment)
    return Screen(
        [*command, "-l", str(EDITORS / "emacs/init.el"), script], env, environment.project
    )


def _neovim(version: str) -> Callable[[EditorEnvironment, str], Screen]:
    def started(environment: EditorEnvironment, script: str) -> Screen:
        editor = Neovim(version, environment)
        return Screen([*editor.command, script], editor.env, environment.project)

    return started


EDITORS_HERE: Mapping[str, Callable[[EditorEnvironment, str], Screen]] = {
    "helix-25.01": _helix,
    "emacs-30.1": _emacs,
    "neovim-0.12": _neovim("0.12"),
    "neovim-0.10": _neovim("0.10"),
}


def recorded(name: str) -> Hello:
    """The params of `initialize` as they were recorded."""
    hello: Hello = json.loads((RECORDED / f"{name}.json").read_text())
    return hello


def said_by(name: str, folder: Path) -> Hello:
    """What the real editor says now."""
    with editor_environment(folder) as environment:
        (environment.home / "src").mkdir()
        (environment.home / "src/zsh-ls").symlink_to(ROOT)
        heard = overheard(environment)
        screen = EDITORS_HERE[name](environment, str(environment.write("script.zsh", SCRIPT)))
        try:
            wait_until(lambda: _first_frame(heard))
        finally:
            screen.close()
        return as_recorded(_first_frame(heard), environment)


def overheard(environment: EditorEnvironment) -> Path:
    """Let the `zsh-ls` on PATH record what it receives; gives the file."""
    heard, program = environment.home / "heard", environment.home / "bin/zsh-ls"
    own = program.with_name("zsh-ls-itself")
    program.rename(own)
    program.write_text(
        f'#!/bin/sh\n[ "$1" = serve ] || exec {own} "$@"\ntee {heard} | {own} "$@"\n'
    )
    program.chmod(0o755)
    return heard


def as_recorded(frame: bytes, environment: EditorEnvironment) -> Hello:
    """The params, with nothing in them that differs from run to run."""
    text = json.dumps(json.loads(frame)["params"], sort_keys=True)
    params: Hello = json.loads(text.replace(str(environment.project), PROJECT))
    return {**params, "processId": None}


def _first_frame(heard: Path) -> bytes:
    """The first message, whole; empty where it is not there yet."""
    head, found, rest = (heard.read_bytes() if heard.exists() else b"").partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length:")[2].split()[0]) if found else 0
    return rest[:length] if found and len(rest) >= length else b""


def main(names: list[str]) -> None:
    """Record the named editors, else all."""
    RECORDED.mkdir(exist_ok=True)
    for name in names or EDITORS_HERE:
        with tempfile.TemporaryDirectory() as folder:
            hello = said_by(name, Path(folder))
        text = json.dumps(hello, indent=1, sort_keys=True)
        (RECORDED / f"{name}.json").write_text(text + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
