"""What `load_little` leaves out or puts off works all the same when somebody uses it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BEGIN = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
BEGIN += "from zsh_ls.lazy.loading import load_little\nload_little()\n"


@pytest.mark.parametrize(
    ("use", "shown"),
    [
        (
            "import logging; print(logging.Formatter('{message:>5}', style='{')._fmt)",
            "{message:>5}",
        ),
        ("from string import Template; print(Template('$a $$').substitute(a=1))", "1 $"),
        (r"import json; print(json.loads('[1.5e3, \"\\u00e9\"]'))", "[1500.0, 'é']"),
        (r"import json; print(json.dumps('\n\"é'))", r'"\n\"\u00e9"'),
        (
            "import pickle, datetime as d; print(pickle.loads(pickle.dumps(d.date(2026, 1, 2))))",
            "2026-01-02",
        ),
        (
            "import datetime; print(datetime.datetime.strptime('1 Feb 2026', '%d %b %Y').date())",
            "2026-02-01",
        ),
        (
            "from pathlib import Path; print(Path('/a b').as_uri(), Path('x.py').match('*.py'))",
            "file:///a%20b True",
        ),
        ("import re; print(type(re.compile('a')).__name__)", "Pattern"),
    ],
)
def test_what_is_loaded_in_part_works(use: str, shown: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", BEGIN + use], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == shown


def test_no_pattern_of_the_library_is_compiled_that_is_not_used() -> None:
    """They take as long to compile as ten modules to load."""
    text = "import re; print(sorted(k[1] for k in re._cache))"
    loaded = BEGIN.replace("load_little()\n", "import re; re.purge(); load_little()\n")
    done = subprocess.run(
        [sys.executable, "-c", loaded + text], capture_output=True, text=True, check=True
    )
    assert "escaped" not in done.stdout  # `string.Template`
    assert "fill" not in done.stdout
