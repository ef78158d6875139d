"""A module that is put off is loaded when it is first used, once, and is then the module."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BEGIN = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
BEGIN += "from zsh_ls.lazy.modules import is_put_off, put_off\n"


def run(text: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", BEGIN + text],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("use", "shown"),
    [
        (
            "import textwrap; assert is_put_off('textwrap'); print(textwrap.fill('a b', 1))",
            "a\nb\n",
        ),
        ("from textwrap import fill; print(fill('a b', 1))", "a\nb\n"),
        ("from textwrap import *; print(fill('a b', 1))", "a\nb\n"),
        (
            "import textwrap; print(textwrap.__name__, is_put_off('textwrap'))",
            "textwrap True\n",
        ),
        (
            "import textwrap; print(hasattr(textwrap, 'no_such'), is_put_off('textwrap'))",
            "False False\n",
        ),
        ("import importlib, textwrap; print(importlib.reload(textwrap).__name__)", "textwrap\n"),
    ],
)
def test_it_is_loaded_when_it_is_used(use: str, shown: str, tmp_path: Path) -> None:
    assert run(f"put_off(['textwrap'])\n{use}", tmp_path) == shown


def test_what_is_not_there_and_what_is_loaded_are_left_alone(tmp_path: Path) -> None:
    text = (
        "import json\nput_off(['json', 'no_such_module'])\n"
        "print(is_put_off('json'), 'no_such_module' in sys.modules)"
    )
    assert run(text, tmp_path) == "False False\n"


def test_one_that_is_asked_by_many_threads_at_once_is_loaded_once(tmp_path: Path) -> None:
    (tmp_path / "slowly.py").write_text(
        "import sys\nfirst = 1\nsys.begun.set()\nsys.may_end.wait()\nsys.loads.append(1)\nlast = 2\n"
    )
    text = """
import threading
sys.begun, sys.may_end, sys.loads = threading.Event(), threading.Event(), []
put_off(['slowly'])
import slowly
found = []
ask = [threading.Thread(target=lambda: found.append(slowly.last)) for _ in range(8)]
for thread in ask: thread.start()
sys.begun.wait()
sys.may_end.set()
for thread in ask: thread.join()
print(found, sys.loads)
"""
    assert run(text, tmp_path) == "[2, 2, 2, 2, 2, 2, 2, 2] [1]\n"


def test_one_that_cannot_be_loaded_says_so_each_time(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("1 / 0\n")
    text = """
put_off(['broken'])
import broken
for _ in range(2):
    try:
        broken.name
    except ZeroDivisionError:
        print('no')
"""
    assert run(text, tmp_path) == "no\nno\n"
