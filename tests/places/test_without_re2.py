"""Where RE2 is missing, as in an editor's extension, Python's own patterns find the same places."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from zsh_ls.places import patterns

HERE = Path(__file__).parent
WITHOUT = (
    "import sys; sys.modules['re2'] = None; import pytest; sys.exit(pytest.main(sys.argv[1:]))"
)


def test_every_recording_has_the_same_places() -> None:
    words = ["-q", "-n", "0", "-p", "no:cacheprovider", str(HERE / "test_recordings.py")]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


def test_a_long_line_is_not_asked_of_patterns_whose_time_may_grow_faster() -> None:
    code = (
        "import sys; sys.modules['re2'] = None\n"
        "from zsh_ls.places.patterns import PatternSet\n"
        "found = PatternSet(['a+$', 'b']).found_in\n"
        "print(found('aab'), found('aa'), found('a' * 401))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[1] [0] []\n"
    assert patterns.PatternSet(["a+$", "b"]).found_in("a" * 401) == [0]
