"""Tests of the table of what programs are for."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from zsh_ls.insights.facts import FACTS, Trait, has_trait, names, packs, takes_nothing

# How those are called that need operands to read their input.
OPERANDS = {"gpg": "-c --batch --passphrase x", "openssl": "enc -base64", "jq": ".", "cut": "-c1"}
OPERANDS |= {"sed": "p", "awk": "1", "gawk": "1", "tr": "a b"}
ON_THIS_MACHINE = sorted(
    name for name in names(Trait.LIGHT) | {"openssl"} if shutil.which(name) is not None
)


def test_each_row_says_where_it_is_from() -> None:
    assert all(fact.source and fact.programs for fact in FACTS)
    assert {fact.trait for fact in FACTS} == set(Trait)


@pytest.mark.parametrize("program", ON_THIS_MACHINE)
def test_what_takes_an_empty_input_for_a_good_one_does_so(program: str, tmp_path: Path) -> None:
    words = [program, *OPERANDS.get(program, "").split()]
    done = subprocess.run(
        words,
        cwd=tmp_path,
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert takes_nothing(program, words)
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("line", "trait", "expected"),
    [
        ("pytest -q", Trait.BUILDS, True),
        ("npm test -- -p 3", Trait.BUILDS, True),
        ("make -n", Trait.BUILDS, False),
        ("make -qp", Trait.BUILDS, False),
        ("sudo make install", Trait.BUILDS, True),
        ("sh ./build.sh", Trait.BUILDS, True),
        ("python3 -m pytest -x", Trait.BUILDS, True),
        ("docker --version", Trait.BUILDS, False),
        ("git -C site push", Trait.PUBLISHES, True),
        ("git log push.txt x", Trait.PUBLISHES, False),
        ("kubectl apply --dry-run=client", Trait.APPLIES, False),
        ("aws --version", Trait.FETCHES, False),
        ("seq 100000", Trait.LONG, True),
        ("seq 3", Trait.LONG, False),
    ],
)
def test_a_trait_hangs_on_the_words(line: str, trait: Trait, expected: bool) -> None:
    words = line.split()
    command = next(word for word in words if word != "sudo")
    assert has_trait(trait, command, words) is expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("tar cz site", True),
        ("tar -cf - site", True),
        ("tar --create --file=- site", True),
        ("tar czf site.tgz site", False),
        ("tar xz", False),
        ("git archive HEAD", True),
        ("pg_dump shop", True),
    ],
)
def test_what_goes_to_the_standard_output_is_packed(line: str, expected: bool) -> None:
    words = line.split()
    assert packs(words[0], words) is expected
