"""The environment a real editor is tested in: a fresh home with `zsh-ls` on its PATH."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import attrs

ROOT = Path(__file__).parents[2]
EDITORS = ROOT / "editors"
# What the pictures of docs/failures.md show in each editor.
DEPLOY = """\
#!/bin/bash
set -e
cd /srv/shop
make | tee make.log
if curl -fs http://localhost:1/ready; then
  ./restart shop
fi
./notify "deployed" &
rsync -a build/ web:/srv/shop/
"""
# What those of docs/startup.md show: start-up files with programs that take their time.
_SLOW = {
    ".zshrc": """\
# What many of us have.
path=(~/bin $path)
autoload -Uz compinit && compinit
eval "$(pyenv init -)"
source ~/.nvm/nvm.sh

prompt_branch() {
  branch=$(git branch --show-current 2>/dev/null)
}
precmd_functions+=(prompt_branch)
setopt prompt_subst
PROMPT='%~ $branch %# '
""",
    ".nvm/nvm.sh": """\
nvm_auto() {
  local current=$(nvm-current)
}
nvm_auto
""",
    "bin/pyenv": "#!/bin/sh\nsleep 0.12\necho :\n",
    "bin/nvm-current": "#!/bin/sh\nsleep 0.2\n",
}


def slow_start(home: Path) -> Path:
    """A home whose zsh starts slowly; gives its `.zshrc`."""
    for name, text in _SLOW.items():
        file = home / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)
    return home / ".zshrc"


def printed_by(
    command: Sequence[str | Path], env: Mapping[str, str], *, cwd: Path, patience_s: float
) -> str:
    """Standard output and error of a command, which must succeed and reads no input."""
    done = subprocess.run(
        command,
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=patience_s,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@attrs.frozen
class EditorEnvironment:
    """`env` is all an editor is started with; `project` is the folder of its files."""

    home: Path
    project: Path
    env: Mapping[str, str]

    def write(self, name: str, text: str) -> Path:
        """A file of the project."""
        path = self.project / name
        path.write_text(text)
        return path


@contextmanager
def editor_environment(folder: Path) -> Iterator[EditorEnvironment]:
    """A fresh home in `folder` for one editor, with a short path for sockets."""
    project = folder / "project"
    (project / ".git").mkdir(parents=True)
    with TemporaryDirectory(prefix="zl-", ignore_cleanup_errors=True) as runtime:
        yield EditorEnvironment(folder, project, _environment(folder, runtime))


def _environment(home: Path, runtime: str) -> dict[str, str]:
    """Variables that hide the settings of the user who runs the tests, but not the installed tools."""
    return {
        "HOME": str(home),
        "PATH": os.pathsep.join([str(_programs(home)), *_folders_without_a_server()]),
        "LANG": "C.UTF-8",
        "SHELL": "/bin/sh",
        "XDG_RUNTIME_DIR": runtime,
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_DATA_HOME": str(home / ".local/share"),
        "XDG_STATE_HOME": str(home / ".local/state"),
        "XDG_CACHE_HOME": str(home / ".cache"),
    }


def _folders_without_a_server() -> list[str]:
    """The folders of PATH without those that hold an installed `zsh-ls`."""
    return [it for it in os.get_exec_path() if shutil.which("zsh-ls", path=it) is None]


def _programs(home: Path) -> Path:
    """A folder with a `zsh-ls` that starts this checkout."""
    folder = home / "bin"
    folder.mkdir()
    program = folder / "zsh-ls"
    start = f"PYTHONPATH={shlex.quote(str(ROOT))} exec {shlex.quote(sys.executable)} -m zsh_ls"
    program.write_text(f'#!/bin/sh\n{start} "$@"\n')
    program.chmod(0o755)
    return folder
